import { constants, gunzipSync } from 'node:zlib'
import type { SitemapFile } from '../../shared/parse-job.ts'
import { isGzip } from './content-decoding.ts'
import { decodeText } from './encoding.ts'
import { LinkResolver } from './resolve-link.ts'
import { type FoundAddresses, SitemapScanner } from './sitemap-scanner.ts'
import { collapse } from './text-capture.ts'

/** Reads a sitemap (sitemaps.org): urlset, index, plain text, RSS or Atom; what can be read of a damaged one is kept. */

/** What sitemaps.org allows in one file. */
const ALLOWED_ENTRIES = 50_000
const MAX_ENTRIES = 200_000

/**
 * @param url the file's address, against which relative entries are resolved
 * @param maxBytes cap on the unzipped size
 * @throws TypeError if `url` is not absolute
 */
export function readSitemapFile(body: Buffer, contentType: string, url: string, maxBytes: number): SitemapFile {
  const warnings: string[] = []
  const bytes = isGzip(body) ? unzip(body, maxBytes, warnings) : body
  if (bytes === null) return { type: 'none', entries: [], warnings }
  const { text } = decodeText(bytes, contentType)
  const found = /^\s*</.test(text.slice(0, 1_000)) ? SitemapScanner.scan(text, MAX_ENTRIES) : readLines(text)
  if (found.type === 'none') {
    if (warnings.length === 0) warnings.push('This is no sitemap.')
    return { type: 'none', entries: [], warnings }
  }
  const entries = resolveAll(found.addresses, url, warnings)
  if (found.addresses.length > ALLOWED_ENTRIES) warnings.push(tooMany(found.addresses.length))
  return { type: found.type, entries, warnings }
}

/** A sitemap may be a .gz file whatever its headers say. Of one that is cut short the beginning is kept. */
function unzip(body: Buffer, maxBytes: number, warnings: string[]): Buffer | null {
  const limits = { maxOutputLength: maxBytes }
  try {
    return gunzipSync(body, limits)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    warnings.push(code === 'ERR_BUFFER_TOO_LARGE' ? 'It is too large when unzipped.' : 'Its compression is damaged.')
    if (code !== 'Z_BUF_ERROR') return null
    return gunzipSync(body, { ...limits, finishFlush: constants.Z_SYNC_FLUSH })
  }
}

function tooMany(count: number): string {
  const limit = ALLOWED_ENTRIES.toLocaleString('en-US')
  const rest = count >= MAX_ENTRIES ? ' The rest was not read.' : ''
  return `It lists ${count.toLocaleString('en-US')} addresses; the limit is ${limit}.${rest}`
}

/** A text file counts for a sitemap if at least half of its lines are web addresses. */
function readLines(text: string): FoundAddresses {
  const lines = text
    .split(/[\r\n]+/, MAX_ENTRIES)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const addresses = lines.filter((line) => /^https?:\/\//i.test(line))
  return addresses.length > 0 && addresses.length * 2 >= lines.length
    ? { type: 'text', addresses }
    : { type: 'none', addresses: [] }
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

function resolveAll(addresses: readonly string[], url: string, warnings: string[]): string[] {
  const resolver = new LinkResolver(url)
  const entries: string[] = []
  let relative = 0
  let refused = 0
  let example = ''
  let refusedExample = ''
  for (const address of addresses) {
    const resolved = resolver.resolve(address)
    if (resolved.kind !== 'url') {
      refused++
      refusedExample ||= collapse(address, 100)
      continue
    }
    if (!HAS_SCHEME.test(address)) {
      relative++
      example ||= collapse(address, 100)
    }
    entries.push(resolved.url)
  }
  if (relative > 0) warnings.push(`${relative} relative addresses, such as ${example}`)
  if (refused > 0) warnings.push(`${refused} entries are no web addresses, such as ${refusedExample}`)
  return entries
}
