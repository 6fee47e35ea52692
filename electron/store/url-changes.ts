import { FRONTIER_STATES, type FrontierState, STATE } from '../../shared/frontier-state.ts'
import type { Changed, UrlChange } from '../engine/frontier.ts'
import type { Database } from './database.ts'

/** What a user changes about URLs by hand, each with its entry in the journal. The caller has a transaction open. */

export interface Applied extends Changed {
  /** Changes of state, one for each URL. */
  moves: [from: FrontierState, to: FrontierState][]
  /** Sites that have gained waiting URLs. */
  sites: Set<number>
}

interface UrlRow {
  state: number
  site_id: number | null
  is_page: number
}

export class UrlChanges {
  readonly #sql: ReturnType<typeof prepare>
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#sql = prepare(db)
    this.#now = now
  }

  apply(change: UrlChange): Applied {
    const applied: Applied = { changed: 0, pagesBack: 0, moves: [], sites: new Set() }
    for (const id of change.ids) {
      const row = this.#sql.read.get(id) as UrlRow | undefined
      if (row !== undefined && this.#changeOne(id, row, change, applied)) applied.changed++
    }
    return applied
  }

  #changeOne(id: number, row: UrlRow, change: UrlChange, applied: Applied): boolean {
    const state = FRONTIER_STATES[row.state]!
    if (change.kind === 'retry') return this.#retry(id, row, state, applied)
    if (state !== 'pending' && state !== 'failed') return false
    if (change.kind === 'skip') this.#skip(id, state, change, applied)
    else this.#moveToFront(id)
    return true
  }

  #retry(id: number, row: UrlRow, state: FrontierState, applied: Applied): boolean {
    if (state === 'pending' || state === 'processing' || row.site_id === null) return false
    this.#sql.dropPage.run(id)
    this.#sql.dropLinks.run(id)
    this.#sql.retry.run(id)
    this.#sql.note.run(this.#now(), 'pending', id)
    applied.moves.push([state, 'pending'])
    applied.sites.add(row.site_id)
    if (row.is_page === 1 && (state === 'done' || state === 'final_failed')) applied.pagesBack++
    return true
  }

  #skip(id: number, state: FrontierState, { reason, detail }: UrlChange & { kind: 'skip' }, applied: Applied): void {
    if (state === 'failed') this.#sql.retry.run(id)
    this.#sql.skip.run(reason, detail === '' ? null : detail, id)
    this.#sql.note.run(this.#now(), 'skipped', id)
    applied.moves.push([state, 'skipped'])
  }

  /** The later it is asked for, the further to the front. */
  #moveToFront(id: number): void {
    this.#sql.moveToFront.run(-this.#now(), id)
    this.#sql.note.run(this.#now(), 'moved', id)
  }
}

function prepare(db: Database) {
  return {
    read: db.prepare('SELECT state, site_id, is_page FROM urls WHERE id = ?'),
    dropPage: db.prepare('DELETE FROM pages WHERE url_id = ?'),
    dropLinks: db.prepare('DELETE FROM links WHERE src_id = ?'),
    retry: db.prepare(
      `UPDATE urls SET state = ${STATE.pending}, attempts = 0, crashes = 0, not_before = 0, reason = NULL, detail = NULL
       WHERE id = ?`,
    ),
    skip: db.prepare(`UPDATE urls SET state = ${STATE.skipped}, reason = ?, detail = ? WHERE id = ?`),
    moveToFront: db.prepare('UPDATE urls SET priority = ? WHERE id = ?'),
    note: db.prepare('INSERT INTO events(at, kind, url_id) VALUES (?, ?, ?)'),
  }
}
