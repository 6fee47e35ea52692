import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { FRONTIER_STATES, type FrontierState } from '../../shared/frontier-state.ts'
import { linkKindNumber } from '../../shared/link-kind.ts'
import { readCrawl } from './crawl-store.ts'
import type { Database } from './database.ts'

/** Numbers about a crawl, counted from its rows. */
export interface CrawlOverview {
  state: CrawlState
  endReason: EndReason | null
  seeds: string[]
  counts: Record<FrontierState, number>
  pages: { done: number; failed: number; skipped: number; pending: number }
  sitemapsPending: number
  hosts: HostOverview[]
  findings: { broken: number; redirects: number; skipped: number }
}

export interface HostOverview {
  origin: string
  pending: number
  done: number
  failed: number
  nextAllowedAt: string | null
  parkedUntil: string | null
  parkReason: string
  robotsStatus: number | null
}

export function readOverview(db: Database, file: string): CrawlOverview {
  return db.transaction(() => ({
    ...readHead(db, file),
    counts: readCounts(db),
    pages: readPageTotals(db),
    sitemapsPending: db.prepare(`SELECT count(*) FROM sitemaps WHERE state = 'pending'`).pluck().get() as number,
    hosts: readHosts(db),
    findings: readFindings(db),
  }))()
}

function readHead(db: Database, file: string): Pick<CrawlOverview, 'state' | 'endReason' | 'seeds'> {
  const { state, endReason, settings } = readCrawl(db, file)
  return { state, endReason, seeds: settings.seeds }
}

export function readCounts(db: Database): Record<FrontierState, number> {
  const counts = { pending: 0, processing: 0, failed: 0, done: 0, final_failed: 0, skipped: 0 }
  const rows = db.prepare('SELECT state, count(*) AS n FROM urls GROUP BY state').all() as {
    state: number
    n: number
  }[]
  for (const { state, n } of rows) counts[FRONTIER_STATES[state]!] = n
  return counts
}

/** Pages (not resources) by what became of them; `pending` is everything not final. */
export function readPageTotals(db: Database): CrawlOverview['pages'] {
  const sql = `SELECT count(*) FILTER (WHERE state = 2) AS done, count(*) FILTER (WHERE state = 4) AS failed,
    count(*) FILTER (WHERE state = 5) AS skipped, count(*) FILTER (WHERE state IN (0, 1, 3)) AS pending
    FROM urls WHERE is_page = 1`
  return db.prepare(sql).get() as CrawlOverview['pages']
}

interface HostRow {
  origin: string
  pending: number
  done: number
  failed: number
  next_allowed_at: number
  parked_until: number
  park_reason: string
  robots_status: number | null
}

function readHosts(db: Database): HostOverview[] {
  const sql = `SELECT origin, next_allowed_at, parked_until, park_reason, robots_status,
    count(*) FILTER (WHERE state IN (0, 1, 3)) AS pending, count(*) FILTER (WHERE state = 2) AS done,
    count(*) FILTER (WHERE state = 4) AS failed
    FROM sites LEFT JOIN urls ON site_id = sites.id GROUP BY sites.id ORDER BY origin`
  return (db.prepare(sql).all() as HostRow[]).map((row) => ({
    origin: row.origin,
    pending: row.pending,
    done: row.done,
    failed: row.failed,
    nextAllowedAt: isoTime(row.next_allowed_at),
    parkedUntil: isoTime(row.parked_until),
    parkReason: row.park_reason,
    robotsStatus: row.robots_status,
  }))
}

const isoTime = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString())

function readFindings(db: Database): CrawlOverview['findings'] {
  const sql = `SELECT
    (SELECT count(*) FROM urls JOIN pages ON url_id = id WHERE status >= 400 OR state = 4) AS broken,
    (SELECT count(*) FROM links WHERE kind = ${linkKindNumber.redirect}) AS redirects,
    (SELECT count(*) FROM urls WHERE state = 5 AND reason = 'robots') AS skipped`
  return db.prepare(sql).get() as CrawlOverview['findings']
}
