import { parseArgs } from 'node:util'
import { VIEWS, type View } from '../../shared/columns.ts'
import type { CrawlSettings, CrawlSettingsInput } from '../../shared/crawl-settings.ts'
import { Failure } from '../../shared/failure.ts'
import { nearestWord } from './nearest-word.ts'
import { checkSettings, readSettingsFile } from './settings-input.ts'

/** What a command line asks for. Every mistake is a Failure `bad_input`: one sentence that names the flag and the fix. */

export type Command =
  | ({ name: 'crawl'; file: string | undefined; settings: CrawlSettings } & RunFlags)
  | ({ name: 'resume'; file: string; maxPages?: number; maxDepth?: number; retryFailed: boolean } & RunFlags)
  | { name: 'export'; file: string; view: View; format: 'csv' | 'jsonl'; preset: 'excel' | 'data'; output: string }
  | { name: 'status'; file: string; json: boolean }
  | { name: 'serve'; port: number; open: boolean }
  | { name: 'demo' | 'help' | 'version' }

export interface RunFlags {
  exportTo: string | undefined
  json: boolean
  quiet: boolean
}

const RUN_FLAGS = {
  export: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  'max-pages': { type: 'string' },
  'max-depth': { type: 'string' },
} as const

const CRAWL_FLAGS = {
  ...RUN_FLAGS,
  file: { type: 'string' },
  settings: { type: 'string' },
  concurrency: { type: 'string' },
  'per-host': { type: 'string' },
  delay: { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  subdomains: { type: 'boolean' },
  'no-robots': { type: 'boolean' },
  'no-sitemaps': { type: 'boolean' },
  'user-agent': { type: 'string' },
  header: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  'max-body': { type: 'string' },
  retries: { type: 'string' },
} as const

const RESUME_FLAGS = { ...RUN_FLAGS, 'retry-failed': { type: 'boolean' } } as const
const EXPORT_FLAGS = {
  view: { type: 'string' },
  format: { type: 'string' },
  output: { type: 'string' },
  preset: { type: 'string' },
} as const
const SERVE_FLAGS = { port: { type: 'string' }, 'no-open': { type: 'boolean' } } as const
const STATUS_FLAGS = { json: { type: 'boolean' } } as const

/** @throws Failure `bad_input` */
export function parseCommandLine(argv: readonly string[]): Command {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help' || rest.includes('--help')) {
    return { name: 'help' }
  }
  if (name === '--version' || name === '-v') return { name: 'version' }
  switch (name) {
    case 'crawl':
      return crawlCommand(rest)
    case 'resume':
      return resumeCommand(rest)
    case 'export':
      return exportCommand(rest)
    case 'status': {
      const { values, positionals } = read('status', rest, STATUS_FLAGS)
      return { name, file: oneFile('status', positionals), json: values.json ?? false }
    }
    case 'serve': {
      const { values } = read('serve', rest, SERVE_FLAGS)
      const port = numeric('port', values.port) ?? 0
      if (port > 65_535) throw bad(`--port must be at most 65535; you gave ${port}.`)
      return { name, port, open: values['no-open'] !== true }
    }
    case 'demo':
      read('demo', rest, {})
      return { name }
    default:
      throw bad(
        `"${name}" is not a command: use crawl, resume, export, status, demo or serve (sandpiper --help lists them).`,
      )
  }
}

function crawlCommand(rest: readonly string[]): Command {
  const { values, positionals } = read('crawl', rest, CRAWL_FLAGS)
  const stored = values.settings === undefined ? {} : readSettingsFile(values.settings)
  const settings = checkSettings(merge(stored, values, positionals), values.settings)
  return { name: 'crawl', file: values.file, settings, ...runFlags(values) }
}

type CrawlFlags = ReturnType<typeof read<typeof CRAWL_FLAGS>>['values']

