import type { SortColumn } from '../../shared/table-query.ts'
import type { Database, Statement } from './database.ts'
import { REASON } from './url-rows.ts'

/** What URLs are sorted by, read in the order of ids, some thousand at a time. */

export type KeyColumn = Exclude<SortColumn, 'url' | 'state' | 'status'>
/** Texts are told apart by their beginning. */
const KEY_CHARS = 256

const KEYS: Readonly<Record<KeyColumn, { value: string; from: string; isText: boolean }>> = {
  reason: { value: REASON, from: 'urls LEFT JOIN sites ON sites.id = site_id', isText: true },
  type: { value: 'content_type', from: 'pages', isText: true },
  title: { value: `substr(title, 1, ${KEY_CHARS})`, from: 'pages', isText: true },
  depth: { value: 'depth', from: 'urls', isText: false },
  words: { value: 'words', from: 'pages', isText: false },
  bytes: { value: 'bytes', from: 'pages', isText: false },
  responseMs: { value: 'response_ms', from: 'pages', isText: false },
  fetchedAt: { value: 'fetched_at', from: 'pages', isText: false },
  attempts: { value: 'attempts', from: 'urls', isText: false },
}

export const isTextColumn = (column: KeyColumn): boolean => KEYS[column].isText

export type Key = [id: number, value: string | number | null]

export class SortKeys {
  readonly #range: Statement
  readonly #some: Statement

  constructor(db: Database, column: KeyColumn) {
    const { value, from } = KEYS[column]
    const id = from === 'pages' ? 'url_id' : 'urls.id'
    const select = `SELECT ${id}, ${value} FROM ${from} WHERE ${id}`
    this.#range = db.prepare(`${select} BETWEEN ? AND ? ORDER BY ${id}`).raw()
    this.#some = db.prepare(`${select} IN (SELECT value FROM json_each(?)) ORDER BY ${id}`).raw()
  }

  range(from: number, to: number): Key[] {
    return this.#range.all(from, to) as Key[]
  }

  /** Ids without a row are left out. */
  of(ids: readonly number[]): Key[] {
    return this.#some.all(JSON.stringify(ids)) as Key[]
  }
}

/** All ids in the order of addresses, as exports have them: the index that keeps URLs apart is read along. */
export class AddressWalk {
  readonly #after: Statement
  readonly #keyOf: Statement
  #last = ''

  constructor(db: Database) {
    const key = 'coalesce(key, url)'
    this.#after = db.prepare(`SELECT id FROM urls WHERE ${key} > ? ORDER BY ${key} LIMIT ?`).pluck()
    this.#keyOf = db.prepare(`SELECT ${key} FROM urls WHERE id = ?`).pluck()
  }

  /** The next ids; none at the end. */
  next(limit: number): number[] {
    const ids = this.#after.all(this.#last, limit) as number[]
    const last = ids.at(-1)
    if (last !== undefined) this.#last = this.#keyOf.get(last) as string
    return ids
  }
}
