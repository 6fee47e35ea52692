import type { SiteRow } from '../engine/frontier.ts'
import type { Database, Statement } from './database.ts'

/** The sites of a crawl, by origin. */

interface StoredSite {
  origin: string
  next_allowed_at: number
  parked_until: number
  park_reason: string
  parks: number
  robots_status: number | null
  robots_body: Uint8Array
  robots_fetched_at: number
}

export class SiteStore {
  readonly #ids = new Map<string, number>()
  readonly #read: Statement
  readonly #save: Statement
  readonly #add: Statement
  readonly #find: Statement

  constructor(db: Database) {
    this.#read = db.prepare('SELECT * FROM sites WHERE id = ?')
    this.#save = db.prepare(
      `UPDATE sites SET next_allowed_at = @nextAllowedAt, parked_until = @parkedUntil, park_reason = @parkReason,
         parks = @parks, robots_status = @robotsStatus, robots_body = @robotsBody, robots_fetched_at = @robotsFetchedAt
       WHERE id = @id`,
    )
    this.#add = db.prepare('INSERT INTO sites(origin) VALUES (?) ON CONFLICT DO NOTHING')
    this.#find = db.prepare('SELECT id FROM sites WHERE origin = ?').pluck()
  }

  read(id: number): SiteRow {
    const row = this.#read.get(id) as StoredSite
    return {
      id,
      origin: row.origin,
      nextAllowedAt: row.next_allowed_at,
      parkedUntil: row.parked_until,
      parkReason: row.park_reason,
      parks: row.parks,
      robotsStatus: row.robots_status,
      robotsBody: row.robots_body,
      robotsFetchedAt: row.robots_fetched_at,
    }
  }

  save(site: SiteRow): void {
    this.#save.run({ ...site })
  }

  /** The id of a site, adding it if it is new. */
  idOf(origin: string): number {
    const cached = this.#ids.get(origin)
    if (cached !== undefined) return cached
    this.#add.run(origin)
    const id = this.#find.get(origin) as number
    this.#ids.set(origin, id)
    return id
  }

  /** After a rolled back group. */
  forget(): void {
    this.#ids.clear()
  }
}
