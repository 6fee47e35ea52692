import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { CrawlProgress } from '../../shared/crawl-progress.ts'
import { type CrawlSettings, crawlSettings } from '../../shared/crawl-settings.ts'
import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { Failure } from '../../shared/failure.ts'
import { REASON_TEXT } from '../../shared/page-outcome.ts'
import { parseSeed } from '../engine/canonical-url.ts'
import { systemClock } from '../engine/clock.ts'
import { Crawl, type CrawlEnd, type SiteProgress } from '../engine/crawl.ts'
import { Fetcher } from '../engine/fetcher.ts'
import type { UrlChange } from '../engine/frontier.ts'
import { ParsePool } from '../engine/parse-pool.ts'
import { CrawlFile, type SeedTrouble } from '../store/crawl-file.ts'
import { CrawlScope } from './crawl-scope.ts'
import { defaultFileName } from './file-name.ts'

declare const __VERSION__: string

/** One run of one crawl file, from opening to closing: the place where engine and store meet. */

export const USER_AGENT = `Sandpiper/${__VERSION__} (desktop web crawler)`

/** What only a host knows. */
export interface HostFacts {
  /** The built parse worker. */
  parseWorker: URL | string
  parseThreads: number
  /** The built worker that sorts the rows of tables. */
  sortWorker: URL | string
  /** The files of the sample site. */
  sampleSite: string
  /** Is this the host's own address? It is never crawled. */
  isOwnAddress: (url: URL) => boolean
}

const MAX_PARSE_THREADS = 4

/** One core is left to the main thread. */
const parseThreadCount = (): number => Math.max(1, Math.min(MAX_PARSE_THREADS, availableParallelism() - 1))

/** Facts of a host that has no address of its own. @param folder where the built main files are */
export const hostFacts = (folder: string): HostFacts => ({
  parseWorker: join(folder, 'parse-worker.js'),
  parseThreads: parseThreadCount(),
  sortWorker: join(folder, 'sort-worker.js'),
  sampleSite: join(folder, '../../resources/sample-site'),
  isOwnAddress: () => false,
})

/** Settings of this run that replace the stored ones. */
export interface ResumeOptions {
  maxPages?: number | undefined
  maxDepth?: number | undefined
  retryFailed?: boolean | undefined
}

export interface RunSummary {
  file: string
  state: CrawlState
  exitReason: EndReason
  pages: { done: number; failed: number; skipped: number; pending: number }
  requests: number
  bytes: number
  seconds: number
  pagesPerSecond: number
}

export interface RunEnd {
  summary: RunSummary
  resumable: boolean
  waitingUntil: number | null
  /** One sentence, where something went wrong. */
  trouble: string | null
}

export class CrawlRun {
  readonly #file: CrawlFile
  readonly #crawl: Crawl
  readonly #parsePool: ParsePool
  readonly #seeds: readonly string[]
  readonly #scope: CrawlScope
  #startedAt: number | null = null

  /**
   * A new crawl in a new file.
   * @param path the file to create; undefined for one named after the first seed and the time, in the current folder
   * @throws Failure `bad_input` for a seed that is no web address, and as CrawlFile.create
   */
  static create(path: string | undefined, settings: CrawlSettings, host: HostFacts): CrawlRun {
    return new CrawlRun(CrawlRun.#createFile(path, settings, host), host)
  }

  /** A new crawl in a new file, to be resumed when its turn comes. @throws Failure as create */
  static prepare(path: string, settings: CrawlSettings, host: HostFacts): void {
    CrawlRun.#createFile(path, settings, host).close()
  }

  static #createFile(path: string | undefined, settings: CrawlSettings, host: HostFacts): CrawlFile {
    const seeds = settings.seeds.map((seed) => parseSeed(seed))
    const own = seeds.find((seed) => host.isOwnAddress(new URL(seed)))
    if (own !== undefined) throw new Failure('bad_input', `${own} is Sandpiper itself: give the address of a site.`)
    const file = path ?? defaultFileName(seeds[0]!, new Date())
    return CrawlFile.create(file, { ...settings, seeds }, systemClock.wall, __VERSION__)
  }

  /** Carries on with a crawl file; null when it has nothing left to do. @throws Failure as CrawlFile.open */
  static resume(path: string, options: ResumeOptions, host: HostFacts): CrawlRun | null {
    const file = CrawlFile.open(path, systemClock.wall)
    try {
      const { maxPages, maxDepth } = options
      const limits = { ...file.settings.limits }
      if (maxPages !== undefined) limits.maxPages = maxPages
      if (maxDepth !== undefined) limits.maxDepth = maxDepth
      file.saveSettings(crawlSettings.parse({ ...file.settings, limits }))
      if (options.retryFailed) file.retryFailed()
      const deeper = maxDepth !== undefined && file.hasTooDeep()
      if (!file.isResumable() && !deeper) {
        file.close()
        return null
      }
      return new CrawlRun(file, host)
    } catch (error) {
      file.close()
      throw error
    }
  }

