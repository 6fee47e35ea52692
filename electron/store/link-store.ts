import { leadsToResource, linkKindNumber } from '../../shared/link-kind.ts'
import type { LinkColumns } from '../../shared/parse-job.ts'
import type { Claim } from '../engine/frontier.ts'
import type { Database, Statement } from './database.ts'
import type { FrontierStore } from './frontier-store.ts'

/** The links of a page, one row each, in document order. */

/** Rows per statement: a page's links cost half of what they cost one by one. */
const ROWS = 32
const COLUMNS = 6

export class LinkStore {
  readonly #frontier: FrontierStore
  readonly #one: Statement
  readonly #many: Statement
  readonly #values: unknown[] = new Array(ROWS * COLUMNS)

  constructor(db: Database, frontier: FrontierStore) {
    const insert = 'INSERT INTO links(src_id, ord, dst_id, kind, flags, text) VALUES'
    const row = '(?, ?, ?, ?, ?, ?)'
    this.#frontier = frontier
    this.#one = db.prepare(`${insert} ${row}`)
    this.#many = db.prepare(`${insert} ${Array(ROWS).fill(row).join(', ')}`)
  }

  /** A redirect is the one link of its page: its target is as near to the seeds as the page itself. */
  addRedirect({ id, isPage, depth }: Claim, target: string): void {
    const targetId = this.#frontier.idOf({ url: target, key: target, isPage, depth, found: 'link' })
    this.#one.run(id, 0, targetId, linkKindNumber.redirect, 0, '')
  }

  addAll(claim: Claim, links: LinkColumns): void {
    const depth = claim.depth === null ? null : claim.depth + 1
    const count = links.urls.length
    let ord = 0
    for (; ord + ROWS <= count; ord += ROWS) {
      for (let n = 0; n < ROWS; n++) this.#place(n * COLUMNS, claim.id, links, ord + n, depth)
      this.#many.run(this.#values)
    }
    for (; ord < count; ord++) {
      this.#place(0, claim.id, links, ord, depth)
      this.#one.run(this.#values.slice(0, COLUMNS))
    }
  }

  #place(at: number, sourceId: number, { urls, kinds, flags, texts }: LinkColumns, ord: number, depth: number | null) {
    const url = urls[ord]!
    const kind = kinds[ord]!
    const isPage = !leadsToResource[kind]
    const values = this.#values
    values[at] = sourceId
    values[at + 1] = ord
    values[at + 2] = url === '' ? null : this.#frontier.idOf({ url, key: url, isPage, depth, found: 'link' })
    values[at + 3] = kind
    values[at + 4] = flags[ord]!
    values[at + 5] = texts[ord]!
  }
}
