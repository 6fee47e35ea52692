/**
 * Resolves the addresses of one page: WHATWG URL parsing, with a shortcut for the plain ones, which are most. The
 * shortcut gives the very string that the parser would; a property test holds it to that.
 */

const MAX_CHARS = 8_192

export type Resolved = { kind: 'url'; url: string } | { kind: 'other_scheme' } | { kind: 'invalid' }

const OTHER: Resolved = { kind: 'other_scheme' }
const INVALID: Resolved = { kind: 'invalid' }

/** 1 for characters that the parser leaves alone in path and query, and that steer nothing. */
const PLAIN = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$()*+,;=@&') {
  PLAIN[character.charCodeAt(0)] = 1
}

const SLASH = 47
const DOT = 46
const QUESTION = 63
const HASH = 35

export class LinkResolver {
  readonly #base: string
  readonly #origin: string
  readonly #folder: string

  /** @param base an absolute URL */
  constructor(base: string) {
    const { href, origin, protocol, pathname } = new URL(base)
    this.#base = href
    this.#origin = protocol === 'http:' || protocol === 'https:' ? origin : ''
    this.#folder = this.#origin === '' ? '' : origin + pathname.slice(0, pathname.lastIndexOf('/') + 1)
  }

  /** Absolute, without fragment and credentials. */
  resolve(raw: string): Resolved {
    if (raw.length > MAX_CHARS) return INVALID
    const plain = this.#resolvePlain(raw)
    if (plain !== null) return { kind: 'url', url: plain }
    const url = URL.parse(raw, this.#base)
    if (url === null) return INVALID
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return OTHER
    if (url.username !== '') url.username = ''
    if (url.password !== '') url.password = ''
    const { href } = url
    const hash = href.indexOf('#')
    const whole = hash < 0 ? href : href.slice(0, hash)
    return whole.length > MAX_CHARS ? INVALID : { kind: 'url', url: whole }
  }

  /** "/a/b.html?x=1", "b.html" and addresses on the page's own origin; null where the parser must decide. */
  #resolvePlain(raw: string): string | null {
    const origin = this.#origin
    if (origin === '' || raw.length === 0) return null
    const first = raw.charCodeAt(0)
    if (first === SLASH) return plainPath(raw, 0, origin)
    if (first < 128 && PLAIN[first] === 1) {
      if (raw.charCodeAt(origin.length) === SLASH && raw.startsWith(origin))
        return plainPath(raw, origin.length, origin)
      return plainPath(raw, 0, this.#folder)
    }
    return null
  }
}

/** `prefix` and the part of `raw` from `start` on up to its fragment, if every character of it is plain. */
function plainPath(raw: string, start: number, prefix: string): string | null {
  if (raw.charCodeAt(start) === SLASH && raw.charCodeAt(start + 1) === SLASH) return null
  let query = false
  let before = SLASH
  let at = start
  for (; at < raw.length; at++) {
    const code = raw.charCodeAt(at)
    if (code < 128 && PLAIN[code] === 1) {
      // Nothing to do.
    } else if (code === DOT) {
      // A segment that starts with a dot may be "." or "..".
      if (before === SLASH && !query) return null
    } else if (code === QUESTION) query = true
    else if (code === HASH) break
    else if (code !== SLASH) return null
    before = code
  }
  return at === start ? null : prefix + raw.slice(start, at)
}
