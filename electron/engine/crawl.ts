import type { CrawlProgress } from '../../shared/crawl-progress.ts'
import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { Failure } from '../../shared/failure.ts'
import type { SkipReason } from '../../shared/page-outcome.ts'
import { Alarm } from './alarm.ts'
import { Errands, type ErrandTools } from './errands.ts'
import type { Admit, Claim, FrontierCounts, SiteRow, UrlChange } from './frontier.ts'
import { PageQuota } from './page-quota.ts'
import type { Finished, Outcome } from './page-sink.ts'
import type { RobotsRules } from './robots.ts'
import { refusedBy } from './robots-gate.ts'
import type { Site } from './site.ts'
import { Sites } from './sites.ts'
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

export interface CrawlTools extends ErrandTools {
  /** Asked again before a URL is sent: what is decided may have changed since it was found. */
  admit: Admit
  /** A seed was redirected: the crawl may have to follow it. */
  onSeedRedirect: (target: string) => void
}

/** A site of a running crawl, now. */
export interface SiteProgress extends SiteRow {
  inFlight: number
  /** Between request starts, in milliseconds. */
  delayMs: number
}

export interface CrawlEnd {
  state: CrawlState
  reason: EndReason
  /** For `waiting`: when something may run again, wall milliseconds. */
  waitingUntil: number | null
  /** For `error`: what went wrong. */
  error: unknown
}

export class Crawl {
  readonly #tools: CrawlTools
  readonly #visitTools: VisitTools
  readonly #sites: Sites
  readonly #errands: Errands
  readonly #abort = new AbortController()
  readonly #concurrency: number
  readonly #quota: PageQuota
  readonly #commitAlarm = new Alarm(() => this.#schedule())
  readonly #wakeAlarm = new Alarm(() => this.#schedule())
  #resolve: ((end: CrawlEnd) => void) | null = null
  #mode: 'running' | 'pausing' | 'stopping' = 'running'
  /** The computer sleeps: nothing starts, nothing ends. */
  #isHeld = false
  #turnScheduled = false
  #drainTimer: NodeJS.Timeout | undefined
  /** Visits and errands under way; those of them that hold a connection; those that wait for a parse worker. */
  #tasks = 0
  #inFlight = 0
  #parsing = 0
  /** Claims not sent yet, over all sites. */
  #ready = 0
  #dirty = false
  #dirtySince = 0
  #uncommitted: { state: Outcome['state']; isPage: boolean }[] = []
  #lastCommitAt = 0
  #lastStartAt = 0
  /** When the turn began: what has become possible since then is for the next one. */
  #turnAt = 0
  #suspectRunning = false
  #counts: FrontierCounts
  #requests = 0
  #wireBytes = 0

  constructor(tools: CrawlTools) {
    const { fetcher, parsePool, clock, random, settings, headersFor, frontier } = tools
    const { requests, limits, politeness } = settings
    this.#tools = tools
    this.#concurrency = politeness.concurrency
    this.#visitTools = { fetcher, parsePool, clock, random, requests, maxBodyBytes: limits.maxBodyBytes, headersFor }
    this.#sites = new Sites(frontier, politeness, clock)
    this.#errands = new Errands(tools, this.#abort.signal, this.#countRequest, this.#markDirty)
    this.#quota = new PageQuota(limits.maxPages, frontier.countFetchedPages())
    this.#counts = { ...frontier.tally }
  }

