/** How fast a crawl goes, from its progress as it comes in. Times are monotonic milliseconds. */

const SPAN_MS = 60_000
const BAR_MS = 2_000
export const BARS = 24
/** A rate counts as steady when the halves of the last minute differ by no more than this. */
const STEADY = 0.25

interface Sample {
  at: number
  finished: number
  waiting: number
}

export interface Progress {
  counts: { pending: number; processing: number; failed: number }
  pagesFinished: number
}

export interface Estimate {
  fromMs: number
  toMs: number
}

export class RateMeter {
  #samples: Sample[] = []

  note({ counts, pagesFinished }: Progress, at: number): void {
    const last = this.#samples.at(-1)
    // A run that begins anew counts from 0.
    if (last !== undefined && pagesFinished < last.finished) this.#samples = []
    this.#samples.push({ at, finished: pagesFinished, waiting: counts.pending + counts.processing + counts.failed })
    while (this.#samples.length > 2 && this.#samples[1]!.at <= at - SPAN_MS) this.#samples.shift()
  }

  /** Pages a second over the last five seconds. */
  pagesPerSecond(now: number): number {
    return this.#slope('finished', now - 5_000, now)
  }

  /** URLs a second by which the number of waiting ones grows; negative when it shrinks. */
  waitingPerSecond(now: number): number {
    return this.#slope('waiting', now - 10_000, now)
  }

  /** Pages a second in each stretch of two seconds, oldest first. */
  bars(now: number): number[] {
    const end = Math.floor(now / BAR_MS) * BAR_MS
    return Array.from({ length: BARS }, (_, index) => {
      const to = end - (BARS - 1 - index) * BAR_MS
      return this.#slope('finished', to - BAR_MS, to)
    })
  }

  /** How long the rest will take: only when speed has been steady and the rest has shrunk for a minute. */
  estimate(now: number): Estimate | null {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (first === undefined || last === undefined || now - first.at < SPAN_MS * 0.95) return null
    const middle = now - SPAN_MS / 2
    const early = -this.#slope('waiting', now - SPAN_MS, middle)
    const late = -this.#slope('waiting', middle, now)
    if (early <= 0 || late <= 0 || Math.abs(early - late) > STEADY * Math.max(early, late)) return null
    const [slow, fast] = [Math.min(early, late), Math.max(early, late)]
    return { fromMs: (last.waiting / fast) * 1_000, toMs: (last.waiting / slow) * 1_000 }
  }

  #slope(of: 'finished' | 'waiting', from: number, to: number): number {
    const a = this.#at(from)
    const b = this.#at(to)
    if (a === null || b === null || b.at <= a.at) return 0
    const slope = ((b[of] - a[of]) / (Math.max(to, b.at) - a.at)) * 1_000
    return of === 'finished' ? Math.max(0, slope) : slope
  }

  /** The last sample at or before a time; the first one where there is none before. */
  #at(time: number): Sample | null {
    return this.#samples.findLast(({ at }) => at <= time) ?? this.#samples[0] ?? null
  }
}
