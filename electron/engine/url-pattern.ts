import { domainToASCII } from 'node:url'

/**
 * Patterns with `*` for any run of characters, anchored at both ends: against the whole URL if they have a scheme, else
 * against path and query. Linear in the length of the URL for each piece between stars.
 */
export class UrlPattern {
  readonly #pieces: readonly string[]
  readonly #wholeUrl: boolean

  constructor(pattern: string) {
    const [, scheme, host = '', path = ''] = WHOLE_URL.exec(pattern) ?? []
    this.#wholeUrl = scheme !== undefined
    const text = this.#wholeUrl ? `${scheme!.toLowerCase()}${serializeHost(host, path)}` : serializePath(pattern)
    this.#pieces = text.split('*')
  }

  /** @param url a canonical URL */
  matches(url: string): boolean {
    return matchesPieces(this.#wholeUrl ? url : pathAndQuery(url), this.#pieces)
  }
}

const WHOLE_URL = /^([a-z*][a-z0-9+.*-]*:\/\/)([^/?]*)(.*)$/is

/** The part of a canonical URL that starts with the path. */
const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3))

/** Each piece at its first place behind the one before it: enough, since a star takes whatever lies between. */
function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!
  if (pieces.length === 1) return text === first
  const last = pieces.at(-1)!
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  const end = text.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/** As the URL serializer writes them: labels in lower-case ASCII, and "/" where no path was typed. */
function serializeHost(authority: string, path: string): string {
  const port = /:[\d*]*$/.exec(authority)?.[0] ?? ''
  const labels = authority.slice(0, authority.length - port.length).split('.')
  const host = labels.map((label) => (label.includes('*') ? '' : domainToASCII(label)) || label.toLowerCase()).join('.')
  const isOpenEnded = authority.endsWith('*') && path === ''
  return host + port + (path.startsWith('/') || isOpenEnded ? '' : '/') + serializePath(path)
}

/** The WHATWG percent-encode sets of path and of query. */
function serializePath(path: string): string {
  const query = path.indexOf('?') < 0 ? path.length : path.indexOf('?')
  const encodedPath = path.slice(0, query).replace(/[^\x21-\x7e]|["<>`{}^]/gu, percentEncode)
  return encodedPath + path.slice(query).replace(/[^\x21-\x7e]|["<>']/gu, percentEncode)
}

const percentEncode = (character: string): string =>
  Array.from(Buffer.from(character), (octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('')
