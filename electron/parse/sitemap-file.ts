import { gunzipSync } from 'node:zlib'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { SitemapFile } from '../../shared/parse-job.ts'
import { decodeText } from './encoding.ts'
import { collapse } from './text-capture.ts'

/** Reads a sitemap (sitemaps.org): urlset, index, plain text, RSS or Atom; what can be read of a damaged one is kept. */

const LIMIT = 50_000
const HARD_LIMIT = 200_000
const MAX_ADDRESS = 8_192

export function readSitemapFile(body: Buffer, contentType: string, url: string, maxBytes: number): SitemapFile {
  const warnings: string[] = []
  const bytes = unzip(body, maxBytes, warnings)
  if (bytes === null) return { type: 'none', entries: [], warnings }
  const { text } = decodeText(bytes, contentType)
  const found = /^\s*</.test(text.slice(0, 1_000)) ? readXml(text) : readLines(text)
  const entries = resolveAll(found.addresses, url, warnings)
  if (found.type === 'none') warnings.push('This is no sitemap.')
  if (entries.length > LIMIT)
    warnings.push(
      `It lists ${entries.length.toLocaleString('en-US')} addresses; the limit is ${LIMIT.toLocaleString('en-US')}.`,
    )
  return { type: found.type, entries, warnings }
}

/** A sitemap may be a .gz file whatever its headers say. */
function unzip(body: Buffer, maxBytes: number, warnings: string[]): Buffer | null {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch {
    warnings.push('Its compression is damaged, or it is too large.')
    return null
  }
}

interface Found {
  type: SitemapFile['type']
  addresses: string[]
}

const ROOTS: Readonly<Record<string, SitemapFile['type']>> = {
  __proto__: null as never,
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'feed',
  feed: 'feed',
  rdf: 'feed',
}

function readXml(text: string): Found {
  const scanner = new SitemapScanner(text)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, scanner)
  tokenizer.write(text)
  tokenizer.end()
  return scanner.found
}

/** Keeps no element stack, so that nesting costs nothing; of entities only the five of XML and numbers are known. */
class SitemapScanner implements TokenizerCallbacks {
  readonly found: Found = { type: 'none', addresses: [] }
  readonly #text: string
  #tag = ''
  #attribute = ''
  #href = ''
  #capture: string | null = null

  constructor(text: string) {
    this.#text = text
  }

  onopentagname(start: number, end: number): void {
    this.#tag = localName(this.#text.slice(start, end))
    this.#href = ''
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#text.slice(start, end)
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === 'href' && end - start <= MAX_ADDRESS) this.#href += this.#text.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute === 'href') this.#href += String.fromCodePoint(codepoint)
  }

  onopentagend(): void {
    const { found } = this
    if (found.type === 'none') found.type = ROOTS[this.#tag] ?? 'none'
    const isFeedLink = found.type === 'feed' && this.#tag === 'link'
    if (isFeedLink && this.#href !== '') this.#keep(this.#href)
    else if (isFeedLink || this.#tag === 'loc') this.#capture = ''
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#capture = null
  }

  onclosetag(start: number, end: number): void {
    const tag = localName(this.#text.slice(start, end))
    if (this.#capture === null || (tag !== 'loc' && tag !== 'link')) return
    this.#keep(this.#capture)
    this.#capture = null
  }

  ontext(start: number, end: number): void {
    if (this.#capture !== null && this.#capture.length <= MAX_ADDRESS) this.#capture += this.#text.slice(start, end)
  }

  ontextentity(codepoint: number): void {
    if (this.#capture !== null) this.#capture += String.fromCodePoint(codepoint)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset)
  }

  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #keep(address: string): void {
    const trimmed = address.trim()
    if (trimmed === '' || trimmed.length > MAX_ADDRESS || this.found.addresses.length >= HARD_LIMIT) return
    this.found.addresses.push(trimmed)
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

function readLines(text: string): Found {
  const lines = text
    .split(/[\r\n]+/, HARD_LIMIT)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= MAX_ADDRESS)
  const addresses = lines.filter((line) => /^https?:\/\//i.test(line))
  return addresses.length > 0 && addresses.length * 2 >= lines.length
    ? { type: 'text', addresses }
    : { type: 'none', addresses: [] }
}

function resolveAll(addresses: string[], url: string, warnings: string[]): string[] {
  let relative = 0
  const entries: string[] = []
  for (const address of addresses) {
    const absolute = URL.parse(address)
    const resolved = absolute ?? URL.parse(address, url)
    if (resolved === null) continue
    if (absolute === null) relative++
    entries.push(resolved.href)
  }
  if (relative > 0)
    warnings.push(
      `${relative} relative addresses, such as ${collapse(addresses.find((each) => !URL.canParse(each)) ?? '', 100)}`,
    )
  return entries
}
