import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import type { Clock } from './clock.ts'
import type { Fetcher } from './fetcher.ts'
import type { Claim, Frontier, FrontierCounts } from './frontier.ts'
import type { Finished, Outcome, PageSink } from './page-sink.ts'
import type { ParsePool } from './parse-pool.ts'
import { RobotsGate, refusedBy } from './robots-gate.ts'
import { Site } from './site.ts'
import { readSitemap } from './sitemap.ts'
import { type VisitTools, visit } from './visit.ts'

/**
 * The crawl loop. It claims URLs, sends them when their site allows, and records what became of them; claims and
 * finished pages share one group commit, and a request leaves only after the commit that holds its claim. README.md has
 * the picture.
 */

/** Claimed and not sent, plus finished and not committed: what a kill may cost beyond the requests in flight. */
const MAX_UNCOMMITTED = 50
const GROUP_MS = 100
/** Between two commits that are made only because a site has nothing left to send. */
const HUNGRY_COMMIT_MS = 10
const DRAIN_MS = 3_000
/** When nothing may run for this long, the crawl ends as `waiting`. */
const PATIENCE_MS = 600_000
const MAX_PARKS = 10
const YEAR_MS = 365 * 24 * 3_600_000

export interface CrawlTools {
  settings: CrawlSettings
  frontier: Frontier
  sink: PageSink
  fetcher: Fetcher
  parsePool: ParsePool
  clock: Clock
  random: () => number
  headersFor: (url: URL) => Record<string, string>
  /** Is this the origin of a seed? Its sitemaps are read. */
  isSeedOrigin: (origin: string) => boolean
  /** A seed was redirected: the crawl may have to follow it. */
  onSeedRedirect: (target: string) => void
}

export interface CrawlEnd {
  state: CrawlState
  reason: EndReason
  /** For `waiting`: when something may run again, wall milliseconds. For `error`: what went wrong. */
  waitingUntil: number | null
  error: unknown
}

export interface CrawlProgress {
  counts: FrontierCounts
  inFlight: number
  /** Of this run. */
  requests: number
  wireBytes: number
  pagesFinished: number
}

export class Crawl {
  readonly #tools: CrawlTools
  readonly #visitTools: VisitTools
  readonly #robots: RobotsGate
  readonly #sites = new Map<number, Site>()
  readonly #abort = new AbortController()
  readonly #requests = { count: 0, wireBytes: 0 }
  #ending: ((end: CrawlEnd) => void) | null = null
  #stopping = false
  #turnScheduled = false
  #commitTimer: NodeJS.Timeout | undefined
  #wakeTimer: NodeJS.Timeout | undefined
  #wakeTimerAt = Number.POSITIVE_INFINITY
  #drainTimer: NodeJS.Timeout | undefined
  /** Visits, robots and sitemap readings under way. */
  #tasks = 0
  #inFlight = 0
  #readyCount = 0
  #parsing = 0
  #uncommitted: { state: Outcome['state']; isPage: boolean }[] = []
  #firstUncommittedAt = 0
  #dirty = true
  #lastCommitAt = 0
  #lastStartAt = 0
  #fetchedPages: number
  #claimedPages = 0
  #suspectRunning = false
  #pagesFinished = 0
  #progressCounts: FrontierCounts
  #sitemapQueued = false

