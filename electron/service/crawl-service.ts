import type { CommandArgument, EventBatch, Handlers } from '../../shared/contract.ts'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { Failure } from '../../shared/failure.ts'
import { parseSeed } from '../engine/canonical-url.ts'
import { CrawlFile } from '../store/crawl-file.ts'
import { CrawlRun, type HostFacts } from './crawl-run.ts'
import { defaultFileName, freeName } from './file-name.ts'
import type { Library } from './library.ts'
import { SampleHost } from './sample-host.ts'

/** The crawls of one library: begun, watched, ended. */

interface Running {
  run: CrawlRun
  ended: Promise<void>
}

/** A crawl that waits until fewer crawls run. */
interface Queued {
  id: string
  retryFailed: boolean
}

/** What can be changed of a crawl by hand. */
export type EditableCrawl = Pick<CrawlFile, 'change' | 'exclude'>

export class CrawlService {
  readonly #library: Library
  readonly #host: HostFacts
  readonly #onLibraryChange: () => void
  readonly #maxRunning: () => number
  readonly #sample: SampleHost
  #queue: Queued[] = []
  /** From `stopAll` on nothing begins. */
  #isClosing = false
  readonly #running = new Map<string, Running>()

  /**
   * @param maxRunning crawls at once, as the user wants it now
   * @param onLibraryChange called when a crawl began, ended, appeared or went
   */
  constructor(library: Library, host: HostFacts, maxRunning: () => number, onLibraryChange: () => void) {
    this.#library = library
    this.#host = host
    this.#sample = new SampleHost(host.sampleSite)
    this.#maxRunning = maxRunning
    this.#onLibraryChange = onLibraryChange
  }

