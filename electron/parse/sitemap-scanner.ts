import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { SitemapFile } from '../../shared/parse-job.ts'

export interface FoundAddresses {
  type: SitemapFile['type']
  /** As written, trimmed, in file order. */
  addresses: string[]
}

/** By local name of the root element. */
const ROOTS: ReadonlyMap<string, SitemapFile['type']> = new Map([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'feed'],
  ['feed', 'feed'],
  ['rdf', 'feed'],
])

/** Longer than any address that is kept; what lies beyond is not copied. */
const MAX_CAPTURE_CHARS = 10_000

/**
 * One pass over the markup of a sitemap or feed. It keeps no element stack, so that nesting costs nothing; of entities only
 * the five of XML and numbers are known.
 */
export class SitemapScanner implements TokenizerCallbacks {
  readonly #found: FoundAddresses = { type: 'none', addresses: [] }
  readonly #text: string
  readonly #maxEntries: number
  readonly #tokenizer: Tokenizer
  /** With its prefix, "ns:". An entry's loc has the root's; an image's has another. */
  #rootPrefix = ''
  #hasRoot = false
  #name = ''
  #attribute = ''
  #href = ''
  #rel = ''
  #capture: string | null = null

  private constructor(text: string, maxEntries: number) {
    this.#text = text
    this.#maxEntries = maxEntries
    this.#tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, this)
  }

  /** Stops at `maxEntries`. Never throws: what stands before damage is kept. */
  static scan(text: string, maxEntries: number): FoundAddresses {
    const scanner = new SitemapScanner(text, maxEntries)
    scanner.#tokenizer.write(text)
    scanner.#tokenizer.end()
    return scanner.#found
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#text.slice(start, end)
    this.#href = ''
    this.#rel = ''
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#text.slice(start, end)
  }

  onattribdata(start: number, end: number): void {
    this.#addToAttribute(this.#text.slice(start, end))
  }

  onattribentity(codepoint: number): void {
    this.#addToAttribute(String.fromCodePoint(codepoint))
  }

  #addToAttribute(piece: string): void {
    if (this.#attribute === 'href' && this.#href.length < MAX_CAPTURE_CHARS) this.#href += piece
    else if (this.#attribute === 'rel' && this.#rel.length < MAX_CAPTURE_CHARS) this.#rel += piece
  }

  onopentagend(): void {
    const { prefix, local } = splitName(this.#name)
    if (!this.#hasRoot) {
      this.#hasRoot = true
      this.#rootPrefix = prefix
      this.#found.type = ROOTS.get(local) ?? 'none'
      if (this.#found.type === 'none') this.#tokenizer.pause()
    } else if (this.#found.type === 'feed') {
      if (local === 'link') this.#openFeedLink()
    } else if (local === 'loc' && prefix === this.#rootPrefix) this.#capture = ''
  }

  /** Atom has the address in href, RSS as text; feeds, hubs and enclosures have other relations. */
  #openFeedLink(): void {
    if (this.#href === '') this.#capture = this.#rel === '' ? '' : null
    else if (this.#rel === '' || this.#rel === 'alternate') this.#keep(this.#href)
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#capture = null
  }

  onclosetag(start: number, end: number): void {
    if (this.#capture === null) return
    const { local } = splitName(this.#text.slice(start, end))
    if (local !== 'loc' && local !== 'link') return
    this.#keep(this.#capture)
    this.#capture = null
  }

  ontext(start: number, end: number): void {
    if (this.#capture !== null && this.#capture.length < MAX_CAPTURE_CHARS)
      this.#capture += this.#text.slice(start, Math.min(end, start + MAX_CAPTURE_CHARS))
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
    if (trimmed === '') return
    this.#found.addresses.push(trimmed)
    if (this.#found.addresses.length >= this.#maxEntries) this.#tokenizer.pause()
  }
}

function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':') + 1
  return { prefix: name.slice(0, colon), local: name.slice(colon).toLowerCase() }
}
