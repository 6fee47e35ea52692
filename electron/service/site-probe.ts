import type { SeedCheck } from '../../shared/crawl-check.ts'
import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import { systemClock } from '../engine/clock.ts'
import type { Fetcher } from '../engine/fetcher.ts'
import type { ParsePool } from '../engine/parse-pool.ts'
import { RobotsGate, refusedBy } from '../engine/robots-gate.ts'
import { Site } from '../engine/site.ts'
import type { CrawlScope } from './crawl-scope.ts'
import { countSitemaps } from './sitemap-count.ts'

/** One site as a check sees it: its robots.txt and its sitemaps, each asked for once however many seeds lie there. */

export interface ProbeTools {
  settings: CrawlSettings
  scope: CrawlScope
  fetcher: Fetcher
  parsePool: ParsePool
  signal: AbortSignal
}

/** A check is over in seconds: a second try belongs to the crawl. */
const RETRIES = 0

export class SiteProbe {
  readonly #tools: ProbeTools
  readonly #site: Site
  readonly #asked: Promise<void>
  #sitemaps: Promise<SeedCheck['sitemaps']> | undefined

  constructor(origin: string, tools: ProbeTools) {
    const { perHost, delayMs, robots } = tools.settings.politeness
    this.#tools = tools
    this.#site = new Site(newRow(origin), perHost, delayMs)
    const gate = new RobotsGate({
      fetcher: tools.fetcher,
      clock: systemClock,
      random: Math.random,
      retries: RETRIES,
      obey: robots,
      headersFor: tools.scope.headersFor,
    })
    this.#asked = gate.recall(this.#site) ? Promise.resolve() : gate.ask(this.#site, tools.signal, () => {})
  }

  /** What robots.txt says of a URL of this site; `trouble` is a failure code if there is no connection at all. */
  async robots(url: string): Promise<SeedCheck['robots'] & { trouble: string }> {
    await this.#asked
    const { robots, row } = this.#site
    if (robots.kind !== 'known') {
      const trouble = robots.kind === 'dead' ? robots.code : robots.kind === 'unreachable' ? '' : 'timeout_total'
      return { state: 'unreachable', allowed: false, rule: '', crawlDelayMs: null, trouble }
    }
    const refusal = refusedBy(robots.rules, url)
    const isFound = row.robotsStatus !== null && row.robotsStatus < 300
    const { crawlDelayMs } = robots.rules
    return {
      state: this.#tools.settings.politeness.robots ? (isFound ? 'found' : 'none') : 'off',
      allowed: refusal === null,
      rule: refusal ?? '',
      crawlDelayMs: crawlDelayMs === null ? null : Math.round(Math.min(crawlDelayMs, Number.MAX_SAFE_INTEGER)),
      trouble: '',
    }
  }

  /** Only of a site that a crawl would ask: one of a seed, whose robots.txt is known. */
  sitemaps(): Promise<SeedCheck['sitemaps']> {
    this.#sitemaps ??= this.#countSitemaps()
    return this.#sitemaps
  }

  get speed(): Pick<SeedCheck, 'maxPerSecond' | 'perHost'> {
    const { delayMs, perHost } = this.#site
    return { maxPerSecond: delayMs > 0 ? 1_000 / delayMs : null, perHost }
  }

  async #countSitemaps(): Promise<SeedCheck['sitemaps']> {
    await this.#asked
    const { settings, scope, fetcher, parsePool, signal } = this.#tools
    const { robots, row } = this.#site
    if (!settings.politeness.sitemaps) return { state: 'off', urls: 0, files: 0, more: false }
    if (robots.kind !== 'known' || !scope.isSeedOrigin(row.origin)) {
      return { state: 'none', urls: 0, files: 0, more: false }
    }
    const tools = {
      fetcher,
      parsePool,
      random: Math.random,
      headersFor: scope.headersFor,
      retries: RETRIES,
      maxBodyBytes: settings.limits.maxBodyBytes,
    }
    const totals = await countSitemaps([...robots.rules.sitemaps, `${row.origin}/sitemap.xml`], tools, signal)
    return { state: totals.files > 0 ? 'found' : 'none', ...totals }
  }
}

const newRow = (origin: string): Site['row'] => ({
  id: 0,
  origin,
  nextAllowedAt: 0,
  parkedUntil: 0,
  parkReason: '',
  parks: 0,
  robotsStatus: null,
  robotsBody: new Uint8Array(),
  robotsFetchedAt: 0,
})
