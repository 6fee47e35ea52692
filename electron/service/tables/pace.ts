/**
 * Long work on the main thread is done in batches. A pace sizes them so that each takes a millisecond or two, and after
 * some of them gives the event loop a turn: nothing is ever blocked for more than about 8 ms. A pace is for one kind of
 * work: what it learned of cheap rows would make the first batch of dear ones far too large.
 */

const SLICE_MS = 4
const FIRST_BATCH = 128
const MIN_BATCH = 32
const MAX_BATCH = 1 << 16
/** How often work of another thread is asked whether it is still wanted. */
const ASK_MS = 100

let turns: Promise<void> = Promise.resolve()

/** Whoever waits gets an own turn of the event loop: two slices never run in one. */
function ownTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

export class Pace {
  readonly #check: () => void
  #size = FIRST_BATCH
  #batchBegan = performance.now()
  #sliceBegan = this.#batchBegan

  /** @param check throws when the work is no longer wanted; called after each turn given away, before anything is touched */
  constructor(check: () => void) {
    this.#check = check
  }

  /** How many to do before the next `rest`. */
  get batch(): number {
    return this.#size
  }

  async rest(): Promise<void> {
    const now = performance.now()
    const tookMs = now - this.#batchBegan
    // Rows may suddenly be dearer: one batch that took too long is enough to learn it.
    if (tookMs > SLICE_MS / 2) this.#size = Math.max(MIN_BATCH, Math.floor((this.#size * SLICE_MS) / 3 / tookMs))
    else if (tookMs < SLICE_MS / 4) this.#size = Math.min(MAX_BATCH, this.#size << 1)
    if (now - this.#sliceBegan >= SLICE_MS) {
      await ownTurn()
      this.#check()
      this.#sliceBegan = performance.now()
    }
    this.#batchBegan = performance.now()
  }

  /** Rests, and says how many to do then. */
  async next(): Promise<number> {
    await this.rest()
    return this.#size
  }

  /** Waits for work of another thread. Rejects when it rejects, or when it is no longer wanted. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await waitAtMost(over, ASK_MS)
      if (!isOver) this.#check()
    }
    return over
  }
}

/** Waits for something no longer than a time, in milliseconds. Rejects if it rejects in that time; its end goes on. */
export async function waitAtMost(work: Promise<unknown>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
