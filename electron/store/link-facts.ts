import type { Database } from './database.ts'
import { stepDepths, stepReferrers, UNREACHED } from './depths.ts'
import { scan } from './view-cells.ts'

/** What only the links as a whole tell of each URL, computed once per reading: a few bytes a URL, no row is held. */
export class LinkFacts {
  readonly #depths: Int32Array
  readonly #referrers: Int32Array
  readonly #inlinks: Int32Array
  readonly #urlOf

  /** Pauses while it reads. */
  static *read(db: Database): Generator<null, LinkFacts> {
    const depths = yield* stepDepths(db)
    const referrers = yield* stepReferrers(db, depths)
    return new LinkFacts(db, depths, referrers, yield* countInlinks(db, depths.length))
  }

  private constructor(db: Database, depths: Int32Array, referrers: Int32Array, inlinks: Int32Array) {
    this.#depths = depths
    this.#referrers = referrers
    this.#inlinks = inlinks
    this.#urlOf = db.prepare('SELECT url FROM urls WHERE id = ?').pluck()
  }

  depth(id: number): number | null {
    const depth = this.#depths[id]!
    return depth === UNREACHED ? null : depth
  }

  /** Of the pages that lead here on a shortest way, the one with the least address; empty if there is none. */
  referrer(id: number): string {
    const referrer = this.#referrers[id]!
    return referrer === 0 ? '' : (this.#urlOf.get(referrer) as string)
  }

  /** How many links lead here, redirects among them. */
  inlinks(id: number): number {
    return this.#inlinks[id]!
  }
}

export function* countInlinks(db: Database, size: number): Generator<null, Int32Array> {
  const inlinks = new Int32Array(size)
  const targets = db.prepare('SELECT dst_id FROM links WHERE dst_id IS NOT NULL').pluck()
  yield* scan<number>(targets.iterate(), (id) => {
    inlinks[id]!++
  })
  return inlinks
}
