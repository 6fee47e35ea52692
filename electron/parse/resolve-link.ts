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

const HASH = 35
const PERCENT = 37
const DOT = 46
const SLASH = 47
const TWO = 50
const COLON = 58
const QUESTION = 63

const urlOf = (url: string): Resolved => (url.length > MAX_CHARS ? INVALID : { kind: 'url', url })

/** A scheme after what the parser strips in front (URL §4.4): long images in data: are no mistakes. */
function hasOtherScheme(raw: string): boolean {
  const scheme = /^[\x00-\x20]*([a-z][a-z0-9+.-]*):/i.exec(raw.slice(0, 100))?.[1]?.toLowerCase()
  return scheme !== undefined && scheme !== 'http' && scheme !== 'https'
}

export class LinkResolver {
  readonly #base: string
  /** All empty if the base is no web address: then there is no shortcut. */
  readonly #origin: string
  readonly #folder: string
  readonly #path: string
  readonly #whole: string

  /** @param base an absolute URL; @throws TypeError if it is none */
  constructor(base: string) {
    const { href, origin, protocol, pathname, username, password } = new URL(base)
    const isPlain = (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
    this.#base = href
    this.#origin = isPlain ? origin : ''
    this.#folder = isPlain ? origin + pathname.slice(0, pathname.lastIndexOf('/') + 1) : ''
    this.#path = isPlain ? origin + pathname : ''
    this.#whole = isPlain ? href.replace(/#.*$/s, '') : ''
  }

  /** Absolute, without fragment and credentials; `invalid` if the parser refuses it or it is too long. */
  resolve(raw: string): Resolved {
    const plain = this.#resolvePlain(raw)
    if (plain !== null) return urlOf(plain)
    if (raw.length > MAX_CHARS) return hasOtherScheme(raw) ? OTHER : INVALID
    const url = URL.parse(raw, this.#base)
    if (url === null) return INVALID
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return OTHER
    if (url.username !== '') url.username = ''
    if (url.password !== '') url.password = ''
    const { href } = url
    const hash = href.indexOf('#')
    return urlOf(hash < 0 ? href : href.slice(0, hash))
  }

  /** "/a/b.html?x=1", "b.html", "?x=1", "#top", addresses on the page's own origin; null where the parser must decide. */
  #resolvePlain(raw: string): string | null {
    const origin = this.#origin
    if (origin === '' || raw.length === 0) return null
    const first = raw.charCodeAt(0)
    if (first === SLASH) return plainPath(raw, 0, origin)
    if (first === QUESTION) return plainPath(raw, 0, this.#path)
    if (first === HASH) return this.#whole
    if (first >= 128 || PLAIN[first] === 0) return null
    if (raw.charCodeAt(origin.length) === SLASH && raw.startsWith(origin)) return plainPath(raw, origin.length, origin)
    return plainPath(raw, 0, this.#folder)
  }
}

/** `prefix` and the part of `raw` from `start` on up to its fragment, if every character of it is plain. */
function plainPath(raw: string, start: number, prefix: string): string | null {
  if (raw.charCodeAt(start) === SLASH && raw.charCodeAt(start + 1) === SLASH) return null
  let inQuery = false
  let inFirstSegment = raw.charCodeAt(start) !== SLASH
  let before = SLASH
  let at = start
  for (; at < raw.length; at++) {
    const code = raw.charCodeAt(at)
    if (code === SLASH) inFirstSegment = false
    else if (code === DOT) {
      // A segment that starts with a dot may be "." or "..".
      if (before === SLASH && !inQuery) return null
    } else if (code === QUESTION) inQuery = true
    else if (code === HASH) break
    else if (code === COLON) {
      // What stands before it may be a scheme.
      if (inFirstSegment && !inQuery) return null
    } else if (code === PERCENT) {
      // "%2e" is a dot.
      if (raw.charCodeAt(at + 1) === TWO && !inQuery) return null
    } else if (code >= 128 || PLAIN[code] === 0) return null
    before = code
  }
  return prefix + raw.slice(start, at)
}
