import type { FailureCode, SkipReason } from '../../shared/page-outcome.ts'

/**
 * The frontier as the engine sees it: all known URLs and their state. Implemented by the store.
 *
 * Obligations: a URL handed out by `claim` is in progress until it is given back through PageSink.record, whatever the
 * outcome; a request may leave only after the commit that holds its claim. `hasWaiting` false means nothing is left,
 * not that nothing may run right now.
 */
export interface Frontier {
  /** Rows by state, the open group included; kept up to date, counted from rows at open. */
  readonly tally: Readonly<FrontierCounts>
  /** At most `limit` waiting URLs of one site, nearest first; `resources` leaves the pages out. */
  claim(siteId: number, limit: number, which: 'all' | 'resources'): Claim[]
  /** The one URL that was in flight at too many unclean ends, to be run alone; null if there is none. */
  claimSuspect(): Claim | null
  /** Failed URLs whose time has come are waiting again. Returns the sites they belong to. */
  promoteDue(nowMs: number): number[]
  /** When the next failed URL is due, in wall milliseconds; null if none waits. */
  nextDueAt(): number | null
  /** Sites that have waiting URLs. */
  sitesWithWaiting(): number[]
  /** Sites that have gained waiting URLs since the last call. */
  takeWoken(): number[]
  site(id: number): SiteRow
  /** Adds a URL the engine has admitted, or finds it; see Admission. */
  add(candidate: Candidate): void
  /** Is anything left that is not final: waiting, or failed and due later? */
  hasWaiting(): boolean
  /** Pages (not resources) that are done or final_failed. */
  countFetchedPages(): number
  /** Works out how many links each URL is from a seed and lets those back in that `max_depth` left out wrongly; true if there were any. */
  reviewDepths(): boolean
  /** Stores a site's clock, parking and robots answer with the next commit. */
  saveSite(site: SiteRow): void
  /** Gathers with the next commit, whole or not at all. */
  change(change: UrlChange): Changed
}

/** What a user changes by hand. URLs that the change does not fit stay as they are. */
export type UrlChange =
  /** What is finished, failed or skipped waits again, its counters reset. What is no part of the crawl stays out. */
  | { kind: 'retry'; ids: readonly number[] }
  /** What waits comes before all others. */
  | { kind: 'moveToFront'; ids: readonly number[] }
  /** What waits is skipped. */
  | { kind: 'skip'; ids: readonly number[]; reason: SkipReason; detail: string }

export interface Changed {
  changed: number
  /** Pages that were done or final_failed, and are so no longer. */
  pagesBack: number
}

export interface Claim {
  id: number
  url: string
  siteId: number
  isPage: boolean
  /** Fewest links from a seed as far as known; null if only a sitemap names it. */
  depth: number | null
  attempts: number
  crashes: number
}

/** A web server we crawl, by origin ("https://example.org"): robots.txt and politeness are kept per origin. */
export interface SiteRow {
  id: number
  origin: string
  /** No request before this wall time, in milliseconds. */
  nextAllowedAt: number
  /** Parked by the server until this wall time; 0 if not parked. */
  parkedUntil: number
  parkReason: string
  /** Parks in a row without a success. */
  parks: number
  robotsStatus: number | null
  /** The robots.txt as fetched, at most 500 KiB; empty if there is none. */
  robotsBody: Uint8Array
  robotsFetchedAt: number
}

export interface Candidate {
  url: string
  key: string
  isPage: boolean
  depth: number | null
  found: 'seed' | 'link' | 'sitemap'
}

/** The engine's decision about a URL the store has not seen before. */
export type Admission = { admitted: true; origin: string } | { admitted: false; reason: SkipReason; detail: string }

export type Admit = (candidate: Candidate) => Admission

export interface FrontierCounts {
  pending: number
  processing: number
  failed: number
  done: number
  final_failed: number
  skipped: number
}

export type Reason = FailureCode | SkipReason
