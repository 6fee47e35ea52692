import { STATE } from '../../../shared/frontier-state.ts'
import type { FactReader, UrlFacts } from '../../store/url-facts.ts'
import type { Pace } from './pace.ts'
import { COMBINATIONS, type FactTest, packFacts, stateOf } from './packed-facts.ts'

/**
 * State, content class and status of every URL of a crawl, two bytes each, so that filters and counts need no query. Read
 * once, then kept up with whoever writes to the file, in this process or another: new URLs have greater ids; a URL whose
 * state changed is named by the journal, or has come into or out of `processing` or `failed`, which are few and indexed.
 */

const EVENTS_A_TIME = 500
const FAILED_A_TIME = 1_000
const RANGE_AT_LEAST = 1_024

export class UrlIndex {
  readonly #reader: FactReader
  readonly #newPace: () => Pace
  #facts = new Uint16Array(RANGE_AT_LEAST)
  #size = 0
  #histogram = new Int32Array(COMBINATIONS)
  /** What is in flight and what has failed for now, as far as the index knows. */
  readonly #processing = new Set<number>()
  readonly #failed = new Set<number>()
  #version = -1
  #lastEvent = 0
  #progress: number | null = 0
  #following: Promise<void> | null = null

  constructor(reader: FactReader, newPace: () => Pace) {
    this.#reader = reader
    this.#newPace = newPace
  }

  /** 0 to 1 while it is read for the first time; null when it is ready. */
  get progress(): number | null {
    return this.#progress
  }

  /** The greatest id in it. */
  get size(): number {
    return this.#size
  }

  /** The version of the file that it is up to. */
  get version(): number {
    return this.#version
  }

  packedFacts(id: number): number {
    return this.#facts[id]!
  }

  count(test: FactTest): number {
    let count = 0
    for (let packed = 0; packed < COMBINATIONS; packed++) {
      const urls = this.#histogram[packed]!
      if (urls > 0 && test.letsIn(packed)) count += urls
    }
    return count
  }

  /** Ids, least first. */
  async select(test: FactTest, pace: Pace, onProgress: (part: number) => void): Promise<Uint32Array<ArrayBuffer>> {
    const size = this.#size
    const ids = new Uint32Array(size)
    let found = 0
    for (let id = 1; id <= size; ) {
      const end = Math.min(size, id + pace.batch)
      for (; id <= end; id++) if (test.letsIn(this.#facts[id]!)) ids[found++] = id
      onProgress(Math.min(1, id / size))
      await pace.rest()
    }
    return ids.slice(0, found)
  }

  /** Brings it up to what the file holds; short when little has changed. Rejects when the file cannot be read. */
  keepUp(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = null
    })
    return this.#following
  }

  async #follow(): Promise<void> {
    const version = this.#reader.version()
    if (version === this.#version) return
    const pace = this.#newPace()
    if (this.#progress !== null) await this.#readAll(pace)
    const before = this.#size
    await this.#readRange(before + 1, this.#reader.greatestId(), pace, () => {})
    await this.#readJournal(pace)
    await this.#readPassing(pace)
    // What was written while this was read gives another version.
    this.#version = version
  }

  async #readAll(pace: Pace): Promise<void> {
    this.#lastEvent = this.#reader.lastEvent()
    const size = this.#reader.greatestId()
    await this.#readRange(1, size, pace, (id) => {
      this.#progress = id / size
    })
    this.#progress = null
  }

  async #readRange(from: number, to: number, pace: Pace, onProgress: (id: number) => void): Promise<void> {
    for (let id = from; id <= to; ) {
      const end = Math.min(to, id + pace.batch - 1)
      for (const facts of this.#reader.range(id, end)) this.#set(facts)
      id = end + 1
      onProgress(end)
      await pace.rest()
    }
  }

  async #readJournal(pace: Pace): Promise<void> {
    for (;;) {
      const events = this.#reader.eventsAfter(this.#lastEvent, EVENTS_A_TIME)
      const ids = new Set<number>()
      for (const [, urlId] of events) if (urlId !== null) ids.add(urlId)
      this.#readAgain(ids)
      // About the crawl as a whole: it was opened, and much may have been decided anew while nobody had it open.
      if (events.some(([, urlId]) => urlId === null)) await this.#readRange(1, this.#size, pace, () => {})
      this.#lastEvent = events.at(-1)?.[0] ?? this.#lastEvent
      await pace.rest()
      if (events.length < EVENTS_A_TIME) return
    }
  }

  /** What left `processing` or `failed` without a word waits again; what came there was claimed. */
  async #readPassing(pace: Pace): Promise<void> {
    this.#readAgain(difference(this.#processing, new Set(this.#reader.processing())))
    const failed = new Set<number>()
    let [at, after] = [0, 0]
    for (;;) {
      const some = this.#reader.failedAfter(at, after, FAILED_A_TIME)
      for (const [, id] of some) failed.add(id)
      await pace.rest()
      if (some.length < FAILED_A_TIME) break
      ;[at, after] = some.at(-1)!
    }
    const changed = difference(this.#failed, failed)
    for (let from = 0; from < changed.length; from += EVENTS_A_TIME) {
      this.#readAgain(changed.slice(from, from + EVENTS_A_TIME))
      await pace.rest()
    }
  }

  #readAgain(ids: Iterable<number>): void {
    const known = [...ids].filter((id) => id <= this.#size)
    if (known.length > 0) for (const facts of this.#reader.of(known)) this.#set(facts)
  }

  #set(row: UrlFacts): void {
    const [id, state] = row
    const packed = packFacts(row)
    const isNew = id > this.#size
    const before = isNew ? -1 : this.#facts[id]!
    if (before === packed) return
    if (isNew) this.#grow(id)
    else {
      this.#histogram[before]!--
      this.#passing(stateOf(before))?.delete(id)
    }
    this.#passing(state)?.add(id)
    this.#facts[id] = packed
    this.#histogram[packed]!++
  }

  #passing(state: number): Set<number> | null {
    if (state === STATE.processing) return this.#processing
    return state === STATE.failed ? this.#failed : null
  }

  #grow(id: number): void {
    this.#size = id
    if (id < this.#facts.length) return
    const larger = new Uint16Array(Math.max(id + 1, Math.ceil(this.#facts.length * 1.5)))
    larger.set(this.#facts)
    this.#facts = larger
  }
}

/** What is in one of the two alone. */
const difference = (one: ReadonlySet<number>, other: ReadonlySet<number>): number[] => [
  ...[...one].filter((id) => !other.has(id)),
  ...[...other].filter((id) => !one.has(id)),
]
