import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import type { SkipReason } from '../../shared/page-outcome.ts'
import { type CanonicalUrl, siteKeyOf } from './canonical-url.ts'
import { UrlPattern } from './url-pattern.ts'

/** Which URLs belong to a crawl, and why not: the whole host of each seed, by hostname and port, http or https. */

const MAX_URL_CHARS = 8_192

export type Verdict = { in: true } | { in: false; reason: SkipReason }

const IN: Verdict = { in: true }

export class Scope {
  readonly #seeds: Set<string>
  readonly #sites = new Set<string>()
  readonly #hostnames = new Set<string>()
  readonly #domains = new Set<string>()
  /** Where hosts of a domain may listen: the default ports and those of the seeds. */
  readonly #ports = new Set([''])
  readonly #include: UrlPattern[]
  readonly #exclude: UrlPattern[]

  /** @param settings with canonical seeds */
  constructor({ seeds, scope }: Pick<CrawlSettings, 'seeds' | 'scope'>) {
    this.#seeds = new Set(seeds)
    this.#include = scope.include.map((pattern) => new UrlPattern(pattern))
    this.#exclude = scope.exclude.map((pattern) => new UrlPattern(pattern))
    for (const seed of seeds) {
      const url = new URL(seed)
      this.addHost(url)
      if (!scope.subdomains) continue
      this.#domains.add(registrableDomain(url.hostname))
      this.#ports.add(url.port)
    }
  }

  /** Takes another host in as if it had been a seed's. */
  addHost(url: Pick<URL, 'hostname' | 'port'>): void {
    this.#sites.add(siteKeyOf(url))
    this.#hostnames.add(url.hostname)
  }

  /** Leaves out what a pattern matches, from now on. */
  exclude(pattern: string): void {
    this.#exclude.push(new UrlPattern(pattern))
  }

  decide(url: CanonicalUrl): Verdict {
    if (url.url.length > MAX_URL_CHARS) return { in: false, reason: 'url_too_long' }
    if (!this.#hasSite(url)) return { in: false, reason: 'external' }
    if (this.#seeds.has(url.url)) return IN
    if (this.#exclude.some((pattern) => pattern.matches(url.url))) return { in: false, reason: 'excluded' }
    if (this.#include.length > 0 && !this.#include.some((pattern) => pattern.matches(url.url))) {
      return { in: false, reason: 'not_included' }
    }
    return IN
  }

  /** Did the user name this host, or did a seed lead to it? */
  isSeedHost(hostname: string): boolean {
    return this.#hostnames.has(hostname)
  }

  isSeedSite(url: Pick<URL, 'hostname' | 'port'>): boolean {
    return this.#sites.has(siteKeyOf(url))
  }

  #hasSite(url: CanonicalUrl): boolean {
    if (this.#sites.has(siteKeyOf(url))) return true
    return this.#domains.size > 0 && this.#ports.has(url.port) && this.#domains.has(registrableDomain(url.hostname))
  }
}

/** Sites such as example.github.io are registrable domains too. */
const HOSTNAME_ONLY = { allowPrivateDomains: true, detectIp: false, extractHostname: false, validateHostname: false }

/** The domain under a public suffix; the name itself where there is none (localhost, an address). */
function registrableDomain(hostname: string): string {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return hostname
  return getDomain(hostname, HOSTNAME_ONLY) ?? hostname
}
