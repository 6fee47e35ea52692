import type { TableFilter } from '../../shared/table-query.ts'
import type { Database, Statement } from './database.ts'

/** Filters that only the rows themselves can answer: a text in the address or the title, and the depth known so far. */

export type SearchFilter = Pick<TableFilter, 'text' | 'minDepth' | 'maxDepth'>

export const isSearch = ({ text, minDepth, maxDepth }: SearchFilter): boolean =>
  text !== '' || minDepth !== null || maxDepth !== null

/**
 * Letters match whatever their case. SQLite's LIKE knows that of ASCII alone, which is enough unless the text has letters
 * of other alphabets with two cases: then titles that are not ASCII are compared here (addresses are ASCII).
 */
export class UrlSearch {
  readonly #range: Statement
  readonly #some: Statement
  readonly #values: (string | number)[]
  readonly #needle: string | null

  constructor(db: Database, filter: SearchFilter) {
    const { conditions, values, needle } = conditionsOf(filter)
    this.#values = values
    this.#needle = needle
    const title = needle === null ? `''` : 'title'
    const from = filter.text === '' ? 'urls' : 'urls LEFT JOIN pages ON url_id = id'
    const select = `SELECT id, ${title} FROM ${from} WHERE`
    const and = conditions.map((condition) => ` AND ${condition}`).join('')
    this.#range = db.prepare(`${select} id BETWEEN ? AND ?${and} ORDER BY id`).raw()
    this.#some = db.prepare(`${select} id IN (SELECT value FROM json_each(?))${and} ORDER BY id`).raw()
  }

  range(from: number, to: number): number[] {
    return this.#matches(this.#range.all(from, to, ...this.#values))
  }

  of(ids: readonly number[]): number[] {
    return this.#matches(this.#some.all(JSON.stringify(ids), ...this.#values))
  }

  #matches(rows: unknown[]): number[] {
    const needle = this.#needle
    const found = rows as [id: number, title: string][]
    return (needle === null ? found : found.filter(([, title]) => title.toLowerCase().includes(needle))).map(
      ([id]) => id,
    )
  }
}

interface Conditions {
  conditions: string[]
  values: (string | number)[]
  /** To be looked for in the titles that SQLite lets through; null when there is nothing left to do. */
  needle: string | null
}

function conditionsOf({ text, minDepth, maxDepth }: SearchFilter): Conditions {
  const conditions: string[] = []
  const values: (string | number)[] = []
  const needle = text === '' || isLikeEnough(text) ? null : text.toLowerCase()
  if (minDepth !== null) {
    conditions.push('depth >= ?')
    values.push(minDepth)
  }
  if (maxDepth !== null) {
    conditions.push('depth <= ?')
    values.push(maxDepth)
  }
  if (needle !== null) conditions.push('octet_length(title) > length(title)')
  else if (text !== '') {
    const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
    conditions.push(`(url LIKE ? ESCAPE '\\' OR title LIKE ? ESCAPE '\\')`)
    values.push(pattern, pattern)
  }
  return { conditions, values, needle }
}

/** To LIKE, a text ends at a zero. */
const isLikeEnough = (text: string): boolean =>
  !text.includes('\0') && [...text].every((one) => one < '\x80' || one.toLowerCase() === one.toUpperCase())