  readonly handlers: Handlers<'crawl.start' | 'crawl.sample' | 'crawl.resume' | 'crawl.pause' | 'crawl.stop'> = {
    'crawl.start': ({ settings }) => ({ id: this.#start(settings) }),
    'crawl.sample': async () => {
      this.#refuseWhenClosing()
      return { id: this.#start(crawlSettings.parse({ seeds: [await this.#sample.start()] })) }
    },
    'crawl.resume': async ({ id, retryFailed }) => {
      await this.#resume(id, retryFailed)
      return {}
    },
    'crawl.pause': ({ id }) => {
      if (!this.unqueue(id)) this.#runningOne(id).run.pause()
      return {}
    },
    'crawl.stop': async ({ id }) => {
      await this.#stop(id)
      return {}
    },
  }

  /** Where each running crawl stands. */
  progress(): EventBatch['progress'] {
    return Object.fromEntries(
      [...this.#running].map(([id, { run }]) => [
        id,
        { ...run.progress(), state: run.mode, elapsedMs: Math.round(run.elapsedMs) },
      ]),
    )
  }

  /** The run of a crawl, while it runs here. */
  runOf(id: string): CrawlRun | null {
    return this.#running.get(id)?.run ?? null
  }

  /** What an ending of the app still has to wait for. */
  left(): { inFlight: number; toWrite: number } {
    const runs = [...this.#running.values()].map(({ run }) => run)
    return {
      inFlight: runs.reduce((sum, run) => sum + run.progress().inFlight, 0),
      toWrite: runs.reduce((sum, run) => sum + run.unsaved, 0),
    }
  }

  /** The computer is about to sleep: nothing more starts until `releaseAll`. */
  holdAll(): void {
    for (const { run } of this.#running.values()) run.hold()
  }

  releaseAll(): void {
    for (const { run } of this.#running.values()) run.release()
  }

  /** Commits what is complete, at once: the computer may be about to go down. The crawls go on. */
  checkpointAll(): void {
    for (const { run } of this.#running.values()) run.checkpoint()
  }

  /** Ends every crawl in good order, for good; resolves when all is saved. */
  async stopAll(): Promise<void> {
    this.#isClosing = true
    this.#queue = []
    for (const { run } of this.#running.values()) run.stop()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Begins crawls that wait for their turn, as far as there is place. */
  beginWaiting(): void {
    while (this.#hasPlace()) {
      const next = this.#queue.shift()
      if (next === undefined) return
      try {
        this.#begin(next)
      } catch (error) {
        // A crawl that cannot begin any more leaves its turn to the next.
        if (!(error instanceof Failure)) throw error
      }
    }
  }

  /** Changes a crawl: its run if it runs here, else its file, which nobody else has then. @throws Failure as CrawlFile.open */
  async edit<T>(id: string, work: (crawl: EditableCrawl) => T | Promise<T>): Promise<T> {
    const run = this.runOf(id)
    if (run !== null) return work(run)
    const file = CrawlFile.open(this.#library.path(id), Date.now)
    try {
      return await work(file)
    } finally {
      file.close()
      this.#onLibraryChange()
    }
  }

  /** Once no crawl runs any more. */
  close(): Promise<void> {
    return this.#sample.close()
  }

  /** Ends every request now. */
  abortAll(): void {
    for (const { run } of this.#running.values()) run.abort()
  }

  /** @throws Failure `closing` */
  #refuseWhenClosing(): void {
    if (this.#isClosing) throw new Failure('closing', 'Sandpiper is closing: start it again, then try once more.')
  }

  #start(settings: CommandArgument<'crawl.start'>['settings']): string {
    this.#refuseWhenClosing()
    const name = defaultFileName(parseSeed(settings.seeds[0]!), new Date())
    const id = freeName(name, (each) => this.#library.has(each))
    const path = this.#library.path(id)
    if (this.#hasPlace()) this.#watch(id, CrawlRun.create(path, settings, this.#host))
    else {
      CrawlRun.prepare(path, settings, this.#host)
      this.#enqueue({ id, retryFailed: false })
    }
    return id
  }

  async #resume(id: string, retryFailed: boolean): Promise<void> {
    const { seeds, resumable } = this.#library.read(id)
    this.#refuseWhenClosing()
    if (seeds.some((seed) => this.#sample.isHome(seed))) await this.#sample.start()
    this.#refuseWhenClosing()
    const running = this.#running.get(id)
    if (running?.run.mode === 'pausing') running.run.carryOn()
    else if (running !== undefined) throw new Failure('bad_input', `${id} is running already.`)
    else if (this.#isQueued(id)) throw new Failure('bad_input', `${id} waits for its turn already.`)
    else if (this.#hasPlace()) this.#begin({ id, retryFailed })
    else if (resumable || retryFailed) this.#enqueue({ id, retryFailed })
    else throw nothingLeft(id)
  }

  /** @throws Failure when there is nothing to do, or the file cannot be opened */
  #begin({ id, retryFailed }: Queued): void {
    const run = CrawlRun.resume(this.#library.path(id), { retryFailed }, this.#host)
    if (run === null) throw nothingLeft(id)
    this.#watch(id, run)
  }

  async #stop(id: string): Promise<void> {
    if (this.unqueue(id)) return
    const { run, ended } = this.#runningOne(id)
    run.stop()
    await ended
  }

  /** @throws Failure `bad_input` */
  #runningOne(id: string): Running {
    const running = this.#running.get(id)
    if (running === undefined) throw new Failure('bad_input', `${id} is not running.`)
    return running
  }

  /** A crawl of the library, as far as what happens here says more than its file. */
  asNow(listing: CrawlListing): CrawlListing {
    const run = this.runOf(listing.id)
    if (run !== null) return { ...listing, state: run.mode, counts: run.progress().counts }
    return this.#isQueued(listing.id) ? { ...listing, state: 'queued' } : listing
  }

  // ---- the line of crawls that wait for their turn

  #hasPlace(): boolean {
    return this.#running.size < this.#maxRunning()
  }

  #isQueued(id: string): boolean {
    return this.#queue.some((queued) => queued.id === id)
  }

  #enqueue(queued: Queued): void {
    this.#queue.push(queued)
    this.#onLibraryChange()
  }

  /** Takes a crawl out of the line; false if it is not in it. */
  unqueue(id: string): boolean {
    if (!this.#isQueued(id)) return false
    this.#queue = this.#queue.filter((queued) => queued.id !== id)
    this.#onLibraryChange()
    return true
  }

  /** A run that fails leaves its reason in its file; here it only stops being a running one. */
  #watch(id: string, run: CrawlRun): void {
    const ended = run
      .run()
      .then(
        () => {},
        () => {},
      )
      .finally(() => {
        this.#running.delete(id)
        this.beginWaiting()
        this.#onLibraryChange()
      })
    this.#running.set(id, { run, ended })
    this.#onLibraryChange()
  }
}

const nothingLeft = (id: string): Failure => new Failure('bad_input', `${id} is finished: there is nothing left to do.`)
