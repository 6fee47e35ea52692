import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { type CrawlSettings, crawlSettings } from '../../shared/crawl-settings.ts'
import { Failure } from '../../shared/failure.ts'
import { nearestWord } from './nearest-word.ts'

/** Settings from a file and from flags, checked by the one schema; a mistake is named by what the user typed. */

/** @throws Failure `bad_input` */
export function readSettingsFile(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw bad(`The settings file ${path} cannot be read: check the path given to --settings.`, cause)
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw bad(`The settings file ${path} is not valid JSON: correct it and try again.`, cause)
  }
  throw bad(`The settings file ${path} must hold one JSON object.`)
}

/** The flag that sets a value, so that a mistake is named by what the user typed. */
const FLAG_OF: Readonly<Record<string, string>> = {
  seeds: 'the address',
  'scope.include': '--include',
  'scope.exclude': '--exclude',
  'limits.maxPages': '--max-pages',
  'limits.maxDepth': '--max-depth',
  'limits.maxBodyBytes': '--max-body',
  'politeness.concurrency': '--concurrency',
  'politeness.perHost': '--per-host',
  'politeness.delayMs': '--delay',
  'requests.userAgent': '--user-agent',
  'requests.headers': '--header',
  'requests.timeoutMs': '--timeout',
  'requests.retries': '--retries',
}

/** @param file where the settings come from, if not from flags alone @throws Failure `bad_input` */
export function checkSettings(input: Record<string, unknown>, file: string | undefined): CrawlSettings {
  const parsed = crawlSettings.safeParse(input)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const path = issue.path.filter((part) => typeof part === 'string').join('.')
  if (issue.code === 'unrecognized_keys') throw unknownKey(issue, path, file)
  const flag = FLAG_OF[path] ?? Object.entries(FLAG_OF).find(([prefix]) => path.startsWith(`${prefix}.`))?.[1]
  const name = file === undefined ? (flag ?? path) : `${path} (in ${file}, or ${flag ?? 'its flag'})`
  throw bad(`${name} is not right: ${issue.message}.`)
}

function unknownKey(issue: z.core.$ZodIssueUnrecognizedKeys, path: string, file: string | undefined): Failure {
  const key = issue.keys[0]!
  const shape = path === '' ? crawlSettings.shape : sectionShape(path)
  const near = nearestWord(key, Object.keys(shape))
  const full = path === '' ? key : `${path}.${key}`
  const fix = near === null ? `remove it` : `did you mean "${near}"?`
  return bad(`"${full}" in ${file ?? 'the settings'} is not a setting: ${fix}`)
}

const SECTIONS: Readonly<Record<string, z.core.$ZodShape>> = {
  scope: crawlSettings.shape.scope.unwrap().shape,
  limits: crawlSettings.shape.limits.unwrap().shape,
  politeness: crawlSettings.shape.politeness.unwrap().shape,
  requests: crawlSettings.shape.requests.unwrap().shape,
}
const sectionShape = (path: string): z.core.$ZodShape => SECTIONS[path] ?? {}

const bad = (message: string, cause?: unknown): Failure => new Failure('bad_input', message, { cause })
