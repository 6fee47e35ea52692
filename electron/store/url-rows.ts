import { FRONTIER_STATES } from '../../shared/frontier-state.ts'
import type { TableRow } from '../../shared/table-query.ts'
import type { Database, Statement } from './database.ts'
import { isoTime, orNull, type Row, type Rows } from './view-cells.ts'

/** Why a URL is as it is; of one that waits, why its site is parked. */
export const REASON = `coalesce(reason, iif(state IN (0, 3), park_reason, NULL), '')`

/** Rows of the table of URLs, as they are now. `depth` is the one known so far; exports of views compute the exact one. */
export class UrlRows {
  readonly #row: Statement

  constructor(db: Database) {
    this.#row = db.prepare(
      `SELECT urls.id, url, is_page AS isPage, state, ${REASON} AS reason, coalesce(detail, '') AS detail, status,
         coalesce(content_type, '') AS type, coalesce(title, '') AS title, depth, words, bytes,
         response_ms AS responseMs, fetched_at AS fetchedAt, attempts
       FROM urls LEFT JOIN pages ON url_id = urls.id LEFT JOIN sites ON sites.id = site_id WHERE urls.id = ?`,
    )
  }

  read(id: number): TableRow | null {
    const row = this.#row.get(id) as
      | (Omit<TableRow, 'isPage' | 'state'> & { isPage: number; state: number })
      | undefined
    return row === undefined ? null : { ...row, isPage: row.isPage === 1, state: FRONTIER_STATES[row.state]! }
  }
}

/** The rows of a list, in its order, as cells in the order of TABLE_COLUMNS. To be used inside one read transaction. */
export function* readListed(db: Database, ids: Uint32Array): Rows {
  const rows = new UrlRows(db)
  for (const id of ids) {
    const row = rows.read(id)
    yield row === null ? null : cellsOf(row)
  }
}

const cellsOf = (row: TableRow): Row => [
  row.url,
  row.state,
  orNull(row.reason),
  row.status,
  orNull(row.type),
  orNull(row.title),
  row.depth,
  row.words,
  row.bytes,
  row.responseMs,
  isoTime(row.fetchedAt),
  row.attempts,
  orNull(row.detail),
  row.isPage ? 'page' : 'resource',
]

/** Addresses by id, in the order of their ids. */
export function readAddresses(db: Database, ids: Uint32Array): [id: number, url: string][] {
  const sql = 'SELECT id, url FROM urls WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id'
  return db
    .prepare(sql)
    .raw()
    .all(JSON.stringify([...ids])) as [number, string][]
}
