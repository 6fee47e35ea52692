import { Worker } from 'node:worker_threads'
import type { ParseJob, ParseResult } from '../../shared/parse-job.ts'

/**
 * Parses bodies off the main thread. A worker that takes too long over one body, or dies of it, is replaced: the body it
 * was at is reported as `parse_failed`, the bodies behind it as `lost` (they were transferred and must be fetched again).
 */
const JOB_DEADLINE_MS = 10_000
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

export type Parsed = { lost: false; result: ParseResult } | { lost: true }

interface Lane {
  worker: Worker
  /** In the order sent, which is the order they are worked on. */
  waiting: Map<number, (parsed: Parsed) => void>
  watchdog: NodeJS.Timeout | undefined
}

export class ParsePool {
  readonly #entry: URL | string
  readonly #lanes: Lane[] = []
  #nextId = 1
  #closed = false

  /** @param entry the worker's built file */
  constructor(entry: URL | string, size: number) {
    this.#entry = entry
    for (let n = 0; n < size; n++) this.#lanes.push(this.#start())
  }

  parse(job: Omit<ParseJob, 'id'>): Promise<Parsed> {
    if (this.#closed) return Promise.resolve({ lost: true })
    const lane = this.#lanes.reduce((best, each) => (each.waiting.size < best.waiting.size ? each : best))
    const id = this.#nextId++
    return new Promise((resolve) => {
      lane.waiting.set(id, resolve)
      if (lane.watchdog === undefined) this.#watch(lane)
      lane.worker.postMessage({ ...job, id } satisfies ParseJob, [job.body])
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      this.#lanes.map((lane) => {
        clearTimeout(lane.watchdog)
        for (const resolve of lane.waiting.values()) resolve({ lost: true })
        lane.waiting.clear()
        return lane.worker.terminate()
      }),
    )
  }

  #start(): Lane {
    const worker = new Worker(this.#entry, { resourceLimits: RESOURCE_LIMITS, name: 'parse' })
    const lane: Lane = { worker, waiting: new Map(), watchdog: undefined }
    worker.on('message', (results: ParseResult[]) => this.#take(lane, results))
    // Its end follows at once and is where the work is given back.
    worker.on('error', () => {})
    worker.on('exit', () => this.#replace(lane))
    return lane
  }

  #take(lane: Lane, results: ParseResult[]): void {
    clearTimeout(lane.watchdog)
    lane.watchdog = undefined
    for (const result of results) {
      const resolve = lane.waiting.get(result.id)
      lane.waiting.delete(result.id)
      resolve?.({ lost: false, result })
    }
    if (lane.waiting.size > 0) this.#watch(lane)
  }

  #watch(lane: Lane): void {
    lane.watchdog = setTimeout(() => void lane.worker.terminate(), JOB_DEADLINE_MS)
  }

  #replace(lane: Lane): void {
    if (this.#closed) return
    clearTimeout(lane.watchdog)
    this.#lanes[this.#lanes.indexOf(lane)] = this.#start()
    let first = true
    for (const [id, resolve] of lane.waiting) {
      resolve(first ? { lost: false, result: failed(id) } : { lost: true })
      first = false
    }
  }
}

const failed = (id: number): ParseResult => ({
  id,
  fault: 'parse_failed',
  faultDetail: 'it took too long or too much memory',
  bytes: 0,
  hash: '',
  mediaType: '',
  page: null,
  sitemap: null,
})
