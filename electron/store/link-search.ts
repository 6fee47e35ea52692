import { FRONTIER_STATES } from '../../shared/frontier-state.ts'
import { LINK_KINDS } from '../../shared/link-kind.ts'
import type { LinkRow } from '../../shared/url-details.ts'
import type { Database, Statement } from './database.ts'
import { relWords } from './view-cells.ts'

/** The links of one URL, out of it and into it. `links` has no index by target, so links in are searched for, part by part. */

/** More than a page can have links: source and position make one number. */
const POSITIONS = 2 ** 20

type Stored = [
  id: number | null,
  url: string | null,
  state: number | null,
  status: number | null,
  kind: number,
  text: string,
  flags: number,
]

const CELLS = 'urls.id, url, state, status, kind, text, flags'

export class LinksOut {
  readonly #links: Statement
  readonly #id: number
  #next = 0

  constructor(db: Database, id: number) {
    this.#id = id
    this.#links = db
      .prepare(
        `SELECT ${CELLS} FROM links LEFT JOIN urls ON urls.id = dst_id LEFT JOIN pages ON url_id = dst_id
         WHERE src_id = ? AND ord >= ? ORDER BY ord LIMIT ?`,
      )
      .raw()
  }

  /** The next ones in the order of the page; none at the end. */
  next(limit: number): LinkRow[] {
    const rows = this.#links.all(this.#id, this.#next, limit) as Stored[]
    this.#next += rows.length
    return rows.map(toLinkRow)
  }
}

export class LinksIn {
  readonly #part: Statement
  readonly #link: Statement
  readonly #id: number
  #after = -1

  constructor(db: Database, id: number) {
    this.#id = id
    this.#part = db
      .prepare(
        `SELECT max(src_id * ${POSITIONS} + ord), json_group_array(src_id * ${POSITIONS} + ord) FILTER (WHERE dst_id = ?)
         FROM (SELECT src_id, ord, dst_id FROM links WHERE (src_id, ord) > (?, ?) ORDER BY src_id, ord LIMIT ?)`,
      )
      .raw()
    this.#link = db
      .prepare(
        `SELECT ${CELLS} FROM links JOIN urls ON urls.id = src_id LEFT JOIN pages ON url_id = src_id
         WHERE src_id = ? AND ord = ?`,
      )
      .raw()
  }

  /** Looks through the next links. Returns the places of those that lead to the URL; null when all were looked through. */
  next(limit: number): number[] | null {
    const [source, position] = placeOf(this.#after)
    const [last, json] = this.#part.get(this.#id, source, position, limit) as [number | null, string]
    if (last === null) return null
    this.#after = last
    return JSON.parse(json) as number[]
  }

  read(place: number): LinkRow {
    return toLinkRow(this.#link.get(...placeOf(place)) as Stored)
  }
}

const placeOf = (place: number): [source: number, position: number] => [
  Math.floor(place / POSITIONS),
  place - Math.floor(place / POSITIONS) * POSITIONS,
]

/** The text of an address that cannot be resolved is the address. */
const toLinkRow = ([id, url, state, status, kind, text, flags]: Stored): LinkRow => ({
  id,
  url: url ?? text,
  state: state === null ? null : FRONTIER_STATES[state]!,
  status,
  kind: LINK_KINDS[kind]!,
  text: url === null ? '' : text,
  rel: String(relWords(flags) ?? ''),
})