  private constructor(file: CrawlFile, host: HostFacts) {
    this.#file = file
    const { settings } = file
    this.#seeds = settings.seeds
    const scope = new CrawlScope(settings)
    this.#scope = scope
    for (const target of file.seedRedirects()) scope.follow(target)
    const { frontier, sink } = file.begin(scope.admit)
    this.#parsePool = new ParsePool(host.parseWorker, host.parseThreads)
    const fetcher = new Fetcher({
      userAgent: settings.requests.userAgent ?? USER_AGENT,
      perHost: settings.politeness.perHost,
      timeoutMs: settings.requests.timeoutMs,
      maxBodyBytes: settings.limits.maxBodyBytes,
      allowsPrivate: scope.isSeedHost,
    })
    this.#crawl = new Crawl({
      settings,
      frontier,
      sink,
      fetcher,
      parsePool: this.#parsePool,
      clock: systemClock,
      random: Math.random,
      headersFor: scope.headersFor,
      isSeedOrigin: scope.isSeedOrigin,
      admit: scope.admit,
      onSeedRedirect: scope.follow,
    })
  }

  get file(): string {
    return this.#file.path
  }

  /** Runs to its end, then closes the file. @throws Failure when the crawl file could not be written */
  async run(): Promise<RunEnd> {
    this.#startedAt = performance.now()
    const end = await this.#crawl.run(this.#seeds)
    await this.#parsePool.close()
    try {
      return this.#conclude(end, this.elapsedMs / 1000)
    } finally {
      this.#file.close()
    }
  }

  /** Claims no more and lets running requests finish; then the run ends as `paused`. */
  pause(): void {
    this.#crawl.pause()
  }

  /** Takes a pause back that has not ended the run yet. */
  carryOn(): void {
    this.#crawl.carryOn()
  }

  stop(): void {
    this.#crawl.stop()
  }

  /** Commits what is complete: the computer may go down at once. */
  checkpoint(): void {
    this.#crawl.checkpoint()
  }

  /** The computer is about to sleep. */
  hold(): void {
    this.#crawl.hold()
  }

  /** It is awake again. */
  release(): void {
    this.#crawl.release()
  }

  abort(): void {
    this.#crawl.abort()
  }

  /** Changes URLs by hand. Returns how many. @throws Failure as Crawl.change */
  change(change: UrlChange): number {
    return this.#crawl.change(change)
  }

  /** Leaves out what a pattern matches from now on; what waits is told by `change`, which commits both. */
  exclude(pattern: string): void {
    this.#scope.exclude(pattern)
    this.#file.exclude(pattern)
  }

  sites(): SiteProgress[] {
    return this.#crawl.sites()
  }

  progress(): CrawlProgress {
    return this.#crawl.progress()
  }

  get mode(): Crawl['mode'] {
    return this.#crawl.mode
  }

  /** Milliseconds since this run began. */
  get elapsedMs(): number {
    return this.#startedAt === null ? 0 : performance.now() - this.#startedAt
  }

  /** Finished pages that are not on the disk yet. */
  get unsaved(): number {
    return this.#crawl.unsaved
  }

  #conclude(end: CrawlEnd, seconds: number): RunEnd {
    if (end.error !== null) {
      this.#file.end('failed', 'error')
      throw end.error
    }
    const seed = end.reason === 'finished' ? this.#file.deadSeed() : null
    const state = seed ? 'failed' : end.state
    const exitReason = seed ? 'error' : end.reason
    this.#file.end(state, exitReason)
    const { requests, wireBytes, pagesFinished } = this.#crawl.progress()
    return {
      summary: {
        file: this.#file.path,
        state,
        exitReason,
        pages: this.#file.pageTotals(),
        requests,
        bytes: wireBytes,
        seconds: round(seconds, 3),
        pagesPerSecond: round(pagesFinished / Math.max(seconds, 0.001), 2),
      },
      resumable: this.#file.isResumable(),
      waitingUntil: end.waitingUntil,
      trouble: seed ? describe(seed) : null,
    }
  }
}

const describe = ({ url, reason }: SeedTrouble): string =>
  `${url} did not answer: ${REASON_TEXT[reason as keyof typeof REASON_TEXT] ?? reason}. Check the address and your connection.`

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
