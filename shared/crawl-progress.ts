import type { FrontierState } from './frontier-state.ts'

/** Where a running crawl stands, as of its last commit. */
export interface CrawlProgress {
  /** URLs by state. */
  counts: Record<FrontierState, number>
  inFlight: number
  /** Of this run; robots.txt, sitemaps and retries included. */
  requests: number
  wireBytes: number
  pagesFinished: number
}
