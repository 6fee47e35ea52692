import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { FRONTIER_STATES, type FrontierState } from '../../shared/frontier-state.ts'
import { readCrawl } from './crawl-store.ts'
import type { Database } from './database.ts'
import { idRanges } from './id-ranges.ts'

/** What a list of crawls says of one, read without looking at every row. */
export interface CrawlHead {
  state: CrawlState
  endReason: EndReason | null
  seeds: string[]
  /** When something last happened to it, wall milliseconds. */
  changedAt: number
  /** Anything waits, failed for now, or was in flight; or a sitemap is not read yet. */
  hasMore: boolean
}

/** @throws Failure `damaged_crawl_file` */
export function readHead(db: Database, file: string): CrawlHead {
  const { state, endReason, settings, createdAt } = readCrawl(db, file)
  const lastEvent = db.prepare('SELECT at FROM events ORDER BY seq DESC LIMIT 1').pluck().get() as number | undefined
  const hasMore = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM urls WHERE state = 0) OR EXISTS (SELECT 1 FROM urls WHERE state = 1)
         OR EXISTS (SELECT 1 FROM urls WHERE state = 3) OR EXISTS (SELECT 1 FROM sitemaps WHERE state = 'pending')`,
    )
    .pluck()
    .get()
  return { state, endReason, seeds: settings.seeds, changedAt: lastEvent ?? createdAt, hasMore: hasMore === 1 }
}

type Tally = Record<FrontierState, number>

/** Counts the URLs by state, a range of ids at a time. @param rest called between two ranges; says how many ids the next has */
export async function countStates(db: Database, rest: () => Promise<number>): Promise<Tally> {
  const counts = Object.fromEntries(FRONTIER_STATES.map((state) => [state, 0])) as Tally
  const range = db.prepare('SELECT state, count(*) FROM urls WHERE id BETWEEN ? AND ? GROUP BY state').raw()
  for await (const [from, to] of idRanges(db, rest)) {
    for (const [state, n] of range.all(from, to) as [number, number][]) counts[FRONTIER_STATES[state]!] += n
  }
  return counts
}
