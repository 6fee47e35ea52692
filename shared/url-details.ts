import { z } from 'zod'
import { LINK_KINDS } from './link-kind.ts'
import { tableRow } from './table-query.ts'

/** All that is known of one URL. */

export const attempt = z.strictObject({
  startedAt: z.number(),
  endedAt: z.number(),
  /** `done`, or a code of page-outcome.ts. */
  outcome: z.string(),
  status: z.int().nullable(),
})

export const redirectHop = z.strictObject({ id: z.int(), url: z.string(), status: z.int().nullable() })

export const urlDetails = z.strictObject({
  row: tableRow,
  found: z.enum(['seed', 'link', 'sitemap']),
  description: z.string(),
  h1: z.string(),
  h2: z.string(),
  canonical: z.string(),
  metaRobots: z.string(),
  lang: z.string(),
  hreflang: z.array(z.strictObject({ lang: z.string(), url: z.string() })),
  encoding: z.string(),
  notes: z.string(),
  hash: z.string(),
  wireBytes: z.int().nullable(),
  /** Links on it. */
  outlinks: z.int(),
  crashes: z.int(),
  /** A failed one is tried again then; wall milliseconds. */
  notBefore: z.number().nullable(),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** This URL first, then where each redirect leads, ten hops at most. */
  redirects: z.array(redirectHop),
  attempts: z.array(attempt),
})
export type UrlDetails = z.infer<typeof urlDetails>

export const linkRow = z.strictObject({
  /** The other end; null for an address that cannot be resolved. */
  id: z.int().nullable(),
  url: z.string(),
  state: tableRow.shape.state.nullable(),
  status: z.int().nullable(),
  kind: z.enum(LINK_KINDS),
  text: z.string(),
  rel: z.string(),
})
export type LinkRow = z.infer<typeof linkRow>

/** Links in are found by reading all links: `complete` is false when there are more than were asked for. */
export const linkWindow = z.strictObject({ rows: z.array(linkRow), complete: z.boolean() })
export type LinkWindow = z.infer<typeof linkWindow>
