import { STATE } from '../../shared/frontier-state.ts'
import type { Database } from './database.ts'
import { idRanges } from './id-ranges.ts'

/** What a crawl file says of its sites, and how many of each one's URLs wait, are done and have failed. */

export interface SiteFacts {
  id: number
  origin: string
  nextAllowedAt: number
  parkedUntil: number
  parkReason: string
  robotsStatus: number | null
}

export interface SiteCounts {
  waiting: number
  done: number
  failed: number
}

export function readSites(db: Database): SiteFacts[] {
  return db
    .prepare(
      `SELECT id, origin, next_allowed_at AS nextAllowedAt, parked_until AS parkedUntil, park_reason AS parkReason,
         robots_status AS robotsStatus FROM sites ORDER BY id`,
    )
    .all() as SiteFacts[]
}

/** By site. @param rest called between two ranges of ids; says how many ids the next has */
export async function countBySite(db: Database, rest: () => Promise<number>): Promise<Map<number, SiteCounts>> {
  const counts = new Map<number, SiteCounts>()
  const range = db
    .prepare(
      `SELECT site_id, state, count(*) FROM urls WHERE id BETWEEN ? AND ? AND site_id IS NOT NULL GROUP BY site_id, state`,
    )
    .raw()
  for await (const [from, to] of idRanges(db, rest)) {
    for (const [siteId, state, n] of range.all(from, to) as [number, number, number][]) {
      const site = counts.get(siteId) ?? { waiting: 0, done: 0, failed: 0 }
      counts.set(siteId, site)
      const column = COLUMN[state]
      if (column !== undefined) site[column] += n
    }
  }
  return counts
}

const COLUMN: Readonly<Record<number, keyof SiteCounts>> = {
  [STATE.pending]: 'waiting',
  [STATE.processing]: 'waiting',
  [STATE.failed]: 'waiting',
  [STATE.done]: 'done',
  [STATE.final_failed]: 'failed',
}
