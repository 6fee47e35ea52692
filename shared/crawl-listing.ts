import { z } from 'zod'
import { CRAWL_STATES, END_REASONS } from './crawl-state.ts'
import { FRONTIER_STATES } from './frontier-state.ts'

/** A crawl as the library lists it. */

/** A crawl file of the library, by its name: never a path. */
export const crawlId = z
  .string()
  .max(200)
  .regex(/^[^./\\\0][^/\\\0]*\.sandpiper$/, 'not the name of a crawl file')

export const urlCounts = z.record(z.enum(FRONTIER_STATES), z.int())

export const crawlListing = z.strictObject({
  id: crawlId,
  /**
   * `queued`: it waits until fewer crawls run. `interrupted`: it was running, and nobody has it open. `elsewhere`: another
   * Sandpiper runs it. `unreadable`: the file is damaged or newer than this version.
   */
  state: z.enum([...CRAWL_STATES, 'queued', 'interrupted', 'elsewhere', 'unreadable']),
  endReason: z.enum(END_REASONS).nullable(),
  seeds: z.array(z.string()),
  counts: urlCounts.nullable(),
  resumable: z.boolean(),
  /** Bytes on disk. */
  bytes: z.int(),
  /** Wall milliseconds. */
  changedAt: z.number(),
  /** Why it cannot be read, or what went wrong in its last run; empty otherwise. */
  trouble: z.string(),
})
export type CrawlListing = z.infer<typeof crawlListing>
export type ListedState = CrawlListing['state']
