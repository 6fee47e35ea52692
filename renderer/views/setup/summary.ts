import type { TFunction } from 'i18next'
import { PRESETS, type Preset, presetSettings } from '../../../shared/presets.ts'
import type { Field, Settings, SettingsSection } from './draft.ts'

/** What is set, in few words: the line of a folded section, and a value in the list of differences. */

export type Words = TFunction<'setup'>

const seconds = (ms: number): number => ms / 1_000
const mebibytes = (bytes: number): number => bytes / 2 ** 20

function patterns(t: Words, list: 'include' | 'exclude', all: readonly string[]): string {
  if (all.length === 1) return t(`summary.${list}.one`, { pattern: all[0] })
  return t(`summary.${list}.many`, { count: all.length })
}

const PARTS: Readonly<Record<SettingsSection, (settings: Settings, t: Words) => (string | false)[]>> = {
  scope: ({ scope: { include, exclude, subdomains } }, t) => [
    t(subdomains ? 'summary.subdomains' : 'summary.site'),
    include.length > 0 && patterns(t, 'include', include),
    exclude.length > 0 && patterns(t, 'exclude', exclude),
  ],
  speed: ({ politeness: { perHost, concurrency, delayMs } }, t) => [
    t('summary.perHost', { count: perHost }),
    t('summary.concurrency', { count: concurrency }),
    delayMs > 0 && t('summary.delay', { seconds: seconds(delayMs) }),
  ],
  limits: ({ limits: { maxPages, maxDepth, maxBodyBytes } }, t) => [
    maxPages === null ? t('summary.allPages') : t('summary.maxPages', { count: maxPages }),
    maxDepth === null ? t('summary.anyDepth') : t('summary.maxDepth', { count: maxDepth }),
    t('summary.maxBody', { size: mebibytes(maxBodyBytes) }),
  ],
  requests: ({ requests: { userAgent, headers, timeoutMs, retries } }, t) => [
    userAgent === null ? t('summary.ownUserAgent') : t('summary.userAgent', { userAgent }),
    headers.length > 0 && t('summary.headers', { count: headers.length }),
    t('summary.timeout', { seconds: seconds(timeoutMs) }),
    t('summary.retries', { count: retries }),
  ],
  robots: ({ politeness: { robots, sitemaps } }, t) => [
    t(robots ? 'summary.robots' : 'summary.noRobots'),
    t(sitemaps ? 'summary.sitemaps' : 'summary.noSitemaps'),
  ],
}

export const sectionSummary = (section: SettingsSection, settings: Settings, t: Words): string =>
  PARTS[section](settings, t)
    .filter((part) => part !== false)
    .join(' · ')

/** The preset that the settings are, if they are one. */
export function presetOf(settings: Settings): Preset | null {
  const now = JSON.stringify(settings)
  return PRESETS.find((preset) => JSON.stringify(presetSettings(preset)) === now) ?? null
}

type OptionField = Exclude<Field, 'seeds'>

const VALUES: Readonly<Record<OptionField, (settings: Settings, t: Words) => string>> = {
  include: ({ scope }, t) => scope.include.join(', ') || t('value.everything'),
  exclude: ({ scope }, t) => scope.exclude.join(', ') || t('value.nothing'),
  subdomains: ({ scope }, t) => onOrOff(scope.subdomains, t),
  perHost: ({ politeness }, t) => t('value.number', { number: politeness.perHost }),
  concurrency: ({ politeness }, t) => t('value.number', { number: politeness.concurrency }),
  delay: ({ politeness }, t) => t('value.seconds', { number: seconds(politeness.delayMs) }),
  maxPages: ({ limits }, t) => limitValue(limits.maxPages, t),
  maxDepth: ({ limits }, t) => limitValue(limits.maxDepth, t),
  maxBody: ({ limits }, t) => t('value.megabytes', { number: mebibytes(limits.maxBodyBytes) }),
  userAgent: ({ requests }, t) => requests.userAgent ?? t('value.ownUserAgent'),
  headers: ({ requests }, t) => requests.headers.map(({ name }) => name).join(', ') || t('value.none'),
  timeout: ({ requests }, t) => t('value.seconds', { number: seconds(requests.timeoutMs) }),
  retries: ({ requests }, t) => t('value.number', { number: requests.retries }),
  robots: ({ politeness }, t) => onOrOff(politeness.robots, t),
  sitemaps: ({ politeness }, t) => onOrOff(politeness.sitemaps, t),
}

const onOrOff = (on: boolean, t: Words): string => t(on ? 'value.on' : 'value.off')
const limitValue = (limit: number | null, t: Words): string =>
  limit === null ? t('value.noLimit') : t('value.number', { number: limit })

export const fieldValue = (field: OptionField, settings: Settings, t: Words): string => VALUES[field](settings, t)
