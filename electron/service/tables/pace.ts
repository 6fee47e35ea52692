/**
 * Long work on the main thread is done in batches. A pace sizes them so that each takes a millisecond or two, and after
 * some of them gives the event loop a turn: nothing is ever blocked for more than about 8 ms.
 */

const SLICE_MS = 4
const MIN_BATCH = 32
const MAX_BATCH = 1 << 16

let turns: Promise<void> = Promise.resolve()

/** Whoever waits gets an own turn of the event loop: two slices never run in one. */
function ownTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

export class Pace {
  readonly #check: () => void
  #size = 512
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
    if (tookMs > SLICE_MS / 2) this.#size = Math.max(MIN_BATCH, this.#size >> 1)
    else if (tookMs < SLICE_MS / 4) this.#size = Math.min(MAX_BATCH, this.#size << 1)
    if (now - this.#sliceBegan >= SLICE_MS) {
      await ownTurn()
      this.#check()
      this.#sliceBegan = performance.now()
    }
    this.#batchBegan = performance.now()
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
