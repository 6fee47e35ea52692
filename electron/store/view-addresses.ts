import type { Database } from './database.ts'
import { BY_ADDRESS, scan } from './view-cells.ts'

/** More than a page can have links. */
const POSITIONS = 2 ** 20

/**
 * The order of all links by the address of their source, then by their position in it: each link has a number that tells
 * its place. Eight bytes a URL.
 */
export class AddressOrder {
  readonly #ids: Int32Array
  readonly #ranks: Int32Array

  private constructor(ids: Int32Array, ranks: Int32Array) {
    this.#ids = ids
    this.#ranks = ranks
  }

  static *read(db: Database): Generator<null, AddressOrder> {
    const [count, size] = db.prepare('SELECT count(*), coalesce(max(id), 0) + 1 FROM urls').raw().get() as number[]
    const ids = new Int32Array(count!)
    const ranks = new Int32Array(size!)
    let rank = 0
    yield* scan<number>(db.prepare(`SELECT id FROM urls ${BY_ADDRESS}`).pluck().iterate(), (id) => {
      ids[rank] = id
      ranks[id] = rank++
    })
    return new AddressOrder(ids, ranks)
  }

  /** One more than the greatest id. */
  get size(): number {
    return this.#ranks.length
  }

  place(sourceId: number, position: number): number {
    return this.#ranks[sourceId]! * POSITIONS + position
  }

  linkAt(place: number): { sourceId: number; position: number } {
    return { sourceId: this.#ids[Math.floor(place / POSITIONS)]!, position: place % POSITIONS }
  }
}
