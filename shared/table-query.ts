import { z } from 'zod'
import { FRONTIER_STATES } from './frontier-state.ts'

/** Tables are asked for, never pushed: a query names the rows and their order, a read takes a window of them. */

export const TABLE_VIEWS = ['all', 'waiting', 'done', 'redirects', 'broken', 'skipped', 'images'] as const
export type TableView = (typeof TABLE_VIEWS)[number]

/** By the first digit; `none`: no answer. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

/** By content type; `unknown`: no answer yet, or none that says. */
export const CONTENT_CLASSES = ['html', 'image', 'script', 'style', 'document', 'other', 'unknown'] as const
export type ContentClass = (typeof CONTENT_CLASSES)[number]

export const SORT_COLUMNS = [
  'url',
  'state',
  'reason',
  'status',
  'type',
  'title',
  'depth',
  'words',
  'bytes',
  'responseMs',
  'fetchedAt',
  'attempts',
] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

export const tableFilter = z.strictObject({
  view: z.enum(TABLE_VIEWS).default('all'),
  /** Found in the address or the title, whatever the case. */
  text: z.string().max(500).default(''),
  /** Empty: all. */
  states: z.array(z.enum(FRONTIER_STATES)).max(6).default([]),
  statuses: z.array(z.enum(STATUS_CLASSES)).max(5).default([]),
  types: z.array(z.enum(CONTENT_CLASSES)).max(7).default([]),
  minDepth: z.int().min(0).nullable().default(null),
  maxDepth: z.int().min(0).nullable().default(null),
})
export type TableFilter = z.infer<typeof tableFilter>

export const tableSort = z.strictObject({ column: z.enum(SORT_COLUMNS), descending: z.boolean().default(false) })
export type TableSort = z.infer<typeof tableSort>

export const tableQuery = z.strictObject({
  filter: tableFilter.prefault({}),
  /** Null: the order in which URLs were found. Rows without a value come last either way. */
  sort: tableSort.nullable().default(null),
})
export type TableQuery = z.infer<typeof tableQuery>
export type TableQueryInput = z.input<typeof tableQuery>

/** A URL of the crawl. Numbers that are not known are null, texts empty. */
export const tableRow = z.strictObject({
  id: z.int(),
  url: z.string(),
  isPage: z.boolean(),
  state: z.enum(FRONTIER_STATES),
  /** A code of page-outcome.ts; of a URL that waits, why its site is parked. */
  reason: z.string(),
  detail: z.string(),
  status: z.int().nullable(),
  type: z.string(),
  title: z.string(),
  depth: z.int().nullable(),
  words: z.int().nullable(),
  bytes: z.int().nullable(),
  responseMs: z.int().nullable(),
  /** Wall milliseconds. */
  fetchedAt: z.number().nullable(),
  attempts: z.int(),
})
export type TableRow = z.infer<typeof tableRow>

export const MAX_WINDOW = 500

export const tableWindow = z.strictObject({
  /** Rows of the list; null while it is made. */
  total: z.int().nullable(),
  /** 0 to 1 while the list is made; null when it is ready. */
  progress: z.number().nullable(),
  /** Rows that a fresh list would have more or less, as far as known. A list in the order of finding without filter grows by itself. */
  fresh: z.int(),
  /** Grows with each new list for the same query. */
  edition: z.int(),
  /** As they are now; empty while the list is made. */
  rows: z.array(tableRow),
})
export type TableWindow = z.infer<typeof tableWindow>

/** Rows of each view; null while they are counted. */
export const tableCounts = z.strictObject({
  counts: z.record(z.enum(TABLE_VIEWS), z.int()).nullable(),
  progress: z.number().nullable(),
})
export type TableCounts = z.infer<typeof tableCounts>
