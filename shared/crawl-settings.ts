import { z } from 'zod'

/** What a crawl is told: seeds, scope, limits, politeness, requests. Stored in the crawl file; unknown keys are refused by name. */

const count = z.int().min(1)
const pattern = z.string().min(1, 'an empty pattern matches nothing')

export const scopeSettings = z.strictObject({
  /** Patterns with `*`: matched against the whole URL if they have a scheme, else against path and query; anchored at both ends. */
  include: z.array(pattern).default([]),
  /** As include; exclude wins. */
  exclude: z.array(pattern).default([]),
  /** All hosts under each seed's registrable domain. */
  subdomains: z.boolean().default(false),
})

export const limitSettings = z.strictObject({
  maxPages: count.nullable().default(null),
  maxDepth: z.int().min(0).nullable().default(null),
  /** Decoded size of one body, in bytes. */
  maxBodyBytes: count.max(2 ** 30).default(10_485_760),
})

export const politenessSettings = z.strictObject({
  /** Requests in flight over all hosts. */
  concurrency: count.max(1000).default(64),
  /** Requests in flight to one host. */
  perHost: count.max(1000).default(5),
  /** Between request starts to one host, in milliseconds. */
  delayMs: z.int().min(0).max(3_600_000).default(0),
  robots: z.boolean().default(true),
  sitemaps: z.boolean().default(true),
})

/** RFC 9110 §5.1 and §5.5: a token, and no control characters in the value. */
export const requestHeader = z.strictObject({
  name: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not a valid header name'),
  value: z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'not a valid header value'),
})

export const requestSettings = z.strictObject({
  userAgent: z
    .string()
    .regex(/^[\t\x20-\x7e\x80-\xff]+$/, 'not a valid header value')
    .nullable()
    .default(null),
  /** Sent to seed hosts only, never past a redirect off them. */
  headers: z.array(requestHeader).default([]),
  /** The whole request, in milliseconds. */
  timeoutMs: count.max(3_600_000).default(60_000),
  /** Tries after the first. */
  retries: z.int().min(0).max(100).default(2),
})

export const crawlSettings = z.strictObject({
  seeds: z.array(z.string().min(1)).min(1, 'give at least one address'),
  scope: scopeSettings.prefault({}),
  limits: limitSettings.prefault({}),
  politeness: politenessSettings.prefault({}),
  requests: requestSettings.prefault({}),
})

export type CrawlSettings = z.infer<typeof crawlSettings>
export type CrawlSettingsInput = z.input<typeof crawlSettings>
export type RequestSettings = CrawlSettings['requests']
export type PolitenessSettings = CrawlSettings['politeness']
