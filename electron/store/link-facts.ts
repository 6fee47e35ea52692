import type { Database } from './database.ts'
import { UNREACHED, walkDepths, walkReferrers } from './depths.ts'

/** What only the links as a whole tell of each URL, computed once per reading: a few bytes a URL, no row is held. */
export class LinkFacts {
  readonly #depths: Int32Array
  readonly #referrers: Int32Array
  readonly #inlinks: Int32Array
  readonly #urlOf

  constructor(db: Database) {
    this.#depths = walkDepths(db)
    this.#referrers = walkReferrers(db, this.#depths)
    this.#inlinks = countInlinks(db, this.#depths.length)
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

function countInlinks(db: Database, size: number): Int32Array {
  const inlinks = new Int32Array(size)
  const targets = db.prepare('SELECT dst_id FROM links WHERE dst_id IS NOT NULL').pluck()
  for (const id of targets.iterate() as IterableIterator<number>) inlinks[id]!++
  return inlinks
}
