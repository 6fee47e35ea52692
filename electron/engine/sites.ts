import type { PolitenessSettings } from '../../shared/crawl-settings.ts'
import type { Clock } from './clock.ts'
import type { Frontier } from './frontier.ts'
import { Site } from './site.ts'

/** The sites of a crawl that have, or had, something to fetch. */

const MAX_PARKS = 10
const LONGEST_PARK_MS = 24 * 3_600_000
const LONGEST_DELAY_MS = 3_600_000
const YEAR_MS = 365 * LONGEST_PARK_MS

export class Sites {
  readonly #frontier: Frontier
  readonly #politeness: PolitenessSettings
  readonly #clock: Clock
  readonly #sites = new Map<number, Site>()
  /** Those with something to do: a crawl may know thousands of sites that are finished. */
  readonly #active = new Set<Site>()

  constructor(frontier: Frontier, politeness: PolitenessSettings, clock: Clock) {
    this.#frontier = frontier
    this.#politeness = politeness
    this.#clock = clock
  }

  [Symbol.iterator](): IterableIterator<Site> {
    return this.#active.values()
  }

  /** Notes that a site has URLs waiting. Returns it if it was not known before. */
  wake(id: number): Site | null {
    const known = this.#sites.get(id)
    const site = known ?? this.#load(id)
    site.hasWaiting = true
    this.#active.add(site)
    if (known) return null
    this.#sites.set(id, site)
    return site
  }

  known(): Iterable<Site> {
    return this.#sites.values()
  }

  get(id: number): Site {
    return this.#sites.get(id)!
  }

  /** Leaves a site out of the rounds until it is woken, if it has nothing to do. */
  rest(site: Site): void {
    if (!site.hasWaiting && site.inFlight === 0 && site.ready.length === 0 && site.errands.length === 0) {
      this.#active.delete(site)
    }
  }

  /** Is there a place, and would a claim be sent at once? */
  mayClaim(site: Site, now: number): boolean {
    if (!site.hasWaiting || site.ready.length > 0) return false
    return site.robots.kind === 'dead' || (site.robots.kind === 'known' && site.mayStart(now))
  }

  isAnyHungry(now: number): boolean {
    for (const site of this) if (this.mayClaim(site, now)) return true
    return false
  }

  mayAnyErrandStart(now: number): boolean {
    for (const site of this) if (site.errands.length > 0 && site.mayStart(now)) return true
    return false
  }

  /** When something may start that might not start at `since`, wall milliseconds; Infinity if nothing will. */
  nextWakeAt(since: number): number {
    let next = (this.#frontier.tally.failed > 0 ? this.#frontier.nextDueAt() : null) ?? Number.POSITIVE_INFINITY
    for (const site of this) {
      if (!site.hasWaiting && site.ready.length === 0 && site.errands.length === 0) continue
      const { robots } = site
      const opensAt = robots.kind === 'unreachable' ? Math.max(robots.askAgainAt, site.opensAt) : site.opensAt
      if (opensAt > since) next = Math.min(next, opensAt)
    }
    return next
  }

  /** The server asked for a pause; after ten in a row without a success the user must decide. */
  park(site: Site, until: number): void {
    site.row.parks++
    site.park(until, 'the site asked to wait')
    if (site.row.parks >= MAX_PARKS) site.park(this.#clock.wall() + YEAR_MS, `it asked to wait ${MAX_PARKS} times`)
  }

  /** Stored times are clamped: the clock may have been changed. */
  #load(id: number): Site {
    const row = this.#frontier.site(id)
    const now = this.#clock.wall()
    // Resuming is the user's word that a site parked for good may be asked again.
    if (row.parks >= MAX_PARKS) Object.assign(row, { parks: 0, parkedUntil: 0, parkReason: '' })
    row.parkedUntil = Math.min(row.parkedUntil, now + LONGEST_PARK_MS)
    row.nextAllowedAt = Math.min(row.nextAllowedAt, now + LONGEST_DELAY_MS)
    return new Site(row, this.#politeness.perHost, this.#politeness.delayMs)
  }
}
