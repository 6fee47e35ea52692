import { STATE } from '../../shared/frontier-state.ts'
import type { Database } from './database.ts'

/** The few facts of every URL that filters and counts need, and what tells which of them have changed. */

export type UrlFacts = [id: number, state: number, status: number | null, contentType: string | null]
export type JournalEntry = [seq: number, urlId: number | null]

export class FactReader {
  readonly #sql: ReturnType<typeof prepare>
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  /** URLs have the ids from 1 to this, without a gap: none is ever deleted. */
  greatestId(): number {
    return this.#sql.greatestId.get() as number
  }

  range(from: number, to: number): UrlFacts[] {
    return this.#sql.range.all(from, to) as UrlFacts[]
  }

  of(ids: readonly number[]): UrlFacts[] {
    return this.#sql.some.all(JSON.stringify(ids)) as UrlFacts[]
  }

  lastEvent(): number {
    return this.#sql.lastEvent.get() as number
  }

  eventsAfter(seq: number, limit: number): JournalEntry[] {
    return this.#sql.events.all(seq, limit) as JournalEntry[]
  }

  /** There are never more than a crawl may have in flight. */
  processing(): number[] {
    return this.#sql.processing.all() as number[]
  }

  /** Failed URLs in the order in which they are due; start with 0, 0. */
  failedAfter(notBefore: number, id: number, limit: number): [notBefore: number, id: number][] {
    return this.#sql.failed.all(notBefore, id, limit) as [number, number][]
  }

  /** Differs from what it was when somebody else has written to the file. */
  version(): number {
    return this.#db.pragma('data_version', { simple: true }) as number
  }
}

function prepare(db: Database) {
  const facts = 'SELECT id, state, status, content_type FROM urls LEFT JOIN pages ON url_id = id WHERE'
  return {
    greatestId: db.prepare('SELECT coalesce(max(id), 0) FROM urls').pluck(),
    range: db.prepare(`${facts} id BETWEEN ? AND ?`).raw(),
    some: db.prepare(`${facts} id IN (SELECT value FROM json_each(?))`).raw(),
    lastEvent: db.prepare('SELECT coalesce(max(seq), 0) FROM events').pluck(),
    events: db.prepare('SELECT seq, url_id FROM events WHERE seq > ? ORDER BY seq LIMIT ?').raw(),
    processing: db.prepare(`SELECT id FROM urls WHERE state = ${STATE.processing}`).pluck(),
    failed: db
      .prepare(
        `SELECT not_before, id FROM urls WHERE state = ${STATE.failed} AND (not_before, id) > (?, ?)
         ORDER BY not_before, id LIMIT ?`,
      )
      .raw(),
  }
}
