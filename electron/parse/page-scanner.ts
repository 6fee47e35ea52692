import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { LinkKind } from '../../shared/link-kind.ts'
import { type LinkCollector, MAX_LINK_TEXT } from './link-collector.ts'
import { parseRefresh } from './meta-refresh.ts'
import { parseSrcset } from './srcset.ts'
import { collapse, TextCapture } from './text-capture.ts'

/**
 * One pass over a page's markup, straight on the tokenizer: no tree, no element stack, so that neither nesting nor size
 * makes it slower than linear. It keeps attributes of the few tags it cares about and text where somebody listens.
 */

const MAX_FACT = 2_000
const MAX_ATTRIBUTES = 100
const MAX_SRCDOC_NESTING = 3

/** Tags whose attributes matter. */
const WANTED: ReadonlySet<string> = new Set('a area base iframe frame link meta img source script html'.split(' '))

/** Tags that do not end a word. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** What they contain is not read as text. */
const UNREAD: ReadonlySet<string> = new Set(
  'script style template title textarea noembed noframes xmp iframe'.split(' '),
)

/** 1 for what separates words: controls, space, no-break space. */
const SPACE = new Uint8Array(65_536)
SPACE.fill(1, 0, 33)
SPACE[0xa0] = 1

/** The entities that part words; all others stand for letters and signs, and need not be decoded to be counted. */
const SPACE_ENTITY = /&(?:nbsp|ensp|emsp|thinsp|hairsp|Tab|NewLine|#(?:160|32|9|10|13|x(?:a0|20|9|a|d)));?/gi

type Attributes = ReadonlyMap<string, string>

export class PageScanner implements TokenizerCallbacks {
  title = ''
  description = ''
  h1 = ''
  h2 = ''
  robots: string[] = []
  lang = ''
  base = ''
  canonical = ''
  readonly hreflang: [string, string][] = []
  words = 0

  readonly #markup: string
  readonly #links: LinkCollector
  readonly #nesting: number
  #tag = ''
  #wanted = false
  #attributes: Map<string, string> = new Map()
  #attribute = ''
  #value = ''
  /** Open <template>s: their content is inert. Open <svg> and <math>. */
  #templates = 0
  #foreign = 0
  #unread = ''
  #inWord = false
  /** Where the next entity may be: found once, not once for each piece of text. */
  #nextAmpersand = -1
  #heading: { tag: 'title' | 'h1' | 'h2'; text: TextCapture } | null = null
  #seen = new Set<string>()
  #anchor: { position: number; text: TextCapture; alt: string } | null = null

  private constructor(markup: string, links: LinkCollector, nesting: number) {
    this.#markup = markup
    this.#links = links
    this.#nesting = nesting
  }

  static scan(markup: string, links: LinkCollector, nesting = 0): PageScanner {
    const scanner = new PageScanner(markup, links, nesting)
    // Without entities the tokenizer runs from tag to tag; they are decoded here, in the little text that is kept.
    const tokenizer = new Tokenizer({ decodeEntities: false }, scanner)
    tokenizer.write(markup)
    tokenizer.end()
    scanner.#endAnchor()
    scanner.#endHeading()
    return scanner
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0
  }

  // ---- tags

  onopentagname(start: number, end: number): void {
    const tag = lowerCase(this.#markup, start, end)
    this.#tag = tag
    this.#wanted = this.#templates === 0 && WANTED.has(tag)
    if (this.#wanted && this.#attributes.size > 0) this.#attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    if (this.#wanted) this.#attribute = this.#markup.slice(start, end).toLowerCase()
  }

  onattribdata(start: number, end: number): void {
    if (this.#wanted) this.#value += this.#markup.slice(start, end)
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (!this.#wanted) return
    const attributes = this.#attributes
    const value = this.#value
    if (attributes.size < MAX_ATTRIBUTES && !attributes.has(this.#attribute)) {
      attributes.set(this.#attribute, value.includes('&') ? decodeHTMLAttribute(value) : value)
    }
    this.#value = ''
  }

  onopentagend(_end: number): void {
    this.#open(false)
  }

  onselfclosingtag(_end: number): void {
    this.#open(this.#foreign > 0)
  }

  #open(selfClosed: boolean): void {
    const tag = this.#tag
    if (!INLINE.has(tag)) this.#inWord = false
    if (this.#wanted) this.#read(tag, this.#attributes)
    if (selfClosed) return
    if (tag === 'template') this.#templates++
    else if (tag === 'svg' || tag === 'math') this.#foreign++
    else if (this.#foreign === 0 && this.#unread === '' && UNREAD.has(tag)) this.#unread = tag
    if (tag === 'title' || tag === 'h1' || tag === 'h2') this.#startHeading(tag)
  }

  onclosetag(start: number, end: number): void {
    const tag = lowerCase(this.#markup, start, end)
    if (!INLINE.has(tag)) this.#inWord = false
    if (tag === this.#unread) this.#unread = ''
    if (tag === 'template') this.#templates = Math.max(0, this.#templates - 1)
    else if (tag === 'svg' || tag === 'math') this.#foreign = Math.max(0, this.#foreign - 1)
    else if (tag === 'a') this.#endAnchor()
    else if (tag === this.#heading?.tag) this.#endHeading()
  }

  // ---- text

  ontext(start: number, end: number): void {
    const counted = this.#unread === '' && this.#templates === 0
    const listening = this.#heading !== null || this.#anchor !== null
    if (!counted && !listening) return
    const markup = this.#markup
    if (this.#nextAmpersand < start) this.#nextAmpersand = indexOrEnd(markup, '&', start)
    const encoded = this.#nextAmpersand < end
    if (listening) {
      const slice = markup.slice(start, end)
      const text = encoded ? decodeHTML(slice) : slice
      this.#heading?.text.add(text)
      this.#anchor?.text.add(text)
    }
    if (!counted) return
    if (encoded) {
      const text = markup.slice(start, end).replace(SPACE_ENTITY, ' ')
      this.#countWords(text, 0, text.length)
    } else this.#countWords(markup, start, end)
  }

  /** Without branches: a word begins where white space ends. */
  #countWords(text: string, start: number, end: number): void {
    let outside = this.#inWord ? 0 : 1
    let words = 0
    for (let at = start; at < end; at++) {
      const space = SPACE[text.charCodeAt(at)]!
      words += outside & (space ^ 1)
      outside = space
    }
    this.#inWord = outside === 0
    this.words += words
  }

  #startHeading(tag: 'title' | 'h1' | 'h2'): void {
    if (this.#heading !== null || this.#seen.has(tag) || this.#foreign > 0 || this.#templates > 0) return
    this.#heading = { tag, text: new TextCapture(MAX_FACT) }
  }

  #endHeading(): void {
    if (this.#heading === null) return
    const { tag, text } = this.#heading
    this[tag] = text.toString()
    this.#seen.add(tag)
    this.#heading = null
  }

  #endAnchor(): void {
    if (this.#anchor === null) return
    const { position, text, alt } = this.#anchor
    if (position >= 0) this.#links.setText(position, text.isBlank ? alt : text.toString())
    this.#anchor = null
  }

  // ---- what each tag says

  #read(tag: string, attributes: Attributes): void {
    if (tag === 'a') this.#readAnchor(attributes)
    else if (tag === 'area') this.#add('area', attributes.get('href'), attributes)
    else if (tag === 'img') this.#readImage(attributes)
    else if (tag === 'source') this.#readSource(attributes)
    else if (tag === 'script') this.#add('script', attributes.get('src'), attributes)
    else if (tag === 'iframe' || tag === 'frame') this.#readFrame(tag, attributes)
    else if (tag === 'link') this.#readLink(attributes)
    else if (tag === 'meta') this.#readMeta(attributes)
    else if (tag === 'base') this.base ||= attributes.get('href') ?? ''
    else if (tag === 'html') this.lang ||= collapse(attributes.get('lang') ?? '', 100)
  }

  #add(kind: LinkKind, address: string | undefined, attributes: Attributes, text = ''): void {
    if (address !== undefined && (address !== '' || kind === 'a')) {
      this.#links.add(kind, address, attributes.get('rel') ?? '', text)
    }
  }

  #readAnchor(attributes: Attributes): void {
    this.#endAnchor()
    const address = attributes.get('href') ?? attributes.get('xlink:href')
    if (address === undefined) return
    const position = this.#links.add('a', address, attributes.get('rel') ?? '', '')
    this.#anchor = { position, text: new TextCapture(MAX_LINK_TEXT), alt: '' }
  }

  #readImage(attributes: Attributes): void {
    const alt = collapse((attributes.get('alt') ?? '').slice(0, 2_000), MAX_LINK_TEXT)
    if (this.#anchor !== null && this.#anchor.alt === '') this.#anchor.alt = alt
    this.#add('img', attributes.get('src'), attributes, alt)
    this.#addSrcset(attributes.get('srcset'), attributes)
  }

  #readSource(attributes: Attributes): void {
    this.#add('source', attributes.get('src'), attributes)
    this.#addSrcset(attributes.get('srcset'), attributes)
  }

  #addSrcset(srcset: string | undefined, attributes: Attributes): void {
    if (srcset !== undefined) for (const address of parseSrcset(srcset)) this.#add('srcset', address, attributes)
  }

  #readFrame(tag: 'iframe' | 'frame', attributes: Attributes): void {
    this.#add(tag, attributes.get('src'), attributes)
    const srcdoc = attributes.get('srcdoc')
    if (srcdoc !== undefined && this.#nesting < MAX_SRCDOC_NESTING) {
      PageScanner.scan(srcdoc, this.#links, this.#nesting + 1)
    }
  }

  #readLink(attributes: Attributes): void {
    const address = attributes.get('href')
    if (address === undefined || address === '') return
    const rels = (attributes.get('rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/, 20)
    if (rels.includes('stylesheet')) {
      this.#add('stylesheet', address, attributes)
      return
    }
    for (const kind of ['canonical', 'next', 'prev'] as const)
      if (rels.includes(kind)) this.#add(kind, address, attributes)
    if (rels.includes('canonical')) this.canonical ||= address
    if (rels.includes('alternate')) {
      const language = collapse((attributes.get('hreflang') ?? '').slice(0, 200), 50)
      this.#add('alternate', address, attributes, language)
      if (language !== '' && this.hreflang.length < 500) this.hreflang.push([language, address])
    }
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.get('content')
    if (content === undefined) return
    const name = attributes.get('name')?.toLowerCase()
    if (name === 'description' && !this.#seen.has('description')) {
      this.#seen.add('description')
      this.description = collapse(content, MAX_FACT)
    } else if ((name === 'robots' || name === 'sandpiper') && this.robots.length < 10)
      this.robots.push(collapse(content, 200))
    if (attributes.get('http-equiv')?.toLowerCase() === 'refresh') {
      const address = parseRefresh(content)
      if (address !== null) this.#add('refresh', address, attributes)
    }
  }

  // ---- what a page says that nobody asks for

  oncdata(start: number, end: number, _endOffset: number): void {
    if (this.#foreign > 0) this.ontext(start, end)
  }
  onattribentity(): void {}
  ontextentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

function indexOrEnd(text: string, character: string, start: number): number {
  const found = text.indexOf(character, start)
  return found < 0 ? text.length : found
}

/** Most tag names are in lower case already: a slice is cheaper than a conversion. */
function lowerCase(text: string, start: number, end: number): string {
  const name = text.slice(start, end)
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 65 && code <= 90) return name.toLowerCase()
  }
  return name
}
