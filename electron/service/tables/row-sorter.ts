import { Worker } from 'node:worker_threads'
import { Failure } from '../../../shared/failure.ts'
import { sortByNumber, sortByText } from './sort-rows.ts'
import type { Sorted, SortMessage } from './sort-worker.ts'

type Ids = Uint32Array<ArrayBuffer>

/** Sorted right here: it takes less than starting a worker. */
const FEW_ROWS = 2_000
/** A worker that is not needed is let go. */
const IDLE_MS = 60_000
/** Enough for the titles of ten million rows. A sort that needs more fails, and nothing else with it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 2_048 }

interface Job {
  resolve: (ids: Ids) => void
  reject: (error: unknown) => void
}

/** Keys of rows, in the order of their ids; empty for none. */
export interface TextSort {
  add(texts: string[]): void
  finish(ids: Ids, descending: boolean): Promise<Ids>
  /** It is no longer wanted. */
  cancel(): void
}

/** Sorts in a worker thread, started when it is first needed. */
export class RowSorter {
  readonly #entry: URL | string
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | null = null
  #nextJob = 1
  #idle: NodeJS.Timeout | undefined

  /** @param entry the sort worker's built file */
  constructor(entry: URL | string) {
    this.#entry = entry
  }

  /** @param keys one for each id, NaN for none; both belong to the sorter from now on */
  async byNumber(ids: Ids, keys: Float64Array<ArrayBuffer>, descending: boolean): Promise<Ids> {
    if (ids.length <= FEW_ROWS) return sortByNumber(ids, keys, descending)
    const job = this.#nextJob++
    return this.#run({ job, ids, numbers: keys, descending }, [ids.buffer, keys.buffer])
  }

  /** Texts are handed over as they are read. */
  byText(count: number): TextSort {
    if (count <= FEW_ROWS) return textSortHere()
    const job = this.#nextJob++
    return {
      add: (texts) => this.#post({ job, texts }),
      finish: (ids, descending) => this.#run({ job, ids, numbers: null, descending }, [ids.buffer]),
      cancel: () => this.#worker?.postMessage({ job, forget: true } satisfies SortMessage),
    }
  }

  /** Sorts that run are given up. */
  close(): void {
    clearTimeout(this.#idle)
    void this.#worker?.terminate()
  }

  #run(message: SortMessage, transfer: ArrayBuffer[]): Promise<Ids> {
    return new Promise((resolve, reject) => {
      this.#jobs.set(message.job, { resolve, reject })
      this.#post(message, transfer)
    })
  }

  #post(message: SortMessage, transfer: ArrayBuffer[] = []): void {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.postMessage(message, transfer)
    if (this.#jobs.size === 0) this.#restLater()
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { resourceLimits: RESOURCE_LIMITS, name: 'sort' })
    worker.on('message', ({ job, ids }: Sorted) => {
      this.#jobs.get(job)?.resolve(ids)
      this.#jobs.delete(job)
      if (this.#jobs.size === 0) this.#restLater()
    })
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#end(worker, cause))
    worker.unref()
    return worker
  }

  #restLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE_MS).unref()
  }

  #end(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = null
    for (const { reject } of this.#jobs.values()) {
      reject(new Failure('internal', 'The rows could not be sorted: filter them, then try again.', { cause }))
    }
    this.#jobs.clear()
  }
}

function textSortHere(): TextSort {
  const all: string[] = []
  return {
    add: (texts) => void all.push(...texts),
    finish: async (ids, descending) => sortByText(ids, all, descending),
    cancel: () => {},
  }
}
