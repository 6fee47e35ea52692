import type { TableQuery } from '../../../shared/table-query.ts'
import { isSearch, UrlSearch } from '../../store/url-search.ts'
import { type MakerTools, makeList, needsIndex } from './list-maker.ts'
import { Pace, waitAtMost } from './pace.ts'
import { FactTest, isOpen } from './packed-facts.ts'

/**
 * The rows of one query, as ids in order: a snapshot, made when it is first read and again when it is asked for. While a new
 * one is made the old one is served.
 */

/** A list that is ready so soon needs no progress. */
const PATIENCE_MS = 50
/** Whom a newer query has put aside is given up unless somebody reads it in this time: who waits for it asks more often. */
const GRACE_MS = 400

export interface ListTools extends Omit<MakerTools, 'newPace'> {
  greatestId(): number
  /** Differs from before when the file was written to. */
  version(): number
  /** @throws when the crawl is closed */
  check(): void
  /** A number greater than every one before. */
  nextEdition(): number
}

class Superseded extends Error {}

interface Made {
  ids: Uint32Array
  edition: number
  version: number
  /** URLs found later are searched for what the list searched for, up to this one so far. */
  searchedTo: number
  foundSince: number
}

/** URLs searched at a time: a few milliseconds. */
const SEARCHED_AT_A_TIME = 4_000

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

  /** How many rows a new list would have more or less; of a search, how many URLs found since match, as far as counted. */
  get fresh(): number {
    const made = this.#made
    if (made === null) return 0
    const { filter } = this.#query
    if (isSearch(filter)) return this.#searchOn(made)
    if (isOpen(filter)) return this.#tools.greatestId() - made.ids.length
    return this.#tools.index.count(this.#test) - made.ids.length
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
    if (this.#making !== null && (refresh || this.#made === null)) {
      await this.#hear(waitAtMost(this.#making, PATIENCE_MS))
    }
  }

  /** Waits until there is a list. @throws when it cannot be made */
  async complete(): Promise<Uint32Array> {
    this.#waiting++
    try {
      await this.prepare(false)
      if (this.#made === null) await this.#hear(this.#making)
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

  /** Whoever waited for it need not be told again. */
  async #hear(making: Promise<void> | null): Promise<void> {
    try {
      await making
    } catch (error) {
      this.#trouble = null
      throw error
    }
  }

  /** What went wrong while nobody waited is told to the next one who asks, once: then it is tried again. */
  #throwTrouble(): void {
    const trouble = this.#trouble
    this.#trouble = null
    if (trouble !== null) throw trouble
  }

  #searchOn(made: Made): number {
    const { db, index, greatestId } = this.#tools
    const { filter } = this.#query
    const last = isOpen(filter) ? greatestId() : index.size
    const to = Math.min(last, made.searchedTo + SEARCHED_AT_A_TIME)
    if (to <= made.searchedTo) return made.foundSince
    const found = new UrlSearch(db, filter).range(made.searchedTo + 1, to)
    made.foundSince += found.filter((id) => isOpen(filter) || this.#test.letsIn(index.packedFacts(id))).length
    made.searchedTo = to
    return made.foundSince
  }

  async #make(): Promise<void> {
    const { index } = this.#tools
    const isByIndex = needsIndex(this.#query)
    if (isByIndex) await index.keepUp()
    const version = isByIndex ? index.version : this.#tools.version()
    const size = isByIndex ? index.size : this.#tools.greatestId()
    const ids = await makeList({ ...this.#tools, newPace: () => this.#newPace() }, this.#query, size, (part) => {
      this.#progress = part
    })
    this.#made = { ids, edition: this.#tools.nextEdition(), version, searchedTo: size, foundSince: 0 }
  }

  #newPace(): Pace {
    return new Pace(() => {
      this.#tools.check()
      const isUnread = this.#supersededAt !== null && performance.now() - this.#supersededAt > GRACE_MS
      if (isUnread && this.#waiting === 0) throw new Superseded()
    })
  }
}
