import type { LinkKind } from '../../shared/link-kind.ts'
import type { Attributes } from './attributes.ts'
import { type LinkCollector, MAX_LINK_TEXT, tokensOf } from './link-collector.ts'
import { parseRefresh } from './meta-refresh.ts'
import { parseSrcset } from './srcset.ts'
import { collapse } from './text-capture.ts'

/** What single tags say: links, and the facts that stand in attributes. Addresses stay as written. */

export const MAX_FACT_CHARS = 2_000
const MAX_ROBOTS = 10
const MAX_HREFLANG = 500

export class ElementReader {
  description: string | null = null
  readonly robots: string[] = []
  lang = ''
  /** Of the first base element that has one; null if there is none. */
  base: string | null = null
  canonical = ''
  readonly hreflang: [language: string, address: string][] = []
  readonly #links: LinkCollector

  constructor(links: LinkCollector) {
    this.#links = links
  }

  read(name: string, attributes: Attributes): void {
    switch (name) {
      case 'area':
        this.#add('area', attributes.get('href'), attributes, attributes.get('alt'))
        break
      case 'img':
      case 'image':
        this.#readImage(attributes)
        break
      case 'source':
      case 'audio':
      case 'video':
        this.#add('source', attributes.get('src'), attributes)
        if (name === 'source') this.#addSrcset(attributes)
        break
      case 'script':
        this.#add('script', attributes.get('src'), attributes)
        break
      case 'iframe':
      case 'frame':
        this.#add(name, attributes.get('src'), attributes)
        break
      case 'link':
        this.#readLink(attributes)
        break
      case 'meta':
        this.#readMeta(attributes)
        break
      case 'base':
        this.base ??= attributes.get('href') ?? null
        break
      case 'html':
        this.lang ||= collapse(attributes.get('lang') ?? attributes.get('xml:lang') ?? '', 100)
        break
    }
  }

  /** The position of the link; -1 if it is none. An empty address leads to the page itself. */
  readAnchor(attributes: Attributes): number {
    const address = attributes.get('href') ?? attributes.get('xlink:href')
    return address === undefined ? -1 : this.#links.add('a', address, attributes.get('rel') ?? '', '')
  }

  /** An empty address counts for what the user may click; elsewhere it loads nothing. */
  #add(kind: LinkKind, address: string | undefined, attributes: Attributes, text = ''): void {
    if (address === undefined || (kind !== 'area' && address.trim() === '')) return
    this.#links.add(kind, address, attributes.get('rel') ?? '', collapse(text, MAX_LINK_TEXT))
  }

  #readImage(attributes: Attributes): void {
    this.#add('img', attributes.get('src'), attributes, attributes.get('alt'))
    this.#addSrcset(attributes)
  }

  #addSrcset(attributes: Attributes): void {
    const srcset = attributes.get('srcset')
    if (srcset !== undefined) for (const address of parseSrcset(srcset)) this.#add('srcset', address, attributes)
  }

  #readLink(attributes: Attributes): void {
    const address = attributes.get('href')
    if (address === undefined || address.trim() === '') return
    const rels = tokensOf(attributes.get('rel') ?? '')
    if (rels.includes('stylesheet')) {
      this.#add('stylesheet', address, attributes)
      return
    }
    for (const kind of ['canonical', 'next', 'prev'] as const)
      if (rels.includes(kind)) this.#add(kind, address, attributes)
    if (rels.includes('canonical')) this.canonical ||= address
    if (rels.includes('alternate')) this.#readAlternate(address, attributes)
  }

  #readAlternate(address: string, attributes: Attributes): void {
    const language = collapse(attributes.get('hreflang') ?? '', 50)
    this.#add('alternate', address, attributes, language)
    if (language !== '' && this.hreflang.length < MAX_HREFLANG) this.hreflang.push([language, address])
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.get('content')
    if (content === undefined) return
    const name = attributes.get('name')?.toLowerCase()
    if (name === 'description') this.description ??= collapse(content, MAX_FACT_CHARS)
    else if ((name === 'robots' || name === 'sandpiper') && this.robots.length < MAX_ROBOTS)
      this.robots.push(collapse(content, 200))
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return
    const address = parseRefresh(content)
    if (address !== null) this.#add('refresh', address, attributes)
  }
}
