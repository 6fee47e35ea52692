import { z } from 'zod'
import { VIEWS } from './columns.ts'
import { crawlSettings } from './crawl-settings.ts'
import { CRAWL_STATES, END_REASONS } from './crawl-state.ts'
import { FRONTIER_STATES } from './frontier-state.ts'
import { SKIP_REASONS } from './page-outcome.ts'

/** Every command: its name, what goes in, what comes out. Types are inferred from here; hosts and windows share it. */

const nothing = z.strictObject({})

/** A crawl file of the library, by its name: never a path. */
export const crawlId = z
  .string()
  .max(200)
  .regex(/^[^./\\\0][^/\\\0]*\.sandpiper$/, 'not the name of a crawl file')

const counts = z.record(z.enum(FRONTIER_STATES), z.int())

export const crawlProgress = z.strictObject({
  counts,
  inFlight: z.int(),
  requests: z.int(),
  wireBytes: z.int(),
  pagesFinished: z.int(),
})

export const crawlListing = z.strictObject({
  id: crawlId,
  /** `interrupted`: it was running, and nobody has it open. `unreadable`: the file is damaged or newer than this version. */
  state: z.enum([...CRAWL_STATES, 'interrupted', 'unreadable']),
  endReason: z.enum(END_REASONS).nullable(),
  seeds: z.array(z.string()),
  counts: counts.nullable(),
  resumable: z.boolean(),
  /** Bytes on disk. */
  bytes: z.int(),
  /** Wall milliseconds. */
  changedAt: z.number(),
  /** Why it cannot be read; empty otherwise. */
  trouble: z.string(),
})
export type CrawlListing = z.infer<typeof crawlListing>

export const commands = {
  'library.list': { input: nothing, output: z.array(crawlListing) },
  'crawl.start': { input: z.strictObject({ settings: crawlSettings }), output: z.strictObject({ id: crawlId }) },
  'crawl.resume': { input: z.strictObject({ id: crawlId, retryFailed: z.boolean().default(false) }), output: nothing },
  /** Ends in good order: running requests get three seconds. Answers when everything is saved. */
  'crawl.stop': { input: z.strictObject({ id: crawlId }), output: nothing },
  'crawl.read': { input: z.strictObject({ id: crawlId }), output: crawlListing },
  /** Moves the file to the library's trash. */
  'crawl.delete': { input: z.strictObject({ id: crawlId }), output: nothing },
  /** Answers with a ticket for one download, good for a minute. */
  'export.prepare': {
    input: z.strictObject({
      id: crawlId,
      view: z.enum(VIEWS),
      format: z.enum(['csv', 'jsonl']).default('csv'),
      preset: z.enum(['excel', 'data']).default('excel'),
    }),
    output: z.strictObject({ ticket: z.string(), name: z.string() }),
  },
  'scope.test': {
    input: z.strictObject({ settings: crawlSettings, url: z.string().max(10_000) }),
    output: z.strictObject({ in: z.boolean(), reason: z.enum(SKIP_REASONS).nullable() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export type CommandName = keyof typeof commands
/** As sent, before defaults. */
export type CommandInput<N extends CommandName> = z.input<(typeof commands)[N]['input']>
/** As received by the service. */
export type CommandArgument<N extends CommandName> = z.output<(typeof commands)[N]['input']>
export type CommandOutput<N extends CommandName> = z.output<(typeof commands)[N]['output']>

/** State, not history: what has changed since the batch before, at most ten times a second. */
export const eventBatch = z.strictObject({
  /** Grows by one; a gap means that something was missed. */
  seq: z.int(),
  /** Progress of each running crawl that moved. */
  progress: z.record(z.string(), crawlProgress),
  /** The library changed: a crawl began, ended, appeared or went. */
  library: z.boolean(),
})
export type EventBatch = z.infer<typeof eventBatch>
