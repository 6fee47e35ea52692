import { z } from 'zod'
import { appFacts, appSettings } from './app-settings.ts'
import { VIEWS } from './columns.ts'
import { seedCheck } from './crawl-check.ts'
import { crawlId, crawlListing, urlCounts } from './crawl-listing.ts'
import { crawlProfile, profileName } from './crawl-profile.ts'
import { crawlSettings } from './crawl-settings.ts'
import { SKIP_REASONS } from './page-outcome.ts'
import { siteLine } from './site-line.ts'
import { MAX_WINDOW, tableCounts, tableQuery, tableWindow } from './table-query.ts'
import { linkWindow, urlDetails } from './url-details.ts'

/** Every command: its name, what goes in, what comes out. Types are inferred from here; hosts and windows share it. */

const nothing = z.strictObject({})
const crawl = z.strictObject({ id: crawlId })
const started = z.strictObject({ id: crawlId })
const urlIds = z.array(z.int().min(1)).min(1).max(10_000)
const changed = z.strictObject({ changed: z.int() })
const pattern = z.string().min(1, 'an empty pattern matches nothing').max(2_000)
const ticket = z.string().max(100)

/** What an export holds: a view of the whole crawl, or the rows of a table as shown. */
export const exportSource = z.union([z.strictObject({ view: z.enum(VIEWS) }), z.strictObject({ query: tableQuery })])
export type ExportSource = z.infer<typeof exportSource>

export const crawlProgress = z.strictObject({
  counts: urlCounts,
  inFlight: z.int(),
  requests: z.int(),
  wireBytes: z.int(),
  pagesFinished: z.int(),
  /** `pausing` and `stopping`: running requests finish. */
  state: z.enum(['running', 'pausing', 'stopping']),
  /** Of this run, in milliseconds. */
  elapsedMs: z.number(),
})

