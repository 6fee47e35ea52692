/**
 * The states of a URL in the frontier.
 *
 *              claim                         commit
 *  pending ------------> processing ------------------> done
 *    ^  ^                 |  |  |  \---- policy (robots, scope, limit, type) --> skipped
 *    |  +----release------+  |  \------- permanent, or tries used up ---------> final_failed
 *    |   (pause, quit,       \---------- transient, tries left ----> failed
 *    |    local fault)                                                 |
 *    +--- now >= not_before -------------------------------------------+
 *    +--- recovery after an unclean end (processing -> pending, crashes + 1)
 *
 *  final_failed -> pending   "retry failed", counters reset
 *  skipped      -> pending   the policy that skipped it no longer holds (a shorter way to it was found, a limit was raised)
 *  done         -> pending   only a resource that answered HTML and turns out to be linked as a page: it has never been parsed
 *  pending      -> skipped   a policy that came into force while it waited
 *
 * The numbers are stored; never renumber them.
 */
export const FRONTIER_STATES = ['pending', 'processing', 'done', 'failed', 'final_failed', 'skipped'] as const
export type FrontierState = (typeof FRONTIER_STATES)[number]

/** The number a state is stored as. */
export const STATE = {
  pending: 0,
  processing: 1,
  done: 2,
  failed: 3,
  final_failed: 4,
  skipped: 5,
} as const satisfies Record<FrontierState, number>

/** Every allowed transition; the store's trigger and the engine both read this table. */
export const TRANSITIONS: Readonly<Record<FrontierState, readonly FrontierState[]>> = {
  pending: ['processing', 'skipped'],
  processing: ['done', 'failed', 'final_failed', 'skipped', 'pending'],
  failed: ['pending'],
  final_failed: ['pending'],
  skipped: ['pending'],
  done: ['pending'],
}
