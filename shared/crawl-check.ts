import { z } from 'zod'

/** What Check finds out before a crawl starts, for each seed (the first ten). */
export const seedCheck = z.strictObject({
  seed: z.string(),
  /** Where redirects of the seed end, each hop in turn, the seed first. */
  hops: z.array(z.strictObject({ url: z.string(), status: z.int() })),
  /** Is the last hop part of the crawl? A seed that leads to another site is not followed there. */
  inScope: z.boolean(),
  /** Of the last hop; null if there is no answer. */
  status: z.int().nullable(),
  contentType: z.string(),
  /** A failure code of page-outcome.ts; empty if it answered, or was not asked because of robots.txt. */
  trouble: z.string(),
  /** Of the site of the last hop. */
  robots: z.strictObject({
    /** `off`: the settings say not to ask. `none`: the site has no robots.txt. */
    state: z.enum(['off', 'none', 'found', 'unreachable']),
    /** May the seed be fetched? */
    allowed: z.boolean(),
    /** The line that decides, as in the reason of a skipped URL; empty if none. */
    rule: z.string(),
    /** As the file says; we wait 30 seconds at most. */
    crawlDelayMs: z.int().nullable(),
  }),
  sitemaps: z.strictObject({
    state: z.enum(['off', 'none', 'found']),
    /** URLs listed by the sitemaps that were read. */
    urls: z.int(),
    files: z.int(),
    /** There are more sitemap files than were read. */
    more: z.boolean(),
  }),
  /** Requests to this site in a second, at most; null: no limit. */
  maxPerSecond: z.number().nullable(),
  /** Requests to this site at a time, at most. */
  perHost: z.int(),
})
export type SeedCheck = z.infer<typeof seedCheck>
