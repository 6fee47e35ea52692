import type { EventBatch } from '../../shared/contract.ts'
import type { CrawlProgress } from '../../shared/crawl-progress.ts'

/** Sends state to whoever listens, ten times a second at most, numbered; nothing when nothing moved. */

const TICK_MS = 100

export class EventBatcher {
  readonly #read: () => Record<string, CrawlProgress>
  readonly #listeners = new Set<(batch: EventBatch) => void>()
  readonly #sent = new Map<string, string>()
  #seq = 0
  #libraryChanged = false
  #timer: NodeJS.Timeout | undefined

  /** @param read where each running crawl stands */
  constructor(read: () => Record<string, CrawlProgress>) {
    this.#read = read
  }

  /** The library changed: the next batch says so. */
  noteLibrary(): void {
    this.#libraryChanged = true
  }

  /** The first batch holds everything. Returns the end of listening. */
  subscribe(listener: (batch: EventBatch) => void): () => void {
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
    listener({ seq: this.#seq, progress: this.#read(), library: true })
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #tick(): void {
    const progress: Record<string, CrawlProgress> = {}
    const running = this.#read()
    for (const [id, each] of Object.entries(running)) {
      const text = JSON.stringify(each)
      if (this.#sent.get(id) === text) continue
      this.#sent.set(id, text)
      progress[id] = each
    }
    for (const id of this.#sent.keys()) if (!(id in running)) this.#sent.delete(id)
    if (Object.keys(progress).length === 0 && !this.#libraryChanged) return
    const batch: EventBatch = { seq: ++this.#seq, progress, library: this.#libraryChanged }
    this.#libraryChanged = false
    for (const listener of this.#listeners) listener(batch)
  }
}
