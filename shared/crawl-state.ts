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

export const CRAWL_TRANSITIONS: Readonly<Record<CrawlState, readonly CrawlState[]>> = {
  idle: ['running'],
  running: ['pausing', 'stopping', 'finished', 'failed', 'paused', 'stopped'],
  pausing: ['paused', 'running', 'stopping', 'failed'],
  stopping: ['stopped', 'failed'],
  paused: ['running'],
  stopped: ['running'],
  failed: ['running'],
  finished: ['running'],
}

/** Why a run ended; command-line scripts read these words. */
export const END_REASONS = ['finished', 'limit', 'signal', 'waiting', 'error'] as const
export type EndReason = (typeof END_REASONS)[number]
