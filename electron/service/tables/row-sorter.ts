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

/** One sort of rows, whose keys come in the order of their ids. What is handed over belongs to the sort from then on. */
export interface Sort {
  /** @param keys one for each id, NaN for none */
  byNumber(ids: Ids, keys: Float64Array<ArrayBuffer>, descending: boolean): Promise<Ids>
  /** Texts are handed over as they are read; empty for none. */
  addTexts(texts: string[]): void
  byText(ids: Ids, descending: boolean): Promise<Ids>
  /** It is no longer wanted, even if it runs. */
  cancel(): void
}

type Job = PromiseWithResolvers<Ids>

/** Sorts in worker threads: each sort has one to itself, so that it can be given up. The last one is kept for the next sort. */
export class RowSorter {
  readonly #entry: URL | string
  readonly #jobs = new Map<Worker, Job>()
  #spare: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  /** @param entry the sort worker's built file */
  constructor(entry: URL | string) {
    this.#entry = entry
  }

  begin(count: number): Sort {
    return count <= FEW_ROWS ? sortHere() : this.#sortInWorker()
  }

  /** Sorts that run are given up. */
  close(): void {
    for (const worker of this.#jobs.keys()) this.#giveUp(worker)
    this.#dropSpare()
  }

  #sortInWorker(): Sort {
    const worker = this.#spare ?? this.#start()
    this.#spare = null
    clearTimeout(this.#idle)
    const job = Promise.withResolvers<Ids>()
    this.#jobs.set(worker, job)
    // It may fail before anybody waits for it.
    job.promise.catch(() => {})
    const post = (message: SortMessage, transfer: ArrayBuffer[]): Promise<Ids> => {
      worker.postMessage(message, transfer)
      return job.promise
    }
    return {
      byNumber: (ids, numbers, descending) => post({ ids, numbers, descending }, [ids.buffer, numbers.buffer]),
      addTexts: (texts) => void post({ texts }, []),
      byText: (ids, descending) => post({ ids, numbers: null, descending }, [ids.buffer]),
      cancel: () => {
        if (this.#jobs.get(worker) === job) this.#giveUp(worker)
      },
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { resourceLimits: RESOURCE_LIMITS, name: 'sort' })
    worker.on('message', ({ ids }: Sorted) => {
      this.#jobs.get(worker)!.resolve(ids)
      this.#jobs.delete(worker)
      this.#keep(worker)
    })
    worker.on('error', (cause) => this.#end(worker, cause))
    worker.on('exit', () => this.#end(worker, undefined))
    worker.unref()
    return worker
  }

  #keep(worker: Worker): void {
    this.#dropSpare()
    this.#spare = worker
    this.#idle = setTimeout(() => this.#dropSpare(), IDLE_MS).unref()
  }

  #dropSpare(): void {
    clearTimeout(this.#idle)
    void this.#spare?.terminate()
    this.#spare = null
  }

  /** Before it ends it may still answer, to nobody. */
  #giveUp(worker: Worker): void {
    this.#end(worker, undefined)
    worker.removeAllListeners('message')
    void worker.terminate()
  }

  #end(worker: Worker, cause: unknown): void {
    if (this.#spare === worker) this.#spare = null
    const message = 'The rows could not be sorted: filter them, then try again.'
    this.#jobs.get(worker)?.reject(new Failure('internal', message, { cause }))
    this.#jobs.delete(worker)
  }
}

function sortHere(): Sort {
  const all: string[] = []
  return {
    byNumber: async (ids, keys, descending) => sortByNumber(ids, keys, descending),
    addTexts: (texts) => void all.push(...texts),
    byText: async (ids, descending) => sortByText(ids, all, descending),
    cancel: () => {},
  }
}
