import { type CrawlProfile, profileSettings } from '../../../shared/crawl-profile.ts'
import { type CrawlSettings, crawlSettings } from '../../../shared/crawl-settings.ts'
import { presetSettings } from '../../../shared/presets.ts'
import { isWebAddress } from './web-address.ts'

/** Crawl settings as they are being typed: whatever stands in a field stays there, right or wrong. */
export interface Draft {
  /** One address a line. */
  seeds: string
  /** One pattern a line. */
  include: string
  exclude: string
  subdomains: boolean
  perHost: string
  concurrency: string
  /** Seconds. */
  delay: string
  /** Empty: no limit. */
  maxPages: string
  maxDepth: string
  /** Units of 1,048,576 bytes. */
  maxBody: string
  /** Empty: our own. */
  userAgent: string
  /** One "Name: value" a line. */
  headers: string
  /** Seconds. */
  timeout: string
  retries: string
  robots: boolean
  sitemaps: boolean
}

export type Field = keyof Draft
export type SwitchField = 'subdomains' | 'robots' | 'sitemaps'
export type TextField = Exclude<Field, SwitchField>
export type NumberField =
  | 'perHost'
  | 'concurrency'
  | 'delay'
  | 'maxPages'
  | 'maxDepth'
  | 'maxBody'
  | 'timeout'
  | 'retries'
export type ListField = 'include' | 'exclude' | 'headers'
export type Settings = CrawlProfile['settings']

/** In the order they are shown. */
export const SECTION_FIELDS = {
  scope: ['include', 'exclude', 'subdomains'],
  speed: ['perHost', 'concurrency', 'delay'],
  limits: ['maxPages', 'maxDepth', 'maxBody'],
  requests: ['userAgent', 'headers', 'timeout', 'retries'],
  robots: ['robots', 'sitemaps'],
} as const satisfies Record<string, readonly Field[]>
export type SettingsSection = keyof typeof SECTION_FIELDS

export const OPTION_FIELDS: readonly Exclude<Field, 'seeds'>[] = Object.values(SECTION_FIELDS).flat()

/** Where the schema keeps each field. */
const PATHS: Readonly<Record<Field, string>> = {
  seeds: 'seeds',
  include: 'scope.include',
  exclude: 'scope.exclude',
  subdomains: 'scope.subdomains',
  perHost: 'politeness.perHost',
  concurrency: 'politeness.concurrency',
  delay: 'politeness.delayMs',
  maxPages: 'limits.maxPages',
  maxDepth: 'limits.maxDepth',
  maxBody: 'limits.maxBodyBytes',
  userAgent: 'requests.userAgent',
  headers: 'requests.headers',
  timeout: 'requests.timeoutMs',
  retries: 'requests.retries',
  robots: 'politeness.robots',
  sitemaps: 'politeness.sitemaps',
}

export const DEFAULTS: Settings = presetSettings('default')
const MEBIBYTE = 2 ** 20

export function draftOf(seeds: readonly string[], { scope, limits, politeness, requests }: Settings): Draft {
  return {
    seeds: seeds.join('\n'),
    include: scope.include.join('\n'),
    exclude: scope.exclude.join('\n'),
    subdomains: scope.subdomains,
    perHost: String(politeness.perHost),
    concurrency: String(politeness.concurrency),
    delay: String(politeness.delayMs / 1_000),
    maxPages: String(limits.maxPages ?? ''),
    maxDepth: String(limits.maxDepth ?? ''),
    maxBody: String(limits.maxBodyBytes / MEBIBYTE),
    userAgent: requests.userAgent ?? '',
    headers: requests.headers.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    timeout: String(requests.timeoutMs / 1_000),
    retries: String(requests.retries),
    robots: politeness.robots,
    sitemaps: politeness.sitemaps,
  }
}

export const EMPTY: Draft = draftOf([], DEFAULTS)

/** What a draft says, right or wrong: NaN where a number is none. An empty number means the default. */
export function readDraft(draft: Draft): CrawlSettings {
  return {
    seeds: [...new Set(linesOf(draft.seeds))],
    scope: { include: linesOf(draft.include), exclude: linesOf(draft.exclude), subdomains: draft.subdomains },
    limits: {
      maxPages: readNumber(draft.maxPages, null),
      maxDepth: readNumber(draft.maxDepth, null),
      maxBodyBytes: readUnits(draft.maxBody, MEBIBYTE, DEFAULTS.limits.maxBodyBytes),
    },
    politeness: {
      concurrency: readNumber(draft.concurrency, DEFAULTS.politeness.concurrency),
      perHost: readNumber(draft.perHost, DEFAULTS.politeness.perHost),
      delayMs: readUnits(draft.delay, 1_000, DEFAULTS.politeness.delayMs),
      robots: draft.robots,
      sitemaps: draft.sitemaps,
    },
    requests: {
      userAgent: draft.userAgent.trim() === '' ? null : draft.userAgent.trim(),
      headers: linesOf(draft.headers).map(readHeader),
      timeoutMs: readUnits(draft.timeout, 1_000, DEFAULTS.requests.timeoutMs),
      retries: readNumber(draft.retries, DEFAULTS.requests.retries),
    },
  }
}

/** The wrong entry of a list, for the message to name; empty if the field is no list, or has nothing in it. */
export type Mistakes = Partial<Record<Field, string>>

/** Checks a draft by the one schema. `settings` is null if there is a mistake. */
export function checkDraft(draft: Draft): { settings: CrawlSettings | null; mistakes: Mistakes } {
  const parsed = crawlSettings.safeParse(readDraft(draft))
  const mistakes: Mistakes = {}
  for (const { path } of parsed.error?.issues ?? []) {
    const name = path.join('.')
    const field = OPTION_FIELDS.find((each) => `${name}.`.startsWith(`${PATHS[each]}.`)) ?? 'seeds'
    mistakes[field] ??= entryOf(draft[field], path[2])
  }
  const badSeed = linesOf(draft.seeds).find((line) => !isWebAddress(line))
  if (badSeed !== undefined) mistakes.seeds = badSeed
  return { settings: parsed.success && badSeed === undefined ? parsed.data : null, mistakes }
}

const entryOf = (value: string | boolean, index: PropertyKey | undefined): string =>
  typeof value === 'string' && typeof index === 'number' ? (linesOf(value)[index] ?? '') : ''

/** Everything but the seeds; null if there is a mistake in it. */
export function optionsOf(draft: Draft): Settings | null {
  const { seeds: _, ...options } = readDraft(draft)
  const parsed = profileSettings.safeParse(options)
  return parsed.success ? parsed.data : null
}

export function isChanged(draft: Draft, field: Field): boolean {
  const [now, then] = [draft, EMPTY].map((each) => valueAt(readDraft(each), PATHS[field]))
  return Array.isArray(now) ? JSON.stringify(now) !== JSON.stringify(then) : !Object.is(now, then)
}

const valueAt = (settings: CrawlSettings, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings)

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function readHeader(line: string): { name: string; value: string } {
  const colon = line.indexOf(':')
  return colon < 0
    ? { name: '', value: line }
    : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** "10,000", "0,5" and full-width digits are numbers too. */
function readNumber<T>(text: string, empty: T): number | T {
  const digits = text.normalize('NFKC').replace(/\s/g, '')
  if (digits === '') return empty
  const plain = /^\d{1,3}(,\d{3})+$/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.')
  return /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN
}

const readUnits = (text: string, unit: number, empty: number): number =>
  text.trim() === '' ? empty : Math.round(readNumber(text, 0) * unit)
