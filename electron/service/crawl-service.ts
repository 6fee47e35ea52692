import type { CommandArgument, CommandName, CommandOutput, CrawlListing } from '../../shared/contract.ts'
import type { CrawlProgress } from '../../shared/crawl-progress.ts'
import { Failure } from '../../shared/failure.ts'
import { canonicalUrl, parseSeed } from '../engine/canonical-url.ts'
import { CrawlRun, type HostFacts } from './crawl-run.ts'
import { CrawlScope } from './crawl-scope.ts'
import { ExportTickets } from './export-tickets.ts'
import { defaultFileName } from './file-name.ts'
import type { Library } from './library.ts'

/** The application without a host: every command, over one library. Hosts reach it through dispatch only. */

type Handlers = { [N in CommandName]: (input: CommandArgument<N>) => CommandOutput<N> | Promise<CommandOutput<N>> }

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
  readonly exports = new ExportTickets()

  /** @param onLibraryChange called when a crawl began, ended, appeared or went */
  constructor(library: Library, host: HostFacts, onLibraryChange: () => void) {
    this.#library = library
    this.#host = host
    this.#onLibraryChange = onLibraryChange
  }

  readonly handlers: Handlers = {
    'library.list': () => this.#library.list(),
    'crawl.start': ({ settings }) => ({ id: this.#start(settings) }),
    'crawl.resume': ({ id, retryFailed }) => {
      this.#resume(id, retryFailed)
      return {}
    },
    'crawl.stop': async ({ id }) => {
      await this.#stop(id)
      return {}
    },
    'crawl.read': ({ id }): CrawlListing => this.#library.read(id),
    'crawl.delete': ({ id }) => {
      this.#remove(id)
      return {}
    },
    'export.prepare': (input) => this.#prepareExport(input),
    'scope.test': ({ settings, url }) => testScope(settings, url),
  }

  /** Where each running crawl stands. */
  progress(): Record<string, CrawlProgress> {
    return Object.fromEntries([...this.#running].map(([id, { run }]) => [id, run.progress()]))
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

  #prepareExport({ id, view, format, preset }: CommandArgument<'export.prepare'>): CommandOutput<'export.prepare'> {
    const { state, trouble } = this.#library.read(id)
    if (state === 'unreadable') throw new Failure('damaged_crawl_file', trouble)
    const name = `${id.replace(/\.sandpiper$/, '')}-${view}.${format}`
    return { ticket: this.exports.issue({ file: this.#library.path(id), view, format, preset, name }), name }
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

function testScope(settings: CommandArgument<'scope.test'>['settings'], text: string): CommandOutput<'scope.test'> {
  const seeds = settings.seeds.map((seed) => parseSeed(seed))
  const url = canonicalUrl(text)
  if (url === null)
    throw new Failure('bad_input', `"${text.slice(0, 200)}" is not a web address: write it like https://example.org/`)
  const scope = new CrawlScope({ ...settings, seeds, limits: { ...settings.limits, maxDepth: null } })
  const verdict = scope.admit({ url: url.url, key: url.key, isPage: true, depth: 0, found: 'link' })
  return verdict.admitted ? { in: true, reason: null } : { in: false, reason: verdict.reason }
}
