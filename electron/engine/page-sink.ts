import type { PageFacts, SitemapFile } from '../../shared/parse-job.ts'
import type { Claim, Reason } from './frontier.ts'

/**
 * Where finished work goes. `record` and `Frontier.claim` gather in one transaction; `commit` makes them durable.
 * Nothing may be counted, shown or logged before `commit` has returned. If it throws, nothing of the group happened and
 * the caller still owns every finished URL of it.
 */
export interface PageSink {
  record(finished: Finished): void
  commit(): void
  /** Forgets what has gathered since the last commit. */
  rollback(): void
  /** Sitemap files to read, in the order found. */
  pendingSitemaps(): SitemapRow[]
  addSitemap(url: string, foundIn: string, nesting: number): void
  finishSitemap(id: number, outcome: SitemapOutcome): void
  addSitemapEntry(sitemapId: number, url: string): void
}

export interface Finished {
  claim: Claim
  /** Wall clock, milliseconds. */
  startedAt: number
  endedAt: number
  outcome: Outcome
}

export type Outcome =
  | { state: 'done'; answer: Answer }
  | { state: 'final_failed'; reason: Reason; detail: string; answer: Answer | null }
  | { state: 'failed'; reason: Reason; detail: string; notBefore: number }
  | { state: 'skipped'; reason: Reason; detail: string }
  /** Given back untouched: the user paused or quit, the site is parked, or something local failed. Costs no attempt. */
  | { state: 'pending' }

/** What is kept of a complete answer. */
export interface Answer {
  status: number
  contentType: string
  headers: string
  wireBytes: number
  responseMs: number
  bytes: number
  hash: string
  /** Resolved target of a redirect; empty otherwise. */
  redirectTo: string
  page: PageFacts | null
}

export interface SitemapRow {
  id: number
  url: string
  nesting: number
}

export interface SitemapOutcome {
  state: 'done' | 'failed'
  status: number | null
  reason: string
  file: SitemapFile | null
}
