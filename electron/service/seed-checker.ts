import type { SeedCheck } from '../../shared/crawl-check.ts'
import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import { Failure } from '../../shared/failure.ts'
import { canonicalUrl, parseSeed } from '../engine/canonical-url.ts'
import { Fetcher, type ResponseHeaders } from '../engine/fetcher.ts'
import { ParsePool } from '../engine/parse-pool.ts'
import { fetchFollowingSelf, header, redirectTarget } from '../engine/visit.ts'
import { type HostFacts, USER_AGENT } from './crawl-run.ts'
import { CrawlScope } from './crawl-scope.ts'
import { type ProbeTools, SiteProbe } from './site-probe.ts'

/**
 * Asks the seeds what a crawl would ask them first, by the crawl's own rules: robots.txt before a page, the user's headers
 * for the seeds' sites only, no private address but those the user typed. One request to a site at a time.
 */

const MAX_SEEDS = 10
const DEADLINE_MS = 10_000
const MAX_HOPS = 10

/** What a check needs of the host. */
type CheckFacts = Pick<HostFacts, 'parseWorker' | 'parseThreads' | 'isOwnAddress'>

export class SeedChecker {
  readonly #host: CheckFacts
  readonly #deadlineMs: number
  #running: AbortController | undefined

  /** @param deadlineMs for the whole of a check: what is not known by then is reported as too slow */
  constructor(host: CheckFacts, deadlineMs = DEADLINE_MS) {
    this.#host = host
    this.#deadlineMs = deadlineMs
  }

  /**
   * Ends the check before it, if that one still runs.
   * @throws Failure `bad_input` for a seed that is no web address or our own, and when a newer check took over
   */
  async check(settings: CrawlSettings): Promise<SeedCheck[]> {
    const seeds = settings.seeds.slice(0, MAX_SEEDS).map((seed) => this.#accept(seed))
    const controller = new AbortController()
    this.#running?.abort('replaced')
    this.#running = controller
    const deadline = setTimeout(() => controller.abort('deadline'), this.#deadlineMs)
    try {
      const checks = await this.#checkAll({ ...settings, seeds }, controller.signal)
      if (controller.signal.reason === 'replaced')
        throw new Failure('bad_input', 'A newer check took the place of this.')
      return checks
    } finally {
      clearTimeout(deadline)
      if (this.#running === controller) this.#running = undefined
    }
  }

  #accept(text: string): string {
    const seed = parseSeed(text)
    if (!this.#host.isOwnAddress(new URL(seed))) return seed
    throw new Failure('bad_input', `${seed} is Sandpiper itself: give the address of a site.`)
  }

  async #checkAll(settings: CrawlSettings, signal: AbortSignal): Promise<SeedCheck[]> {
    const scope = new CrawlScope(settings)
    const fetcher = new Fetcher({
      userAgent: settings.requests.userAgent ?? USER_AGENT,
      perHost: 1,
      timeoutMs: settings.requests.timeoutMs,
      maxBodyBytes: settings.limits.maxBodyBytes,
      allowsPrivate: scope.isSeedHost,
    })
    const parsePool = new ParsePool(this.#host.parseWorker, 1)
    const onAbort = (): void => {
      fetcher.destroy()
      void parsePool.close()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const round = new CheckRound({ settings, scope, fetcher, parsePool, signal }, this.#host.isOwnAddress)
      return await Promise.all(settings.seeds.map((seed) => round.check(seed)))
    } finally {
      signal.removeEventListener('abort', onAbort)
      fetcher.destroy()
      await parsePool.close()
    }
  }
}

interface Walk {
  hops: SeedCheck['hops']
  /** The last URL asked for, or that would have been. */
  url: string
  headers: ResponseHeaders
  robots: SeedCheck['robots']
  trouble: string
}

/** The seeds of one check; sites are shared among them. */
class CheckRound {
  readonly #tools: ProbeTools
  readonly #isOwnAddress: (url: URL) => boolean
  readonly #probes = new Map<string, SiteProbe>()

  constructor(tools: ProbeTools, isOwnAddress: (url: URL) => boolean) {
    this.#tools = tools
    this.#isOwnAddress = isOwnAddress
  }

  async check(seed: string): Promise<SeedCheck> {
    const { hops, url, headers, robots, trouble } = await this.#walk(seed)
    const probe = this.#probe(url)
    const answered = hops.at(-1)?.url === url ? hops.at(-1)! : null
    return {
      seed,
      hops,
      inScope: this.#isInScope(url),
      status: answered?.status ?? null,
      contentType: header(headers, 'content-type').slice(0, 200),
      trouble,
      robots,
      sitemaps: await probe.sitemaps(),
      ...probe.speed,
    }
  }

  async #walk(seed: string): Promise<Walk> {
    const { scope, fetcher, signal } = this.#tools
    const { headersFor } = scope
    const walk: Omit<Walk, 'robots' | 'trouble'> = { hops: [], url: seed, headers: {} }
    for (;;) {
      const { trouble, ...robots } = await this.#probe(walk.url).robots(walk.url)
      if (!robots.allowed) return { ...walk, robots, trouble }
      const fetched = await fetchFollowingSelf({ url: walk.url }, { fetcher, headersFor }, signal, () => {})
      if (!fetched.ok) return { ...walk, robots, trouble: fetched.code === 'aborted' ? 'timeout_total' : fetched.code }
      walk.hops.push({ url: walk.url, status: fetched.status })
      const next = redirectTarget(walk.url, fetched)
      if (next === '') return { ...walk, headers: fetched.headers, robots, trouble: '' }
      if (walk.hops.length > MAX_HOPS || walk.hops.some(({ url }) => url === next)) {
        return { ...walk, robots, trouble: 'redirect_loop' }
      }
      if (this.#isOwnAddress(new URL(next))) return { ...walk, robots, trouble: 'private_address' }
      scope.follow(next)
      walk.url = next
    }
  }

  #probe(url: string): SiteProbe {
    const { origin } = new URL(url)
    const probe = this.#probes.get(origin) ?? new SiteProbe(origin, this.#tools)
    this.#probes.set(origin, probe)
    return probe
  }

  #isInScope(url: string): boolean {
    const canonical = canonicalUrl(url)!
    const candidate = { url: canonical.url, key: canonical.key, isPage: true, depth: 0, found: 'seed' } as const
    return this.#tools.scope.admit(candidate).admitted
  }
}