export const commands = {
  'app.read': { input: nothing, output: appFacts },
  'app.save': { input: appSettings.partial(), output: appSettings },

  'library.list': { input: nothing, output: z.array(crawlListing) },
  /** Desktop: asks for a file and lists it where it is; null when the user thought better of it. In a browser files are uploaded. */
  'library.open': { input: nothing, output: crawl.nullable() },
  /** Desktop: shows the file in its folder. */
  'library.reveal': { input: crawl, output: nothing },

  'crawl.start': { input: z.strictObject({ settings: crawlSettings }), output: started },
  /** Starts a crawl of the small site that ships with Sandpiper, served on this computer. */
  'crawl.sample': { input: nothing, output: started },
  /** Carries on with a crawl, also with one that is pausing. */
  'crawl.resume': { input: z.strictObject({ id: crawlId, retryFailed: z.boolean().default(false) }), output: nothing },
  /** Claims no more and lets running requests finish. Answers at once; the end is told by events. */
  'crawl.pause': { input: crawl, output: nothing },
  /** Ends in good order: running requests get three seconds. Answers when everything is saved. */
  'crawl.stop': { input: crawl, output: nothing },
  'crawl.read': { input: crawl, output: crawlListing },
  'crawl.settings': { input: crawl, output: crawlSettings },
  /** Lets every failed URL wait again, in a crawl that runs or not; does not start one. */
  'crawl.retryFailed': { input: crawl, output: changed },
  /** Moves the file to the library's trash. */
  'crawl.delete': { input: crawl, output: nothing },
  'crawl.sites': { input: crawl, output: z.array(siteLine) },

  'table.counts': { input: crawl, output: tableCounts },
  'table.read': {
    input: z.strictObject({
      id: crawlId,
      query: tableQuery.prefault({}),
      start: z.int().min(0),
      count: z.int().min(0).max(MAX_WINDOW),
      /** Make the list anew if it is older than what is known. */
      refresh: z.boolean().default(false),
    }),
    output: tableWindow,
  },

  'url.read': { input: z.strictObject({ id: crawlId, urlId: z.int().min(1) }), output: urlDetails },
  'url.links': {
    input: z.strictObject({
      id: crawlId,
      urlId: z.int().min(1),
      direction: z.enum(['in', 'out']),
      limit: z.int().min(1).max(10_000).default(1_000),
    }),
    output: linkWindow,
  },
  /** Finished, failed or skipped URLs wait again, counters reset. Those that wait or are in flight stay as they are. */
  'url.retry': { input: z.strictObject({ id: crawlId, urlIds }), output: changed },
  /** Waiting URLs come before all others. */
  'url.moveToFront': { input: z.strictObject({ id: crawlId, urlIds }), output: changed },
  /** How many waiting URLs a new exclude pattern would skip, with some of them. */
  'exclude.preview': {
    input: z.strictObject({ id: crawlId, pattern }),
    output: z.strictObject({ waiting: z.int(), examples: z.array(z.string()) }),
  },
  /** Adds the pattern to the crawl's settings; waiting URLs that match are skipped. */
  'exclude.add': { input: z.strictObject({ id: crawlId, pattern }), output: changed },

  'setup.check': { input: z.strictObject({ settings: crawlSettings }), output: z.array(seedCheck) },
  'setup.testScope': {
    input: z.strictObject({ settings: crawlSettings, url: z.string().max(10_000) }),
    output: z.strictObject({ in: z.boolean(), reason: z.enum(SKIP_REASONS).nullable(), detail: z.string() }),
  },
  'profile.list': { input: nothing, output: z.array(crawlProfile) },
  /** Replaces one of the same name. */
  'profile.save': { input: crawlProfile, output: nothing },
  'profile.delete': { input: z.strictObject({ name: profileName }), output: nothing },

  /** Answers with a ticket for one export, to be taken within a minute: downloaded, or saved by the desktop app. */
  'export.prepare': {
    input: z.strictObject({
      id: crawlId,
      source: exportSource,
      format: z.enum(['csv', 'jsonl']).default('csv'),
      preset: z.enum(['excel', 'data']).default('excel'),
    }),
    output: z.strictObject({ ticket, name: z.string() }),
  },
  /** Desktop: asks where to, then writes; false when the user thought better of it. Progress is told by events. */
  'export.save': { input: z.strictObject({ ticket }), output: z.strictObject({ saving: z.boolean() }) },
  'export.cancel': { input: z.strictObject({ ticket }), output: nothing },
  /** Desktop: shows a saved export in its folder. */
  'export.reveal': { input: z.strictObject({ ticket }), output: nothing },

  /** Desktop: opens a URL in the user's browser; http and https only. */
  'url.openOutside': { input: z.strictObject({ url: z.string().max(10_000) }), output: nothing },
  /** Desktop, while it ends: waits no longer for running requests. */
  'app.quitNow': { input: nothing, output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export type CommandName = keyof typeof commands
/** As sent, before defaults. */
export type CommandInput<N extends CommandName> = z.input<(typeof commands)[N]['input']>
/** As received by the service. */
export type CommandArgument<N extends CommandName> = z.output<(typeof commands)[N]['input']>
export type CommandOutput<N extends CommandName> = z.output<(typeof commands)[N]['output']>
/** What the service has for some of the commands. */
export type Handlers<N extends CommandName> = {
  [C in N]: (input: CommandArgument<C>) => CommandOutput<C> | Promise<CommandOutput<C>>
}

export const exportProgress = z.strictObject({
  name: z.string(),
  rows: z.int(),
  bytes: z.int(),
  state: z.enum(['writing', 'done', 'failed', 'cancelled']),
  /** Where it was saved, for people; empty for a download. */
  place: z.string(),
  /** Why it failed; empty otherwise. */
  trouble: z.string(),
})
export type ExportProgress = z.infer<typeof exportProgress>

/** What the menu wants the window to do; `show` opens the crawl `id`. */
export const windowCommand = z.strictObject({
  name: z.enum([
    'library',
    'new',
    'open',
    'show',
    'export',
    'filter',
    'settings',
    'keyboard',
    'about',
    'pause-or-resume',
    'stop',
  ]),
  id: crawlId.nullable(),
})
export type WindowCommand = z.infer<typeof windowCommand>

/** State, not history: what has changed since the batch before, at most ten times a second. */
export const eventBatch = z.strictObject({
  /** Grows by one; a gap means that something was missed. */
  seq: z.int(),
  /** Progress of each running crawl that moved. */
  progress: z.record(z.string(), crawlProgress),
  /** The library changed: a crawl began, ended, appeared or went. */
  library: z.boolean(),
  /** Exports that moved, by ticket. */
  exports: z.record(z.string(), exportProgress),
  /** Non-null while the app ends: what it waits for. */
  closing: z.strictObject({ inFlight: z.int(), toWrite: z.int() }).nullable(),
})
export type EventBatch = z.infer<typeof eventBatch>
