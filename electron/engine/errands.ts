import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import type { Clock } from './clock.ts'
import type { Fetcher } from './fetcher.ts'
import type { Frontier } from './frontier.ts'
import type { PageSink } from './page-sink.ts'
import type { ParsePool } from './parse-pool.ts'
import { RobotsGate } from './robots-gate.ts'
import type { Site } from './site.ts'
import { readSitemap, type SitemapTools } from './sitemap.ts'

/** Requests that are about a site and not of it: robots.txt first, then the sitemaps of the seeds' sites, one at a time. */

/** Sitemaps taken from one robots.txt. */
const MAX_LISTED = 1_000

export interface ErrandTools {
  settings: CrawlSettings
  frontier: Frontier
  sink: PageSink
  fetcher: Fetcher
  parsePool: ParsePool
  clock: Clock
  random: () => number
  headersFor: (url: URL) => Record<string, string>
  isSeedOrigin: (origin: string) => boolean
}

export class Errands {
  readonly #tools: ErrandTools
  readonly #robots: RobotsGate
  readonly #signal: AbortSignal
  readonly #onRequest: (wireBytes: number) => void
  readonly #onChange: () => void
  #readingSitemaps = false

  /** @param onChange called when something was written that must be committed */
  constructor(tools: ErrandTools, signal: AbortSignal, onRequest: (wireBytes: number) => void, onChange: () => void) {
    const { settings, fetcher, clock, random, headersFor } = tools
    const { retries } = settings.requests
    this.#tools = tools
    this.#signal = signal
    this.#onRequest = onRequest
    this.#onChange = onChange
    this.#robots = new RobotsGate({ fetcher, clock, random, retries, obey: settings.politeness.robots, headersFor })
  }

  /** Sitemaps that are known and not read yet. */
  get areLeft(): boolean {
    return this.#readingSitemaps
  }

  /** A site has become known: uses the robots.txt stored for it, if that is fresh. */
  welcome(site: Site): void {
    if (this.#robots.recall(site)) this.#findSitemaps(site)
  }

  /** Asks for robots.txt if that is the next thing to do. */
  askRobots(site: Site, now: number): void {
    const { robots } = site
    const due = robots.kind === 'unknown' || (robots.kind === 'unreachable' && robots.askAgainAt <= now)
    if (!due || site.errands.length > 0) return
    site.errands.push(async () => {
      await this.#robots.ask(site, this.#signal, this.#onRequest)
      if (this.#signal.aborted) return
      this.#tools.frontier.saveSite(site.row)
      this.#onChange()
      this.#findSitemaps(site)
    })
  }

  #findSitemaps(site: Site): void {
    const { sink, settings, isSeedOrigin } = this.#tools
    if (!settings.politeness.sitemaps || site.robots.kind !== 'known' || !isSeedOrigin(site.row.origin)) return
    for (const url of site.robots.rules.sitemaps.slice(0, MAX_LISTED))
      sink.addSitemap(url, `${site.row.origin}/robots.txt`, 0)
    sink.addSitemap(`${site.row.origin}/sitemap.xml`, '', 0)
    this.#onChange()
    if (!this.#readingSitemaps) this.#nextSitemap(site)
  }

  #nextSitemap(site: Site): void {
    const { sink, settings, fetcher, parsePool, random, headersFor } = this.#tools
    const [row] = sink.pendingSitemaps()
    this.#readingSitemaps = row !== undefined
    if (row === undefined) return
    const { retries } = settings.requests
    const tools: SitemapTools = {
      sink,
      fetcher,
      parsePool,
      random,
      headersFor,
      retries,
      maxBodyBytes: settings.limits.maxBodyBytes,
    }
    site.errands.push(async () => {
      await readSitemap(row, tools, this.#signal, this.#onRequest)
      if (this.#signal.aborted) return
      this.#onChange()
      this.#nextSitemap(site)
    })
  }
}
