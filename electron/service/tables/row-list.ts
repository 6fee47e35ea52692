import type { TableQuery } from '../../../shared/table-query.ts'
import { isSearch } from '../../store/url-search.ts'
import { type MadeList, type MakerTools, makeList, needsIndex } from './list-maker.ts'
import { Pace, waitAtMost } from './pace.ts'
import { FactTest, isOpen } from './packed-facts.ts'

/**
 * The rows of one query, as ids in order: a snapshot, made when it is first read and again when it is asked for. While a new
 * one is made the old one is served.
 */

/** A list that is ready so soon needs no progress. */
const PATIENCE_MS = 50
/** Whom a newer query has put aside is given up unless somebody reads it in this time. */
const GRACE_MS = 1_000

export interface ListTools extends MakerTools {
  greatestId(): number
  /** Differs from before when the file was written to. */
  version(): number
  /** @throws when the crawl is closed */
  check(): void
  /** A number greater than every one before. */
  nextEdition(): number
}

class Superseded extends Error {}

interface Made extends MadeList {
  edition: number
  version: number
  /** The greatest id and the index's changes when it was made. */
  size: number
  changes: number
}

export class RowList {
  readonly #query: TableQuery
  readonly #tools: ListTools
  readonly #test: FactTest
  #made: Made | null = null
  #making: Promise<void> | null = null
  #progress = 0
  #readsIndexFirst = false
  #supersededAt: number | null = null
  /** How many must have it, however long it takes. */
  #waiting = 0
  #trouble: unknown = null

  constructor(query: TableQuery, tools: ListTools) {
    this.#query = query
    this.#tools = tools
    this.#test = new FactTest(query.filter)
  }

  /** The ids; null while they are made for the first time. */
  get ids(): Uint32Array | null {
    return this.#made?.ids ?? null
  }

  get edition(): number {
    return this.#made?.edition ?? 0
  }

  /** 0 to 1 while a list is made; null when none is. */
  get progress(): number | null {
    if (this.#making === null) return null
    return this.#readsIndexFirst ? ((this.#tools.index.progress ?? 1) + this.#progress) / 2 : this.#progress
  }

  /** How many rows a new list would have more or less; of a search, a guess from what has changed since. */
  get fresh(): number {
    const made = this.#made
    if (made === null) return 0
    const { filter } = this.#query
    const { index } = this.#tools
    if (isSearch(filter)) return Math.round((index.changes - made.changes) * made.share)
    if (isOpen(filter)) return this.#tools.greatestId() - made.ids.length
    return index.count(this.#test) - made.ids.length
  }

  /**
   * Sees to it that there is a list, or soon will be; waits a moment for it.
   * @param refresh makes a new one if the file has changed
   * @throws when it cannot be made
   */
  async prepare(refresh: boolean): Promise<void> {
    this.#supersededAt = null
    this.#throwTrouble()
    const isOld = this.#made === null || (refresh && this.#made.version !== this.#tools.version())
    if (isOld) this.#begin()
    if (this.#making !== null && (refresh || this.#made === null)) await waitAtMost(this.#making, PATIENCE_MS)
  }

  /** Waits until there is a list. @throws when it cannot be made */
  async complete(): Promise<Uint32Array> {
    this.#waiting++
    try {
      await this.prepare(false)
      if (this.#made === null) await this.#making
      return this.#made!.ids
    } finally {
      this.#waiting--
    }
  }

  /** A newer query came. */
  supersede(): void {
    if (this.#making !== null) this.#supersededAt ??= performance.now()
  }

  #begin(): void {
    if (this.#making !== null) return
    this.#progress = 0
    this.#readsIndexFirst = needsIndex(this.#query) && this.#tools.index.progress !== null
    this.#making = this.#make().finally(() => {
      this.#making = null
    })
    this.#making.catch((error: unknown) => {
      if (!(error instanceof Superseded)) this.#trouble = error
    })
  }

  /** What went wrong while nobody waited is told to the next one who asks, once: then it is tried again. */
  #throwTrouble(): void {
    const trouble = this.#trouble
    this.#trouble = null
    if (trouble !== null) throw trouble
  }

  async #make(): Promise<void> {
    const { index } = this.#tools
    if (needsIndex(this.#query)) await index.keepUp()
    const version = this.#tools.version()
    const size = needsIndex(this.#query) ? index.size : this.#tools.greatestId()
    const changes = index.changes
    const list = await makeList(this.#tools, this.#query, size, this.#pace(), (part) => {
      this.#progress = part
    })
    this.#made = { ...list, edition: this.#tools.nextEdition(), version, size, changes }
  }

  #pace(): Pace {
    return new Pace(() => {
      this.#tools.check()
      const isUnread = this.#supersededAt !== null && performance.now() - this.#supersededAt > GRACE_MS
      if (isUnread && this.#waiting === 0) throw new Superseded()
    })
  }
}
