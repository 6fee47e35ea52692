import { z } from 'zod'

/** How one site of a crawl is doing. */
export const siteLine = z.strictObject({
  origin: z.string(),
  waiting: z.int(),
  done: z.int(),
  failed: z.int(),
  /** 0 unless the crawl runs here. */
  inFlight: z.int(),
  /** Wall milliseconds; null if it may be asked now. */
  nextAllowedAt: z.number().nullable(),
  parkedUntil: z.number().nullable(),
  parkReason: z.string(),
  /** Milliseconds between two requests; 0: none. */
  delayMs: z.int(),
  /** HTTP status of robots.txt; null: not asked yet, or no answer. */
  robotsStatus: z.int().nullable(),
})
export type SiteLine = z.infer<typeof siteLine>
