import type { CrawlProgress } from '../../shared/crawl-progress.ts'

/** Shows a running crawl on stderr: a bar that is redrawn on a terminal, a line now and then elsewhere. */

const TERMINAL_MS = 200
const PLAIN_MS = 5_000
const BAR_CELLS = 24

export class ProgressLine {
  readonly #read: () => CrawlProgress
  readonly #terminal: boolean
  readonly #started = performance.now()
  readonly #timer: NodeJS.Timeout
  #furthest = 0

  constructor(read: () => CrawlProgress) {
    this.#read = read
    this.#terminal = process.stderr.isTTY === true
    this.#timer = setInterval(() => this.#draw(), this.#terminal ? TERMINAL_MS : PLAIN_MS)
  }

  /** Removes the bar. */
  end(): void {
    clearInterval(this.#timer)
    if (this.#terminal) process.stderr.write('\r\x1b[K')
  }

  #draw(): void {
    const text = this.#text()
    if (!this.#terminal) process.stderr.write(`${text}\n`)
    else process.stderr.write(`\r\x1b[K${`${this.#bar()} ${text}`.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  }

  /** Never runs backwards, although newly found pages make the whole larger. */
  #bar(): string {
    const { counts } = this.#read()
    const finished = counts.done + counts.final_failed
    const all = finished + counts.pending + counts.processing + counts.failed
    this.#furthest = Math.max(this.#furthest, all === 0 ? 0 : finished / all)
    const cells = Math.floor(this.#furthest * BAR_CELLS)
    return `[${'#'.repeat(cells)}${'-'.repeat(BAR_CELLS - cells)}]`
  }

  #text(): string {
    const { counts, inFlight, pagesFinished } = this.#read()
    const seconds = (performance.now() - this.#started) / 1000
    const waiting = counts.pending + counts.processing + counts.failed
    const rate = Math.round(pagesFinished / Math.max(seconds, 0.001))
    return `${group(counts.done)} done · ${group(waiting)} waiting · ${group(counts.final_failed)} failed · ${inFlight} in flight · ${group(rate)} pages/s · ${clock(seconds)}`
  }
}

export const group = (value: number): string => value.toLocaleString('en-US')

/** 00:05:27 */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
