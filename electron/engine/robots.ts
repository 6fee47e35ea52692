import { canonicalUrl } from './canonical-url.ts'
import { fromOctets, toOctets } from './robots-path.ts'
import { type Rule, RuleSet } from './robots-rules.ts'

/** robots.txt (RFC 9309): groups merged by product token, and what they say about a path. */

/** 500 KiB (RFC 9309 §2.5). */
const MAX_BYTES = 512_000

export interface RobotsVerdict {
  allowed: boolean
  /** The deciding line, from 1, and its rule as text; 0 and empty when no rule matched. */
  line: number
  rule: string
}

export interface RobotsRules {
  /** Canonical http or https URLs of the `Sitemap:` lines, wherever they stand. */
  sitemaps: string[]
  /** Of the group that is for us, in milliseconds and not capped; null if it names none. */
  crawlDelayMs: number | null
  /** @param path path and query of a URL */
  check(path: string): RobotsVerdict
}

interface Group {
  rules: Rule[]
  crawlDelayMs: number | null
}

const FREE: RobotsVerdict = { allowed: true, line: 0, rule: '' }

/**
 * Never throws: whatever is no robots.txt has no rules. Only the first 500 KiB count; a line that is cut there does not.
 * @param productToken our name, matched case-insensitively
 */
export function parseRobots(body: Uint8Array | string, productToken: string): RobotsRules {
  const reader = new RobotsReader(productToken.toLowerCase())
  let number = 0
  for (const line of splitLines(readOctets(body))) {
    number++
    const record = splitRecord(line)
    if (record !== null) reader.read(record[0], record[1], number)
  }
  const { rules, crawlDelayMs } = reader.group
  const ruleSet = new RuleSet(rules)
  return { sitemaps: [...reader.sitemaps], crawlDelayMs, check: (path) => check(ruleSet, path) }
}

function check(rules: RuleSet, path: string): RobotsVerdict {
  // RFC 9309 §2.2.2: the file itself may always be asked for.
  const rule = path === '/robots.txt' ? null : rules.decide(path)
  if (rule === null) return FREE
  const { allow, line, pattern } = rule
  return { allowed: allow, line, rule: `${allow ? 'Allow' : 'Disallow'}: ${fromOctets(pattern)}` }
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

/** Collects what concerns us from the records of a file, one after the other. */
class RobotsReader {
  readonly sitemaps = new Set<string>()
  readonly #token: string
  readonly #ours: Group = { rules: [], crawlDelayMs: null }
  readonly #everyones: Group = { rules: [], crawlDelayMs: null }
  #weAreNamed = false
  /** The groups that the records now read belong to. */
  #open = new Set<Group>()
  /** User-agent lines that stand together name one group; only a rule ends them (RFC 9309 §2.2.4). */
  #mayNameMore = true

  constructor(token: string) {
    this.#token = token
  }

  /** RFC 9309 §2.2.1: everyone's group only if no group names us. */
  get group(): Group {
    return this.#weAreNamed ? this.#ours : this.#everyones
  }

  read(key: Key, value: string, line: number): void {
    if (key === 'user-agent') this.#name(agentToken(value))
    else if (key === 'sitemap') this.#addSitemap(value)
    else if (key === 'crawl-delay') this.#delay(value)
    else this.#rule({ allow: key === 'allow', line, pattern: value })
  }

  #name(agent: string): void {
    if (!this.#mayNameMore) this.#open.clear()
    this.#mayNameMore = true
    if (agent === '*') this.#open.add(this.#everyones)
    if (agent !== this.#token) return
    this.#weAreNamed = true
    this.#open.add(this.#ours)
  }

  #rule(rule: Rule): void {
    this.#mayNameMore = false
    if (rule.pattern !== '') for (const group of this.#open) group.rules.push(rule)
  }

  /** Not in the standard: seconds. Of several, the longest. */
  #delay(value: string): void {
    if (!/^\d+(\.\d*)?$|^\.\d+$/.test(value)) return
    const delayMs = Number(value) * 1_000
    for (const group of this.#open) group.crawlDelayMs = Math.max(group.crawlDelayMs ?? 0, delayMs)
  }

  #addSitemap(value: string): void {
    const sitemap = canonicalUrl(fromOctets(value))
    if (sitemap !== null) this.sitemaps.add(sitemap.url)
  }
}

/** The part of the file that counts, without its byte order mark. */
function readOctets(body: Uint8Array | string): string {
  const octets =
    typeof body === 'string'
      ? toOctets(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  const text = octets.startsWith('\xef\xbb\xbf') ? octets.slice(3) : octets
  if (octets.length < MAX_BYTES) return text
  const part = octets.slice(octets.length - text.length, MAX_BYTES)
  return part.slice(0, Math.max(part.lastIndexOf('\n'), part.lastIndexOf('\r')) + 1)
}

/** Lines end with CR, LF or both. */
function* splitLines(text: string): Generator<string> {
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 10 && code !== 13) continue
    yield text.slice(start, at)
    if (code === 13 && text.charCodeAt(at + 1) === 10) at++
    start = at + 1
  }
  if (start < text.length) yield text.slice(start)
}

/** Misspellings that are common enough to be understood. */
const KEYS: ReadonlyMap<string, Key> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['crawl-delay', 'crawl-delay'],
])

/** `key: value`, or two words where the colon was forgotten. Null for comments, unknown keys and everything else. */
function splitRecord(line: string): [Key, string] | null {
  const comment = line.indexOf('#')
  const text = trimBlanks(comment < 0 ? line : line.slice(0, comment))
  const colon = text.indexOf(':')
  const end = colon >= 0 ? colon : text.search(/[ \t]/)
  if (end < 0) return null
  const key = KEYS.get(trimBlanks(text.slice(0, end)).toLowerCase())
  const value = trimBlanks(text.slice(end + 1))
  return key === undefined || (colon < 0 && /[ \t]/.test(value)) ? null : [key, value]
}

/** Not trim(): the last octet of a letter in UTF-8 may be one that trim takes for a blank. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (start < end && text.charCodeAt(end - 1) <= 32) end--
  return text.slice(start, end)
}

/** RFC 9309 §2.2.1: letters, `_` and `-`; what follows ("/1.0") is not part of the name. */
function agentToken(value: string): string {
  if (/^\*(\s|$)/.test(value)) return '*'
  return (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase()
}
