import { isIP } from 'node:net'
import { Failure } from '../../shared/failure.ts'

/** URLs as the crawl knows them: http or https, WHATWG-serialised, without fragment and credentials. */

export interface CanonicalUrl {
  /** What is requested. */
  url: string
  /** The identity: two URLs with one key are one row. */
  key: string
  /** ASCII, as in the URL; an IPv6 address keeps its brackets. */
  hostname: string
  /** Empty for the scheme's default port. */
  port: string
  protocol: 'http:' | 'https:'
}

/** Null for what is no web address (WHATWG URL §4.4). */
export function canonicalUrl(text: string, base?: string): CanonicalUrl | null {
  const parsed = URL.parse(text, base)
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return null
  if (parsed.username !== '') parsed.username = ''
  if (parsed.password !== '') parsed.password = ''
  const { href, hostname, port, protocol } = parsed
  const hash = href.indexOf('#')
  const url = hash < 0 ? href : href.slice(0, hash)
  return { url, key: url, hostname, port, protocol }
}

/** The site a URL belongs to: hostname and port, the same for http and https where both use their default port. */
export const siteKeyOf = ({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string =>
  port === '' ? hostname : `${hostname}:${port}`

/**
 * The address a user typed, as a canonical URL. Without a scheme it is https, or http for an IP address or localhost.
 * @throws Failure `bad_input`
 */
export function parseSeed(text: string): string {
  const typed = text.trim()
  const seed = canonicalUrl(HAS_SCHEME.test(typed) ? typed : withScheme(typed))
  if (seed === null) {
    throw new Failure('bad_input', `"${typed}" is not a web address: write it like https://example.org/`)
  }
  return seed.url
}

/** "example.org:8080/x" is a host with a port, "htp:/x" has a scheme. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))/i

/** Empty if it does not start with a host: a path, "//host", a mail address. */
function withScheme(typed: string): string {
  const host = /^(\[[^\]]*\]|[^:/?#@\\]+)(:\d*)?([/?#]|$)/.exec(typed)?.[1]?.toLowerCase()
  if (host === undefined) return ''
  const isLocal = host.startsWith('[') || isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost')
  return `${isLocal ? 'http' : 'https'}://${typed}`
}
