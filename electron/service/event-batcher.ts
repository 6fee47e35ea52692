import type { EventBatch } from '../../shared/contract.ts'

/** Sends state to whoever listens, ten times a second at most, numbered; nothing when nothing moved. */

const TICK_MS = 100

/** What is watched: each is read on every tick while someone listens. */
export interface Watched {
  /** Where each running crawl stands. */
  progress: () => EventBatch['progress']
  /** Exports under way or just ended. */
  exports: () => EventBatch['exports']
}

export class EventBatcher {
  readonly #watched: Watched
  readonly #listeners = new Set<(batch: EventBatch) => void>()
  readonly #sent = { progress: new Map<string, string>(), exports: new Map<string, string>() }
  #seq = 0
  #libraryChanged = false
  #closing: EventBatch['closing'] = null
  #sentClosing = 'null'
  #timer: NodeJS.Timeout | undefined

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** The library changed: the next batch says so. */
  noteLibrary(): void {
    this.#libraryChanged = true
  }

  /** The app ends, and waits for this. */
  noteClosing(closing: EventBatch['closing']): void {
    this.#closing = closing
  }

  /** The first batch holds everything. Returns the end of listening. */
  subscribe(listener: (batch: EventBatch) => void): () => void {
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
    const { progress, exports } = this.#watched
    listener({ seq: this.#seq, progress: progress(), exports: exports(), library: true, closing: this.#closing })
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #tick(): void {
    const progress = moved(this.#watched.progress(), this.#sent.progress)
    const exports = moved(this.#watched.exports(), this.#sent.exports)
    const closing = JSON.stringify(this.#closing)
    const isSame = Object.keys(progress).length + Object.keys(exports).length === 0 && closing === this.#sentClosing
    if (isSame && !this.#libraryChanged) return
    this.#sentClosing = closing
    const library = this.#libraryChanged
    this.#libraryChanged = false
    const batch: EventBatch = { seq: ++this.#seq, progress, exports, library, closing: this.#closing }
    for (const listener of this.#listeners) listener(batch)
  }
}

/** What differs from what was sent last; remembers it as sent. */
function moved<T>(now: Record<string, T>, sent: Map<string, string>): Record<string, T> {
  const changed: Record<string, T> = {}
  for (const [key, value] of Object.entries(now)) {
    const text = JSON.stringify(value)
    if (sent.get(key) === text) continue
    sent.set(key, text)
    changed[key] = value
  }
  for (const key of sent.keys()) if (!(key in now)) sent.delete(key)
  return changed
}