  /** Runs until nothing is left, a limit is reached, nothing may run, or someone stops it. Never rejects. */
  run(seeds: readonly string[]): Promise<CrawlEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#lastStartAt = this.#tools.clock.mono()
      this.#guard(() => {
        for (const url of seeds) this.#tools.frontier.add({ url, key: url, isPage: true, depth: 0, found: 'seed' })
        this.#markDirty()
        for (const id of this.#tools.frontier.sitesWithWaiting()) this.#wakeSite(id)
        this.#commit()
      })
    })
  }

  get mode(): 'running' | 'pausing' | 'stopping' {
    return this.#mode
  }

  /** Finished and not committed yet. */
  get unsaved(): number {
    return this.#uncommitted.length
  }

  /** Claims no more and lets running requests finish, each within its own time limit; then the crawl ends as `paused`. */
  pause(): void {
    if (this.#mode === 'running') this.#wind('pausing')
  }

  /** Takes a pause back whose running requests have not all finished. */
  carryOn(): void {
    if (this.#mode !== 'pausing' || this.#resolve === null) return
    this.#mode = 'running'
    this.#guard(() => {
      for (const id of this.#tools.frontier.sitesWithWaiting()) this.#wakeSite(id)
    })
  }

  /** Claims no more, lets running requests finish for three seconds, then ends them. */
  stop(): void {
    if (this.#mode === 'stopping' || this.#resolve === null) return
    this.#drainTimer = setTimeout(() => this.abort(), DRAIN_MS)
    this.#wind('stopping')
  }

  #wind(mode: 'pausing' | 'stopping'): void {
    if (this.#resolve === null) return
    this.#mode = mode
    this.#isHeld = false
    this.#guard(() => {
      for (const site of this.#sites) this.#releaseReady(site)
    })
  }

  /** The computer is about to sleep: starts nothing more. */
  hold(): void {
    this.#isHeld = this.#mode === 'running'
  }

  /** It is awake again: its old connections are dead, requests on them wait anew without having cost a try. */
  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#tools.fetcher.renew()
    this.#lastStartAt = this.#tools.clock.mono()
    this.#schedule()
  }

  /** Ends every request now; what was not finished waits again. */
  abort(): void {
    this.stop()
    this.#abort.abort()
    this.#tools.fetcher.destroy()
    void this.#tools.parsePool.close()
  }

  /**
   * Carries out what the user changes by hand, and commits it; what is claimed and not sent is given back first. Returns
   * how many URLs changed.
   * @throws Failure `bad_input` when the crawl is just ending, or what the store throws
   */
  change(change: UrlChange): number {
    if (this.#resolve === null) throw new Failure('bad_input', 'The crawl is just ending: try again in a moment.')
    for (const site of this.#sites) this.#releaseReady(site)
    const { changed, pagesBack } = this.#tools.frontier.change(change)
    this.#quota.giveBack(pagesBack)
    try {
      this.#commit()
    } catch (error) {
      this.#fail(error)
      throw error
    }
    this.#schedule()
    return changed
  }

  /** Commits what is complete and claims nothing: the computer may go down at once. */
  checkpoint(): void {
    if (this.#resolve === null) return
    try {
      this.#commit(false)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** How each site that has had something to do is doing. */
  sites(): SiteProgress[] {
    return [...this.#sites.known()].map(({ row, inFlight, delayMs }) => ({ ...row, inFlight, delayMs }))
  }

  /** As of the last commit. */
  progress(): CrawlProgress {
    return {
      counts: this.#counts,
      inFlight: this.#inFlight,
      requests: this.#requests,
      wireBytes: this.#wireBytes,
      pagesFinished: this.#quota.finished,
    }
  }

  // ---- the turn: start what may start, commit when due, look whether it is over

  /** Runs `work` and takes a turn after it; an error ends the crawl. */
  #guard(work: () => void): void {
    if (this.#resolve === null) return
    try {
      work()
    } catch (error) {
      this.#fail(error)
    }
    this.#schedule()
  }

  #schedule(): void {
    if (this.#turnScheduled || this.#resolve === null) return
    this.#turnScheduled = true
    setImmediate(() => {
      this.#turnScheduled = false
      if (this.#resolve === null) return
      try {
        this.#turn()
      } catch (error) {
        this.#fail(error)
      }
    })
  }

  #turn(): void {
    this.#turnAt = this.#tools.clock.wall()
    for (const id of this.#tools.frontier.takeWoken()) this.#wakeSite(id)
    this.#startAll()
    if (this.#isCommitDue()) {
      this.#commit()
      this.#startAll()
      this.#schedule()
    }
    if (this.#isHeld) return
    if (this.#tasks === 0 && this.#ready === 0) this.#decide()
    else this.#armWake()
  }

  /** Nothing is under way: go on, wait, or end. */
  #decide(): void {
    const { frontier, clock, settings } = this.#tools
    const now = clock.wall()
    if (this.#dirty) this.#schedule()
    else if (this.#mode === 'pausing') this.#end({ state: 'paused', reason: 'signal' })
    else if (this.#mode === 'stopping') this.#end({ state: 'stopped', reason: 'signal' })
    else if (this.#sites.isAnyHungry(now) || this.#sites.mayAnyErrandStart(now)) this.#schedule()
    else if (!frontier.hasWaiting() && !this.#errands.areLeft) {
      if (settings.limits.maxDepth !== null && frontier.reviewDepths()) this.#guard(this.#markDirty)
      else this.#end({ state: 'finished', reason: 'finished' })
    } else if (this.#quota.left <= 0) this.#end({ state: 'stopped', reason: 'limit' })
    else this.#wait(now)
  }

  #wait(now: number): void {
    const next = this.#sites.nextWakeAt(this.#turnAt)
    if (next === Number.POSITIVE_INFINITY && this.#runSuspect()) return
    const idleMs = this.#tools.clock.mono() - this.#lastStartAt
    if (next - now <= PATIENCE_MS && idleMs <= PATIENCE_MS) this.#armWake()
    else this.#end({ state: 'paused', reason: 'waiting', waitingUntil: next })
  }

  // ---- claiming and committing

  #isCommitDue(): boolean {
    const now = this.#tools.clock.mono()
    if (this.#uncommitted.length >= MAX_UNCOMMITTED) return true
    if (this.#dirty && (this.#tasks === 0 || now - this.#dirtySince >= GROUP_MS)) return true
    if (this.#mayNotStart() || this.#suspectRunning) return false
    if (this.#isRetryDue()) return true
    if (!this.#hasPlace()) return false
    if (!this.#sites.isAnyHungry(this.#tools.clock.wall())) return false
    const early = this.#lastCommitAt + HUNGRY_COMMIT_MS - now
    if (early > 0) this.#wakeAlarm.set(now + early, now)
    return early <= 0
  }

  #isRetryDue(): boolean {
    const { frontier, clock } = this.#tools
    return frontier.tally.failed > 0 && (frontier.nextDueAt() ?? Number.POSITIVE_INFINITY) <= clock.wall()
  }

  readonly #markDirty = (): void => {
    if (this.#dirty) return
    this.#dirty = true
    this.#dirtySince = this.#tools.clock.mono()
    this.#commitAlarm.set(this.#dirtySince + GROUP_MS, this.#dirtySince)
  }

  #commit(mayClaim = !this.#mayNotStart()): void {
    const { frontier, sink, clock } = this.#tools
    if (mayClaim) {
      const now = clock.wall()
      if (this.#isRetryDue()) for (const id of frontier.promoteDue(now)) this.#wakeSite(id)
      if (!this.#suspectRunning) this.#claimAll(now)
    }
    sink.commit()
    this.#commitAlarm.clear()
    this.#dirty = false
    this.#lastCommitAt = clock.mono()
    for (const { state, isPage } of this.#uncommitted) if (isPage) this.#quota.settle(state)
    this.#uncommitted = []
    this.#counts = { ...frontier.tally }
  }

  #claimAll(now: number): void {
    const hungry = [...this.#sites].filter((site) => this.#sites.mayClaim(site, now))
    let budget = MAX_UNCOMMITTED - this.#ready - this.#parsing
    for (const [index, site] of hungry.entries()) {
      if (budget <= 0) return
      budget -= this.#claimFor(site, Math.ceil(budget / (hungry.length - index)), now)
    }
  }

  /** A site with a delay gets one claim at a time, sent right after the commit that stores its moved clock. */
  #claimFor(site: Site, share: number, now: number): number {
    const paced = site.delayMs > 0 && site.robots.kind !== 'dead'
    if (paced && this.#inFlight + this.#ready >= this.#concurrency) return 0
    const pagesLeft = this.#quota.left
    const limit = Math.min(paced ? 1 : share, pagesLeft > 0 ? pagesLeft : share)
    const claims = this.#tools.frontier.claim(site.row.id, limit, pagesLeft > 0 ? 'all' : 'resources')
    if (claims.length < limit) site.hasWaiting = false
    if (claims.length === 0) return 0
    if (paced) {
      site.row.nextAllowedAt = now + site.delayMs
      this.#tools.frontier.saveSite(site.row)
    }
    this.#addReady(site, claims)
    return claims.length
  }

  #addReady(site: Site, claims: Claim[]): void {
    for (const claim of claims) if (claim.isPage) this.#quota.claim()
    site.ready.push(...claims)
    this.#ready += claims.length
    this.#markDirty()
  }

  /** What was in flight at too many unclean ends runs alone, after everything else. */
  #runSuspect(): boolean {
    const claim = this.#tools.frontier.claimSuspect()
    if (claim === null) return false
    this.#wakeSite(claim.siteId)
    this.#suspectRunning = true
    this.#addReady(this.#sites.get(claim.siteId), [claim])
    this.#schedule()
    return true
  }

  // ---- starting and finishing

  #hasPlace(): boolean {
    return this.#inFlight < this.#concurrency
  }

  #mayNotStart(): boolean {
    return this.#mode !== 'running' || this.#isHeld
  }

  #startAll(): void {
    if (this.#mayNotStart()) return
    const now = this.#tools.clock.wall()
    for (const site of this.#sites) {
      if (site.hasWaiting || site.ready.length > 0) this.#errands.askRobots(site, now)
      if (site.errands.length > 0) this.#startErrands(site, now)
      if (site.ready.length > 0) this.#startReady(site, now)
      this.#sites.rest(site)
    }
  }

  #startErrands(site: Site, now: number): void {
    while (site.errands.length > 0 && site.mayStart(now) && this.#hasPlace()) {
      const errand = site.errands.shift()!
      if (site.delayMs > 0) {
        site.row.nextAllowedAt = now + site.delayMs
        this.#saveSite(site)
      }
      this.#occupy(site)
      errand()
        .catch((error) => this.#fail(error))
        .finally(() => {
          this.#tasks--
          this.#vacate(site)
        })
    }
  }

  #startReady(site: Site, now: number): void {
    const { robots } = site
    if (robots.kind === 'dead') {
      const { code: reason, detail } = robots
      for (const claim of site.ready.splice(0)) {
        this.#finishUnsent(claim, { state: 'final_failed', reason, detail, answer: null })
      }
    }
    if (robots.kind !== 'known') return
    if (site.row.parkedUntil > now) this.#releaseReady(site)
    let taken = 0
    for (const claim of site.ready) {
      if (site.inFlight >= site.perHost || !this.#hasPlace()) break
      taken++
      const refusal = this.#refuse(claim, robots.rules)
      if (refusal === null) this.#send(site, claim)
      else this.#finishUnsent(claim, { state: 'skipped', ...refusal })
    }
    if (taken > 0) site.ready.splice(0, taken)
  }

  /** Why a URL is not fetched after all: settings may have changed since it was found, and robots.txt was not known then. */
  #refuse({ url, depth, isPage }: Claim, rules: RobotsRules): { reason: SkipReason; detail: string } | null {
    const admission = this.#tools.admit({ url, key: url, isPage, depth, found: 'link' })
    if (!admission.admitted) return { reason: admission.reason, detail: admission.detail }
    const detail = refusedBy(rules, url)
    return detail === null ? null : { reason: 'robots', detail }
  }

  #occupy(site: Site): void {
    this.#tasks++
    this.#inFlight++
    site.inFlight++
    this.#lastStartAt = this.#tools.clock.mono()
  }

  #vacate(site: Site): void {
    this.#inFlight--
    site.inFlight--
    this.#schedule()
  }

  #send(site: Site, claim: Claim): void {
    const startedAt = this.#tools.clock.wall()
    this.#ready--
    this.#occupy(site)
    const arrived = (): void => {
      this.#parsing++
      this.#vacate(site)
    }
    visit(claim, this.#visitTools, this.#abort.signal, this.#countRequest, arrived).then(
      ({ outcome, parkUntil, answered }) => {
        this.#tasks--
        this.#parsing--
        this.#guard(() => {
          if (parkUntil > 0) this.#park(site, parkUntil)
          else if (answered && site.unpark()) this.#saveSite(site)
          this.#record({ claim, outcome, startedAt, endedAt: this.#tools.clock.wall() })
        })
      },
      (error) => this.#fail(error),
    )
  }

  readonly #countRequest = (wireBytes: number): void => {
    this.#requests++
    this.#wireBytes += wireBytes
  }

  #finishUnsent(claim: Claim, outcome: Outcome): void {
    this.#ready--
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
    this.#sites.park(site, until)
    this.#releaseReady(site)
    this.#saveSite(site)
  }

  #saveSite(site: Site): void {
    this.#tools.frontier.saveSite(site.row)
    this.#markDirty()
  }

  #wakeSite(id: number): void {
    const fresh = this.#sites.wake(id)
    if (fresh) this.#errands.welcome(fresh)
  }

  /** Comes back when something may start that may not start now. */
  #armWake(): void {
    const delayMs = Math.min(this.#sites.nextWakeAt(this.#turnAt) - this.#tools.clock.wall(), PATIENCE_MS)
    const mono = this.#tools.clock.mono()
    this.#wakeAlarm.set(mono + delayMs, mono)
  }

  // ---- ending

  #fail(error: unknown): void {
    if (this.#resolve === null) return
    this.#tools.sink.rollback()
    this.#end({ state: 'failed', reason: 'error', error })
  }

  #end(end: Partial<CrawlEnd> & Pick<CrawlEnd, 'state' | 'reason'>): void {
    const resolve = this.#resolve
    this.#resolve = null
    this.#commitAlarm.clear()
    this.#wakeAlarm.clear()
    clearTimeout(this.#drainTimer)
    this.#abort.abort()
    this.#tools.fetcher.destroy()
    resolve?.({ waitingUntil: null, error: null, ...end })
  }
}
