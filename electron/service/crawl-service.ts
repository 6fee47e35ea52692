import type { CommandArgument, EventBatch, Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { parseSeed } from '../engine/canonical-url.ts'
import { CrawlRun, type HostFacts } from './crawl-run.ts'
import { defaultFileName } from './file-name.ts'
import type { Library } from './library.ts'

/** The crawls of one library: begun, watched, ended. */

interface Running {
  run: CrawlRun
  ended: Promise<void>
}

const MAX_NAME_TRIES = 100

export class CrawlService {
  readonly #library: Library
  readonly #host: HostFacts
  readonly #onLibraryChange: () => void
  readonly #running = new Map<string, Running>()

  /** @param onLibraryChange called when a crawl began, ended, appeared or went */
  constructor(library: Library, host: HostFacts, onLibraryChange: () => void) {
    this.#library = library
    this.#host = host
    this.#onLibraryChange = onLibraryChange
  }

  readonly handlers: Handlers<
    | 'library.list'
    | 'library.open'
    | 'crawl.start'
    | 'crawl.sample'
    | 'crawl.resume'
    | 'crawl.pause'
    | 'crawl.stop'
    | 'crawl.read'
    | 'crawl.settings'
    | 'crawl.retryFailed'
    | 'crawl.delete'
    | 'crawl.sites'
    | 'url.retry'
    | 'url.moveToFront'
    | 'exclude.preview'
    | 'exclude.add'
  > = {
    'library.list': () => this.#library.list(),
    'library.open': () => notYet(),
    'crawl.start': ({ settings }) => ({ id: this.#start(settings) }),
    'crawl.sample': () => notYet(),
    'crawl.resume': ({ id, retryFailed }) => {
      this.#resume(id, retryFailed)
      return {}
    },
    'crawl.pause': () => notYet(),
    'crawl.stop': async ({ id }) => {
      await this.#stop(id)
      return {}
    },
    'crawl.read': ({ id }) => this.#library.read(id),
    'crawl.settings': () => notYet(),
    'crawl.retryFailed': () => notYet(),
    'crawl.delete': ({ id }) => {
      this.#remove(id)
      return {}
    },
    'crawl.sites': () => notYet(),
    'url.retry': () => notYet(),
    'url.moveToFront': () => notYet(),
    'exclude.preview': () => notYet(),
    'exclude.add': () => notYet(),
  }

  /** Where each running crawl stands. */
  progress(): EventBatch['progress'] {
    return Object.fromEntries(
      [...this.#running].map(([id, { run }]) => [id, { ...run.progress(), state: 'running', elapsedMs: 0 }]),
    )
  }

  /** Ends every crawl in good order; resolves when all is saved. */
  async stopAll(): Promise<void> {
    for (const { run } of this.#running.values()) run.stop()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Ends every request now. */
  abortAll(): void {
    for (const { run } of this.#running.values()) run.abort()
  }

  #start(settings: CommandArgument<'crawl.start'>['settings']): string {
    const id = this.#freeName(parseSeed(settings.seeds[0]!))
    this.#watch(id, CrawlRun.create(this.#library.path(id), settings, this.#host))
    return id
  }

  #freeName(seed: string): string {
    const name = defaultFileName(seed, new Date())
    const taken = new Set(this.#library.list().map(({ id }) => id))
    for (let n = 1; n <= MAX_NAME_TRIES; n++) {
      const candidate = n === 1 ? name : name.replace(/\.sandpiper$/, `-${n}.sandpiper`)
      if (!taken.has(candidate)) return candidate
    }
    throw new Failure(
      'file_exists',
      `There are already ${MAX_NAME_TRIES} crawls named like ${name}: wait a second and try again.`,
    )
  }

  #resume(id: string, retryFailed: boolean): void {
    if (this.#running.has(id)) throw new Failure('bad_input', `${id} is running already.`)
    const run = CrawlRun.resume(this.#library.path(id), { retryFailed }, this.#host)
    if (run === null) throw new Failure('bad_input', `${id} is finished: there is nothing left to do.`)
    this.#watch(id, run)
  }

  async #stop(id: string): Promise<void> {
    const running = this.#running.get(id)
    if (running === undefined) throw new Failure('bad_input', `${id} is not running.`)
    running.run.stop()
    await running.ended
  }

  #remove(id: string): void {
    if (this.#running.has(id)) throw new Failure('bad_input', `${id} is running: stop it first.`)
    this.#library.remove(id, Date.now())
    this.#onLibraryChange()
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
        this.#onLibraryChange()
      })
    this.#running.set(id, { run, ended })
    this.#onLibraryChange()
  }
}

function notYet(): never {
  throw new Failure('internal', 'not built yet')
}