  constructor(tools: CrawlTools) {
    this.#tools = tools
    const { fetcher, parsePool, clock, random, settings, headersFor, frontier } = tools
    const { retries } = settings.requests
    this.#visitTools = {
      fetcher,
      parsePool,
      clock,
      random,
      requests: settings.requests,
      maxBodyBytes: settings.limits.maxBodyBytes,
      headersFor,
    }
    this.#robots = new RobotsGate({ fetcher, clock, random, retries, obey: settings.politeness.robots, headersFor })
    this.#fetchedPages = frontier.countFetchedPages()
    this.#progressCounts = { ...frontier.tally }
  }

  /** Runs until there is nothing left, a limit is reached, nothing may run, or someone stops it. Never rejects. */
  run(seeds: readonly string[]): Promise<CrawlEnd> {
    return new Promise((resolve) => {
      this.#ending = resolve
      this.#lastStartAt = this.#tools.clock.mono()
      try {
        for (const url of seeds) this.#tools.frontier.add({ url, key: url, isPage: true, depth: 0, found: 'seed' })
        for (const id of this.#tools.frontier.sitesWithWaiting()) this.#wakeSite(id)
        this.#commit()
      } catch (error) {
        this.#fail(error)
      }
      this.#schedule()
    })
  }

  /** Claims no more, lets running requests finish for three seconds, then ends them. */
  stop(): void {
    if (this.#stopping || this.#ending === null) return
    this.#stopping = true
    this.#drainTimer = setTimeout(() => this.abort(), DRAIN_MS)
    try {
      for (const site of this.#sites.values()) this.#releaseReady(site)
    } catch (error) {
      this.#fail(error)
    }
    this.#schedule()
  }

  /** Ends every request now; what was not finished waits again. */
  abort(): void {
    this.stop()
    this.#abort.abort()
    this.#tools.fetcher.destroy()
    void this.#tools.parsePool.close()
  }

  /** As of the last commit. */
  progress(): CrawlProgress {
    return {
      counts: this.#progressCounts,
      inFlight: this.#inFlight,
      requests: this.#requests.count,
      wireBytes: this.#requests.wireBytes,
      pagesFinished: this.#pagesFinished,
    }
  }

  #schedule(): void {
    if (this.#turnScheduled) return
    this.#turnScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#turnScheduled = false
    if (this.#ending === null) return
    try {
      for (const id of this.#tools.frontier.takeWoken()) this.#wakeSite(id)
      this.#startAll()
      if (this.#commitIsDue()) {
        this.#commit()
        this.#startAll()
      }
      if (this.#tasks === 0 && this.#readyCount === 0) this.#idle()
      else this.#armWake()
    } catch (error) {
      this.#fail(error)
    }
  }

  // ---- claiming and committing

  #commitIsDue(): boolean {
    const now = this.#tools.clock.mono()
    if (this.#uncommitted.length >= MAX_UNCOMMITTED) return true
    if (this.#dirty && (this.#tasks === 0 || now - this.#firstUncommittedAt >= GROUP_MS)) return true
    return now - this.#lastCommitAt >= HUNGRY_COMMIT_MS && this.#isHungry()
  }

  /** Is there a free place, and a site that could use it if it had a claim? */
  #isHungry(): boolean {
    if (this.#stopping || this.#inFlight >= this.#tools.settings.politeness.concurrency) return false
    const now = this.#tools.clock.wall()
    for (const site of this.#sites.values()) if (site.ready.length === 0 && this.#mayClaim(site, now)) return true
    return false
  }

  #mayClaim(site: Site, now: number): boolean {
    if (!site.hasWaiting || this.#suspectRunning) return false
    return site.robots.kind === 'dead' || (site.robots.kind === 'known' && site.mayStart(now))
  }

  #commit(): void {
    const { frontier, sink, clock } = this.#tools
    const now = clock.wall()
    if (!this.#stopping) {
      if (frontier.tally.failed > 0) for (const id of frontier.promoteDue(now)) this.#wakeSite(id)
      this.#claimAll(now)
    }
    sink.commit()
    this.#dirty = false
    clearTimeout(this.#commitTimer)
    this.#lastCommitAt = clock.mono()
    for (const { state, isPage } of this.#uncommitted) {
      if (!isPage) continue
      this.#claimedPages--
      if (state === 'done' || state === 'final_failed') {
        this.#fetchedPages++
        this.#pagesFinished++
      }
    }
    this.#uncommitted = []
    this.#progressCounts = { ...frontier.tally }
  }

  #claimAll(now: number): void {
    const claimable = [...this.#sites.values()].filter((site) => site.ready.length === 0 && this.#mayClaim(site, now))
    let budget = MAX_UNCOMMITTED - this.#readyCount - this.#parsing
    for (const [index, site] of claimable.entries()) {
      if (budget <= 0) return
      const share = Math.ceil(budget / (claimable.length - index))
      budget -= this.#claimFor(site, share, now)
    }
  }

  #claimFor(site: Site, share: number, now: number): number {
    const { frontier, settings } = this.#tools
    const paced = site.delayMs > 0 && site.robots.kind !== 'dead'
    if (paced && this.#inFlight + this.#readyCount >= settings.politeness.concurrency) return 0
    const pagesLeft = this.#pagesLeft()
    const which = pagesLeft > 0 ? 'all' : 'resources'
    const limit = Math.min(paced ? 1 : share, pagesLeft > 0 ? pagesLeft : share)
    const claims = frontier.claim(site.row.id, limit, which)
    if (claims.length < limit) site.hasWaiting = false
    if (paced && claims.length > 0) {
      site.row.nextAllowedAt = now + site.delayMs
      frontier.saveSite(site.row)
    }
    for (const claim of claims) if (claim.isPage) this.#claimedPages++
    site.ready.push(...claims)
    this.#readyCount += claims.length
    if (claims.length > 0) this.#markDirty()
    return claims.length
  }

  #pagesLeft(): number {
    const { maxPages } = this.#tools.settings.limits
    return maxPages === null ? Number.MAX_SAFE_INTEGER : maxPages - this.#fetchedPages - this.#claimedPages
  }

  #markDirty(): void {
    if (this.#dirty) return
    this.#dirty = true
    this.#firstUncommittedAt = this.#tools.clock.mono()
    this.#commitTimer = setTimeout(() => this.#schedule(), GROUP_MS)
  }

  // ---- starting

  #startAll(): void {
    const now = this.#tools.clock.wall()
    for (const site of this.#sites.values()) {
      if (this.#stopping) return
      this.#askRobots(site, now)
      this.#startErrands(site, now)
      if (site.ready.length > 0) this.#startReady(site, now)
    }
  }

  #startErrands(site: Site, now: number): void {
    while (site.errands.length > 0 && site.mayStart(now) && this.#hasPlace()) {
      if (site.begin(now)) this.#saveSite(site)
      this.#inFlight++
      site.errands.shift()!()
    }
  }

  #startReady(site: Site, now: number): void {
    const { robots } = site
    if (robots.kind === 'dead') {
      const outcome = { state: 'final_failed', reason: robots.code, detail: robots.detail, answer: null } as const
      for (const claim of site.ready.splice(0)) this.#finishUnsent(claim, outcome)
    }
    if (robots.kind !== 'known') return
    let sent = 0
    for (const claim of site.ready) {
      if (site.inFlight >= site.perHost || !this.#hasPlace() || site.row.parkedUntil > now) break
      sent++
      const refusal = refusedBy(robots.rules, claim.url)
      if (refusal === null) this.#send(site, claim)
      else this.#finishUnsent(claim, { state: 'skipped', reason: 'robots', detail: refusal })
    }
    if (sent > 0) site.ready.splice(0, sent)
    if (site.row.parkedUntil > now) this.#releaseReady(site)
  }

  #hasPlace(): boolean {
    return this.#inFlight < this.#tools.settings.politeness.concurrency
  }

  #send(site: Site, claim: Claim): void {
    this.#readyCount--
    this.#tasks++
    this.#inFlight++
    site.inFlight++
    this.#lastStartAt = this.#tools.clock.mono()
    const startedAt = this.#tools.clock.wall()
    const arrived = (): void => {
      this.#inFlight--
      site.inFlight--
      this.#parsing++
      this.#schedule()
    }
    visit(claim, this.#visitTools, this.#abort.signal, this.#countRequest, arrived).then(
      ({ outcome, parkUntil, answered }) => {
        this.#parsing--
        this.#tasks--
        if (this.#ending === null) return
        try {
          if (parkUntil > 0) this.#park(site, parkUntil)
          else if (answered && site.unpark()) this.#saveSite(site)
          this.#record({ claim, outcome, startedAt, endedAt: this.#tools.clock.wall() })
        } catch (error) {
          this.#fail(error)
        }
        this.#schedule()
      },
      (error) => this.#fail(error),
    )
  }

  readonly #countRequest = (wireBytes: number): void => {
    this.#requests.count++
    this.#requests.wireBytes += wireBytes
  }

  #finishUnsent(claim: Claim, outcome: Outcome): void {
    this.#readyCount--
    const now = this.#tools.clock.wall()
    this.#record({ claim, outcome, startedAt: now, endedAt: now })
  }

  #record(finished: Finished): void {
    const { claim, outcome } = finished
    if (outcome.state === 'done' && outcome.answer.redirectTo !== '' && claim.depth === 0) {
      this.#tools.onSeedRedirect(outcome.answer.redirectTo)
    }
    this.#tools.sink.record(finished)
    this.#markDirty()
    this.#uncommitted.push({ state: outcome.state, isPage: claim.isPage })
    this.#suspectRunning = false
    if (outcome.state === 'pending') this.#wakeSite(claim.siteId)
  }

  #releaseReady(site: Site): void {
    for (const claim of site.ready.splice(0)) this.#finishUnsent(claim, { state: 'pending' })
  }

  #park(site: Site, until: number): void {
    site.park(until, 'the site asked to wait')
    if (site.row.parks >= MAX_PARKS)
      site.park(this.#tools.clock.wall() + YEAR_MS, `it asked to wait ${MAX_PARKS} times`)
    this.#releaseReady(site)
    this.#saveSite(site)
  }

  #saveSite(site: Site): void {
    this.#tools.frontier.saveSite(site.row)
    this.#markDirty()
  }

  // ---- sites, robots, sitemaps

  #wakeSite(id: number): void {
    const known = this.#sites.get(id)
    if (known) {
      known.hasWaiting = true
      return
    }
    const { frontier, settings, clock } = this.#tools
    const row = frontier.site(id)
    // A resumed crawl is the user's word that a site parked for good may be asked again.
    if (row.parks >= MAX_PARKS) Object.assign(row, { parks: 0, parkedUntil: 0, parkReason: '' })
    const latest = clock.wall() + 24 * 3_600_000
    row.parkedUntil = Math.min(row.parkedUntil, latest)
    row.nextAllowedAt = Math.min(row.nextAllowedAt, clock.wall() + 3_600_000)
    const site = new Site(row, settings.politeness.perHost, settings.politeness.delayMs)
    this.#sites.set(id, site)
    if (this.#robots.recall(site)) this.#queueSitemaps(site)
  }

  #askRobots(site: Site, now: number): void {
    const { robots } = site
    if (robots.kind === 'asking' || robots.kind === 'known' || robots.kind === 'dead') return
    if (robots.kind === 'unreachable' && robots.askAgainAt > now) return
    if (site.errands.length > 0) return
    site.errands.push(() => {
      this.#errand(site, async () => {
        await this.#robots.ask(site, this.#abort.signal, this.#countRequest)
        if (this.#ending === null) return
        if (site.robots.kind === 'known') {
          this.#saveSite(site)
          this.#queueSitemaps(site)
        }
      })
    })
  }

  #queueSitemaps(site: Site): void {
    const { sink, settings, isSeedOrigin } = this.#tools
    if (!settings.politeness.sitemaps || site.robots.kind !== 'known' || !isSeedOrigin(site.row.origin)) return
    for (const url of site.robots.rules.sitemaps) sink.addSitemap(url, `${site.row.origin}/robots.txt`, 0)
    sink.addSitemap(`${site.row.origin}/sitemap.xml`, '', 0)
    this.#markDirty()
    this.#nextSitemap(site)
  }

  /** One sitemap file at a time, as an errand of the seed's site. */
  #nextSitemap(site: Site): void {
    if (this.#sitemapQueued || this.#stopping) return
    const [row] = this.#tools.sink.pendingSitemaps()
    if (!row) return
    this.#sitemapQueued = true
    const { settings, sink, fetcher, parsePool, random, headersFor } = this.#tools
    const tools = {
      sink,
      fetcher,
      parsePool,
      random,
      headersFor,
      retries: settings.requests.retries,
      maxBodyBytes: settings.limits.maxBodyBytes,
    }
    site.errands.push(() => {
      this.#errand(site, async () => {
        await readSitemap(row, tools, this.#abort.signal, this.#countRequest)
        this.#sitemapQueued = false
        if (this.#ending === null) return
        this.#markDirty()
        this.#nextSitemap(site)
      })
    })
  }

  #errand(site: Site, work: () => Promise<void>): void {
    this.#tasks++
    this.#lastStartAt = this.#tools.clock.mono()
    work()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#tasks--
        this.#inFlight--
        site.inFlight--
        this.#schedule()
      })
  }

  // ---- ending

  /** Nothing is under way: is there anything that may start, now or later? */
  #idle(): void {
    const { frontier, clock, settings } = this.#tools
    if (this.#uncommitted.length > 0 || this.#dirty) return this.#schedule()
    if (this.#stopping) return this.#end({ state: 'stopped', reason: 'signal' })
    const now = clock.wall()
    if (this.#isHungry()) return this.#schedule()
    if ([...this.#sites.values()].some((site) => site.errands.length > 0 && site.mayStart(now))) return this.#schedule()
    if (!frontier.hasWaiting() && !this.#sitemapQueued) {
      if (settings.limits.maxDepth !== null && frontier.reviewDepths(settings.limits.maxDepth)) return this.#dirtyTurn()
      return this.#end({ state: 'finished', reason: 'finished' })
    }
    if (this.#pagesLeft() <= 0) return this.#end({ state: 'stopped', reason: 'limit' })
    const next = this.#nextWakeAt()
    if (next === Number.POSITIVE_INFINITY && this.#runSuspect()) return
    if (next - now > PATIENCE_MS || clock.mono() - this.#lastStartAt > PATIENCE_MS) {
      return this.#end({ state: 'paused', reason: 'waiting', waitingUntil: next })
    }
    this.#armWake()
  }

  #dirtyTurn(): void {
    this.#markDirty()
    this.#schedule()
  }

  #runSuspect(): boolean {
    const claim = this.#tools.frontier.claimSuspect()
    if (claim === null) return false
    this.#wakeSite(claim.siteId)
    if (claim.isPage) this.#claimedPages++
    this.#suspectRunning = true
    this.#readyCount++
    this.#sites.get(claim.siteId)!.ready.push(claim)
    this.#dirtyTurn()
    return true
  }

  /** When something may start that may not start now, wall milliseconds; Infinity if nothing will. */
  #nextWakeAt(): number {
    const { frontier, clock } = this.#tools
    const now = clock.wall()
    let next = (frontier.tally.failed > 0 ? frontier.nextDueAt() : null) ?? Number.POSITIVE_INFINITY
    for (const site of this.#sites.values()) {
      if (!site.hasWaiting && site.ready.length === 0 && site.errands.length === 0) continue
      const { robots } = site
      const opensAt = robots.kind === 'unreachable' ? Math.max(robots.askAgainAt, site.opensAt) : site.opensAt
      if (opensAt > now) next = Math.min(next, opensAt)
    }
    return next
  }

  #armWake(): void {
    const at = Math.min(this.#nextWakeAt(), this.#tools.clock.wall() + PATIENCE_MS)
    if (at >= this.#wakeTimerAt) return
    clearTimeout(this.#wakeTimer)
    this.#wakeTimerAt = at
    this.#wakeTimer = setTimeout(
      () => {
        this.#wakeTimerAt = Number.POSITIVE_INFINITY
        this.#schedule()
      },
      Math.max(1, at - this.#tools.clock.wall()),
    )
  }

  #fail(error: unknown): void {
    this.#tools.sink.rollback()
    this.#end({ state: 'failed', reason: 'error', error })
  }

  #end(end: Partial<CrawlEnd> & Pick<CrawlEnd, 'state' | 'reason'>): void {
    const resolve = this.#ending
    if (resolve === null) return
    this.#ending = null
    clearTimeout(this.#commitTimer)
    clearTimeout(this.#wakeTimer)
    clearTimeout(this.#drainTimer)
    this.#abort.abort()
    this.#tools.fetcher.destroy()
    resolve({ waitingUntil: null, error: null, ...end })
  }
}
