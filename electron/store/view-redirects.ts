import { linkKindNumber } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { countInlinks } from './link-facts.ts'
import { BY_ADDRESS, type Cell, IS_FINISHED, type Raw, type Rows } from './view-cells.ts'

const MAX_HOPS = 10

export function* readRedirects(db: Database): Rows {
  const size = (db.prepare('SELECT coalesce(max(id), 0) FROM urls').pluck().get() as number) + 1
  const inlinks = yield* countInlinks(db, size)
  const chain = new RedirectChain(db)
  const sql = `SELECT id, url, status FROM urls JOIN pages ON url_id = id WHERE ${IS_FINISHED} ${BY_ADDRESS}`
  for (const { id, url, status } of db.prepare(sql).iterate() as Iterable<Raw>) {
    const end = chain.follow(id as number, url as string)
    if (end.hops === 0) yield null
    else {
      const reason = end.goesOn ? 'loop' : null
      yield [url!, status!, end.first, end.url, end.status, end.hops, inlinks[id as number]!, reason]
    }
  }
}

interface ChainEnd {
  url: string
  status: Cell
  hops: number
  /** Where the first hop leads; null without one. */
  first: Cell
  /** It redirects yet further: it goes in circles, or is longer than anyone follows. */
  goesOn: boolean
}

/** Follows redirects row by row. */
export class RedirectChain {
  readonly #next
  readonly #statusOf

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT dst_id AS id, url FROM links JOIN urls ON id = dst_id
       WHERE src_id = ? AND ord = 0 AND kind = ${linkKindNumber.redirect}`,
    )
    this.#statusOf = db.prepare('SELECT status FROM pages WHERE url_id = ?').pluck()
  }

  /** Where a URL leads after at most ten hops: itself if it redirects nowhere. */
  follow(id: number, url: string): ChainEnd {
    let at = { id, url }
    let first: Cell = null
    for (let hops = 0; ; hops++) {
      const next = this.#next.get(at.id) as typeof at | undefined
      if (next === undefined || hops === MAX_HOPS) {
        const status = hops === 0 ? null : ((this.#statusOf.get(at.id) as Cell | undefined) ?? null)
        return { url: at.url, status, hops, first, goesOn: next !== undefined }
      }
      first ??= next.url
      at = next
    }
  }
}
