import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { Attributes } from './attributes.ts'
import { ElementReader, MAX_FACT_CHARS } from './element-reader.ts'
import { decodeText } from './entities.ts'
import { ForeignContent } from './foreign-content.ts'
import { type LinkCollector, MAX_LINK_TEXT } from './link-collector.ts'
import { Nesting } from './nesting.ts'
import { FLAT, FOREIGN_ROOT, HEADING, INLINE, READ, tagOf, UNSEEN } from './tags.ts'
import { TextCapture } from './text-capture.ts'
import { WordCount } from './word-count.ts'

const MAX_SRCDOC_NESTING = 3
/** Of one piece of text between two tags no more is looked at for what is kept. */
const MAX_PIECE_CHARS = 20_000

type HeadingName = 'title' | 'h1' | 'h2'

/** Takes the text that is as visible as where it began: of a link, not the script inside. */
interface Heading {
  text: TextCapture
  unseen: string
}

interface Anchor extends Heading {
  position: number
  alt: TextCapture
}

/**
 * One pass over a page's markup, straight on the tokenizer: no tree, and strings only for what is kept. Linear in the size
 * of the page however deeply it is nested.
 */
export class PageScanner implements TokenizerCallbacks {
  readonly elements: ElementReader
  readonly headings: Record<HeadingName, TextCapture | null> = { title: null, h1: null, h2: null }
  readonly wordCount = new WordCount()
  readonly nesting = new Nesting()

  readonly #markup: string
  readonly #links: LinkCollector
  readonly #isXhtml: boolean
  readonly #srcdocNesting: number
  readonly #attributes: Attributes
  readonly #foreign = new ForeignContent()
  #name = ''
  #tag = 0
  #isRead = false
  /** Open templates: their content is inert. */
  #templates = 0
  /** The outermost open element whose content is not visible text; in svg or math it ends with them. */
  #unseen = ''
  #isUnseenForeign = false
  #heading: Heading | null = null
  #anchor: Anchor | null = null

  private constructor(markup: string, links: LinkCollector, isXhtml: boolean, srcdocNesting: number) {
    this.#markup = markup
    this.#links = links
    this.#isXhtml = isXhtml
    this.#srcdocNesting = srcdocNesting
    this.#attributes = new Attributes(markup)
    this.elements = new ElementReader(links)
  }

