/**
 * The states of a crawl. A page error never makes a crawl `failed`.
 *
 *   idle ──► running ⇄ pausing ──► paused
 *               │ └──► finished | failed
 *               └──► stopping ──► stopped
 *   paused | stopped | failed ──► running   (resume)
 *   finished ──► running                    (retry failed, or a raised limit)
 */
export const CRAWL_STATES = [
  'idle',
  'running',
  'pausing',
  'paused',
  'stopping',
  'stopped',
  'finished',
  'failed',
] as const
export type CrawlState = (typeof CRAWL_STATES)[number]

/** What a crawl is called from the beginning of a life to its good end. @param state also of a listing, which knows more words */
export const isLive = (state: string): boolean => state === 'running' || state === 'pausing' || state === 'stopping'

/** Why a run ended; command-line scripts read these words. */
export const END_REASONS = ['finished', 'limit', 'signal', 'waiting', 'error'] as const
export type EndReason = (typeof END_REASONS)[number]

/** Whether there is anything to carry on with. @param state as in isLive @param hasMore URLs or sitemaps wait */
export const isResumable = (state: string, hasMore: boolean): boolean =>
  hasMore || state === 'interrupted' || state === 'idle'