/** Flags beat the settings file. */
function merge(stored: Record<string, unknown>, flags: CrawlFlags, seeds: string[]): Record<string, unknown> {
  const section = (name: string, entries: Record<string, unknown>): Record<string, unknown> => {
    const given = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
    const base = stored[name]
    if (Object.keys(given).length === 0) return base === undefined ? {} : { [name]: base }
    return { [name]: { ...(base !== null && typeof base === 'object' ? base : {}), ...given } }
  }
  if (seeds.length === 0 && stored.seeds === undefined) {
    throw bad('crawl needs an address: sandpiper crawl https://example.org')
  }
  return {
    ...stored,
    ...(seeds.length > 0 ? { seeds } : {}),
    ...section('scope', { include: flags.include, exclude: flags.exclude, subdomains: flags.subdomains }),
    ...section('limits', {
      maxPages: numeric('max-pages', flags['max-pages']),
      maxDepth: numeric('max-depth', flags['max-depth']),
      maxBodyBytes: numeric('max-body', flags['max-body']),
    }),
    ...section('politeness', {
      concurrency: numeric('concurrency', flags.concurrency),
      perHost: numeric('per-host', flags['per-host']),
      delayMs: numeric('delay', flags.delay),
      robots: flags['no-robots'] ? false : undefined,
      sitemaps: flags['no-sitemaps'] ? false : undefined,
    }),
    ...section('requests', {
      userAgent: flags['user-agent'],
      headers: flags.header?.map(parseHeader),
      timeoutMs: numeric('timeout', flags.timeout),
      retries: numeric('retries', flags.retries),
    }),
  } satisfies Partial<Record<keyof CrawlSettingsInput, unknown>>
}

function resumeCommand(rest: readonly string[]): Command {
  const { values, positionals } = read('resume', rest, RESUME_FLAGS)
  const file = oneFile('resume', positionals)
  const maxPages = numeric('max-pages', values['max-pages'])
  const maxDepth = numeric('max-depth', values['max-depth'])
  if (maxPages !== undefined && maxPages < 1) throw bad(`--max-pages must be at least 1; you gave ${maxPages}.`)
  return {
    name: 'resume',
    file,
    retryFailed: values['retry-failed'] ?? false,
    ...(maxPages === undefined ? {} : { maxPages }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...runFlags(values),
  }
}

function exportCommand(rest: readonly string[]): Command {
  const { values, positionals } = read('export', rest, EXPORT_FLAGS)
  const file = oneFile('export', positionals)
  if (values.view === undefined) throw bad(`export needs --view: one of ${VIEWS.join(', ')}.`)
  return {
    name: 'export',
    file,
    view: oneOf('view', values.view, VIEWS),
    format: oneOf('format', values.format ?? 'csv', ['csv', 'jsonl']),
    preset: oneOf('preset', values.preset ?? 'excel', ['excel', 'data']),
    output: values.output ?? '-',
  }
}

const runFlags = (values: { export?: string; json?: boolean; quiet?: boolean }): RunFlags => ({
  exportTo: values.export,
  json: values.json ?? false,
  quiet: values.quiet ?? false,
})

type Flags = NonNullable<Parameters<typeof parseArgs>[0]>['options'] & {}

function read<const F extends Flags>(command: string, args: readonly string[], options: F) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (cause) {
    throw bad(`${explain(args, options, cause)} "sandpiper --help" lists what ${command} takes.`, cause)
  }
}

function explain(args: readonly string[], options: Flags, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : ''
  const unknown = args.find((arg) => arg.startsWith('-') && !(arg.replace(/^--/, '').split('=')[0]! in options))
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && unknown !== undefined) {
    const near = nearestWord(unknown.split('=')[0]!.replace(/^-+/, ''), Object.keys(options))
    return `${unknown.split('=')[0]} is not an option here${near === null ? '.' : `: did you mean --${near}?`}`
  }
  const empty = args.find((arg, index) => {
    const option = options[arg.replace(/^--/, '')]
    return arg.startsWith('--') && option?.type === 'string' && (args[index + 1] ?? '--').startsWith('-')
  })
  if (empty !== undefined) return `${empty} needs a value (write ${empty}=VALUE if it starts with a dash).`
  const flag = args.find((arg) => arg.startsWith('--') && arg.includes('='))?.split('=')[0]
  return flag === undefined ? 'The options could not be read.' : `${flag} takes no value.`
}

function oneFile(command: string, positionals: readonly string[]): string {
  const [file, ...more] = positionals
  if (file === undefined) throw bad(`${command} needs a crawl file: sandpiper ${command} name.sandpiper`)
  if (more.length > 0) throw bad(`${command} takes one crawl file; "${more[0]}" is one too many.`)
  return file
}

function oneOf<const T extends string>(flag: string, value: string, values: readonly T[]): T {
  const found = values.find((each) => each === value)
  if (found === undefined) throw bad(`--${flag} must be one of ${values.join(', ')}; you gave "${value}".`)
  return found
}

function numeric(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,15}$/.test(value)) throw bad(`--${flag} must be a whole number; you gave "${value}".`)
  return Number(value)
}

function parseHeader(text: string): { name: string; value: string } {
  const colon = text.indexOf(':')
  if (colon < 1) throw bad(`--header must look like 'Name: value'; you gave "${text}".`)
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() }
}

const bad = (message: string, cause?: unknown): Failure => new Failure('bad_input', message, { cause })