  /** @param isXhtml tags may close themselves, and CDATA sections are text */
  static scan(markup: string, links: LinkCollector, isXhtml = false, srcdocNesting = 0): PageScanner {
    const scanner = new PageScanner(isXhtml ? markup : withoutCdata(markup), links, isXhtml, srcdocNesting)
    const tokenizer = new Tokenizer({ decodeEntities: false, recognizeSelfClosing: isXhtml }, scanner)
    tokenizer.write(scanner.#markup)
    tokenizer.end()
    scanner.#endAnchor()
    return scanner
  }

  isInForeignContext(): boolean {
    return this.#foreign.isHere
  }

  // ---- tags

  onopentagname(start: number, end: number): void {
    const name = lowerCase(this.#markup, start, end)
    this.#name = name
    this.#tag = tagOf(name)
    this.#isRead = (this.#tag & READ) !== 0 && this.#templates === 0
    if (this.#isRead) this.#attributes.clear()
  }

  onattribname(start: number, end: number): void {
    if (this.#isRead) this.#attributes.addName(start, end)
  }

  onattribdata(start: number, end: number): void {
    if (this.#isRead) this.#attributes.addValue(start, end)
  }

  onopentagend(): void {
    this.#open(false)
  }

  onselfclosingtag(): void {
    this.#open(this.#isXhtml || this.#foreign.isHere || (this.#tag & FOREIGN_ROOT) !== 0)
  }

  #open(isClosed: boolean): void {
    const tag = this.#tag
    if ((tag & INLINE) === 0) this.#endWord()
    if (this.#foreign.isHere) {
      this.#foreign.breakOut(tag)
      this.#endForeignUnseen()
    }
    if (this.#isRead) this.#read(this.#name)
    if (isClosed) return
    this.#enter(tag, this.#name)
    if ((tag & (INLINE | FLAT)) === 0) this.nesting.enter(tag)
  }

  #enter(tag: number, name: string): void {
    if ((tag & UNSEEN) !== 0) {
      if (this.#unseen === '') {
        this.#unseen = name
        this.#isUnseenForeign = this.#foreign.isAround
      }
      if (name === 'template' && !this.#foreign.isHere) this.#templates++
    }
    if ((tag & HEADING) !== 0 || name === 'title') this.#startHeading(name)
    if ((tag & FOREIGN_ROOT) !== 0 || this.#foreign.isHere) this.#foreign.enter(tag, name)
  }

  onclosetag(start: number, end: number): void {
    const name = lowerCase(this.#markup, start, end)
    const tag = tagOf(name)
    if ((tag & INLINE) === 0) {
      this.#endWord()
      if ((tag & FLAT) === 0) this.nesting.leave(tag)
    } else if (name === 'a') this.#endAnchor()
    if ((tag & HEADING) !== 0 || name === 'title') this.#heading = null
    if (name === this.#unseen) this.#unseen = ''
    if (name === 'template' && this.#templates > 0) this.#templates--
    if (this.#foreign.isAround) {
      this.#foreign.leave(tag, name)
      this.#endForeignUnseen()
    }
  }

  #endForeignUnseen(): void {
    if (this.#isUnseenForeign && !this.#foreign.isAround) {
      this.#unseen = ''
      this.#isUnseenForeign = false
    }
  }

  // ---- text

  ontext(start: number, end: number): void {
    if (this.#unseen === '') this.wordCount.add(this.#markup, start, end)
    if (this.#isWanted(this.#heading) || this.#isWanted(this.#anchor))
      this.#capture(decodeText(this.#markup.slice(start, Math.min(end, start + MAX_PIECE_CHARS))))
  }

  /** XHTML only: there it is text without character references. */
  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#unseen === '') this.wordCount.add(this.#markup, start, end - endOffset)
    this.#capture(this.#markup.slice(start, end - endOffset))
  }

  #capture(text: string): void {
    if (this.#isWanted(this.#heading)) this.#heading.text.add(text)
    if (this.#isWanted(this.#anchor)) this.#anchor.text.add(text)
  }

  #isWanted<T extends Heading>(heading: T | null): heading is T {
    return heading !== null && heading.unseen === this.#unseen && !heading.text.isFull
  }

  #endWord(): void {
    this.wordCount.endWord()
    this.#heading?.text.addGap()
    this.#anchor?.text.addGap()
  }

  // ---- elements that have text

  /** Of each name the first counts; a title in svg is a tooltip. */
  #startHeading(name: string): void {
    this.#heading = null
    if (name !== 'title' && name !== 'h1' && name !== 'h2') return
    if (this.headings[name] !== null || this.#foreign.isAround || this.#templates > 0) return
    this.#heading = { text: new TextCapture(MAX_FACT_CHARS), unseen: this.#unseen }
    this.headings[name] = this.#heading.text
  }

  #read(name: string): void {
    if (name === 'a') this.#startAnchor()
    else this.elements.read(name, this.#attributes)
    if (name === 'img') this.#addAlt()
    else if (name === 'iframe') this.#readSrcdoc()
  }

  /** Links do not nest: a new one ends the one before. */
  #startAnchor(): void {
    this.#endAnchor()
    const position = this.elements.readAnchor(this.#attributes)
    if (position < 0) return
    const [text, alt] = [new TextCapture(MAX_LINK_TEXT), new TextCapture(MAX_LINK_TEXT)]
    this.#anchor = { position, text, alt, unseen: this.#unseen }
  }

  #endAnchor(): void {
    if (this.#anchor === null) return
    const { position, text, alt } = this.#anchor
    this.#links.setText(position, text.toString() || alt.toString())
    this.#anchor = null
  }

  /** An image that is loaded by script often stands in noscript beside it once more. */
  #addAlt(): void {
    const alt = this.#attributes.get('alt')
    if (this.#anchor === null || alt === undefined || this.#anchor.alt.toString() === alt) return
    this.#anchor.alt.add(alt)
    this.#anchor.alt.addGap()
  }

  #readSrcdoc(): void {
    const srcdoc = this.#attributes.get('srcdoc')
    if (srcdoc === undefined || this.#srcdocNesting >= MAX_SRCDOC_NESTING) return
    PageScanner.scan(srcdoc, this.#links, false, this.#srcdocNesting + 1)
  }

  // ---- what a page says that nobody asks for

  ontextentity(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

/**
 * In HTML a CDATA section is a comment up to the next ">" (§13.2.5.42), where the tokenizer would skip to "]]>" or to the
 * end of the page. Its start is made one that the tokenizer reads that way, at the same length.
 */
const withoutCdata = (markup: string): string =>
  // Searched for by its rarer part first: "<" is everywhere.
  markup.includes('[CDATA[') ? markup.replaceAll('<![CDATA[', '<!*CDATA[') : markup

/** Most tag names are in lower case already: a slice is cheaper than a conversion. */
function lowerCase(text: string, start: number, end: number): string {
  const name = text.slice(start, end)
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 65 && code <= 90) return name.toLowerCase()
  }
  return name
}
