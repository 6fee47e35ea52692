import { gunzipSync } from 'node:zlib'
import { isTransient } from '../../shared/page-outcome.ts'
import type { Clock } from './clock.ts'
import type { Fetched, Fetcher } from './fetcher.ts'
import { backoffMs } from './retry.ts'
import { parseRetryAfter } from './retry-after.ts'
import { parseRobots, type RobotsRules } from './robots.ts'
import type { RobotsState, Site } from './site.ts'
import { fetchText } from './text-fetch.ts'

/** Asks each site's robots.txt once before its first page, and keeps the answer for 24 hours (RFC 9309 §2.4). */

const PRODUCT_TOKEN = 'Sandpiper'
const MAX_AGE_MS = 24 * 3_600_000
const MAX_BYTES = 512_000
const MAX_CRAWL_DELAY_MS = 30_000
/** What the rows of a site wait for while its robots.txt cannot be had. */
const UNREACHABLE = 'robots unreachable'
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 3_600_000

export interface RobotsTools {
  fetcher: Fetcher
  clock: Clock
  random: () => number
  retries: number
  obey: boolean
  headersFor: (url: URL) => Record<string, string>
}

export class RobotsGate {
  readonly #tools: RobotsTools

  constructor(tools: RobotsTools) {
    this.#tools = tools
  }

  /** Settles the question without a request where it can: robots are off, or a fresh answer is stored. */
  recall(site: Site): boolean {
    if (!this.#tools.obey) {
      site.robots = { kind: 'known', rules: parseRobots('', PRODUCT_TOKEN) }
      return true
    }
    const { robotsStatus, robotsBody, robotsFetchedAt } = site.row
    if (robotsStatus === null || this.#tools.clock.wall() - robotsFetchedAt > MAX_AGE_MS) return false
    this.#adopt(site, robotsBody)
    return true
  }

  /** Never rejects; leaves `site.robots` settled, or `unreachable` with the time to ask again. */
  async ask(site: Site, signal: AbortSignal, onRequest: (wireBytes: number) => void): Promise<void> {
    const tries = site.robots.kind === 'unreachable' ? site.robots.tries + 1 : 1
    site.robots = { kind: 'asking' }
    const address = `${site.row.origin}/robots.txt`
    const { fetched } = await fetchText(this.#tools.fetcher, address, this.#tools.headersFor, signal, onRequest)
    site.robots = this.#judge(site, fetched, tries)
    if (site.robots.kind === 'unreachable') site.park(site.robots.askAgainAt, UNREACHABLE)
    else if (site.row.parkReason === UNREACHABLE) site.unpark()
  }

  #judge(site: Site, fetched: Fetched, tries: number): RobotsState {
    if (fetched.ok && fetched.status < 500 && fetched.status !== 429) {
      const body = fetched.status < 300 ? readBody(fetched) : new Uint8Array()
      site.row.robotsStatus = fetched.status
      site.row.robotsBody = body
      site.row.robotsFetchedAt = this.#tools.clock.wall()
      this.#adopt(site, body)
      return site.robots
    }
    if (fetched.ok) return this.#later(tries, parseRetryAfter(fetched.headers['retry-after'], this.#tools.clock.wall()))
    // An end of the crawl, not of the site: it is asked again when the crawl goes on.
    if (fetched.code === 'aborted') return { kind: 'unknown' }
    // Too many redirects count as no file (RFC 9309 §2.3.1.2).
    if (fetched.code === 'redirect_loop') return { kind: 'known', rules: parseRobots('', PRODUCT_TOKEN) }
    if (fetched.code === 'body_too_large') return this.#later(tries, null)
    if (isTransient(fetched.code) && tries <= this.#tools.retries) {
      return { kind: 'unreachable', askAgainAt: this.#tools.clock.wall() + backoffMs(tries, this.#tools.random), tries }
    }
    return { kind: 'dead', code: fetched.code, detail: fetched.detail }
  }

  #later(tries: number, askedForMs: number | null): RobotsState {
    const ownMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))
    return { kind: 'unreachable', askAgainAt: this.#tools.clock.wall() + (askedForMs ?? ownMs), tries }
  }

  #adopt(site: Site, body: Uint8Array): void {
    const rules = parseRobots(body, PRODUCT_TOKEN)
    site.robots = { kind: 'known', rules }
    site.raiseDelay(Math.min(rules.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS))
  }
}

/** What a rule lookup says of a URL; null if it may be fetched. */
export function refusedBy(rules: RobotsRules, url: string): string | null {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const verdict = rules.check(url.slice(start))
  return verdict.allowed ? null : `robots.txt line ${verdict.line}: ${verdict.rule}`
}

function readBody({ body, headers }: Extract<Fetched, { ok: true }>): Uint8Array {
  const bytes = new Uint8Array(body)
  if (!/gzip/i.test(String(headers['content-encoding'] ?? '')) || bytes[0] !== 0x1f) return bytes.slice(0, MAX_BYTES)
  try {
    return gunzipSync(bytes, { maxOutputLength: 16 * MAX_BYTES }).subarray(0, MAX_BYTES)
  } catch {
    return new Uint8Array()
  }
}
