import type { FailureCode } from '../../shared/page-outcome.ts'
import type { Claim, SiteRow } from './frontier.ts'
import type { RobotsRules } from './robots.ts'

/**
 * One site being crawled: its politeness clock, what is under way, what is claimed and not yet sent, and what its
 * robots.txt said. A site may start a request when it has a free place, its clock has passed and robots are known.
 */
export type RobotsState =
  | { kind: 'unknown' }
  | { kind: 'asking' }
  | { kind: 'known'; rules: RobotsRules }
  /** The server failed to say: nothing is fetched until it is asked again. */
  | { kind: 'unreachable'; askAgainAt: number; tries: number }
  /** No connection at all: its URLs fail with this code. */
  | { kind: 'dead'; code: FailureCode; detail: string }

export class Site {
  readonly row: SiteRow
  readonly perHost: number
  robots: RobotsState = { kind: 'unknown' }
  /** Claimed, committed, not yet sent. */
  ready: Claim[] = []
  inFlight = 0
  hasWaiting = true
  /** robots.txt and sitemaps: sent before pages, under the same clock. */
  readonly errands: (() => Promise<void>)[] = []
  #delayMs: number

  constructor(row: SiteRow, perHost: number, delayMs: number) {
    this.row = row
    this.perHost = perHost
    this.#delayMs = delayMs
  }

  /** Between request starts, in milliseconds. */
  get delayMs(): number {
    return this.#delayMs
  }

  raiseDelay(delayMs: number): void {
    this.#delayMs = Math.max(this.#delayMs, delayMs)
  }

  /** When a request may start, by the wall clock; 0 when now. */
  get opensAt(): number {
    return Math.max(this.row.nextAllowedAt, this.row.parkedUntil)
  }

  mayStart(now: number): boolean {
    return this.inFlight < this.perHost && this.opensAt <= now
  }

  park(until: number, reason: string): void {
    this.row.parkedUntil = Math.max(this.row.parkedUntil, until)
    this.row.parkReason = reason
  }

  /** An answer that was no refusal. True if that is news to be stored. */
  unpark(): boolean {
    if (this.row.parks === 0 && this.row.parkReason === '') return false
    this.row.parks = 0
    this.row.parkedUntil = 0
    this.row.parkReason = ''
    return true
  }
}
