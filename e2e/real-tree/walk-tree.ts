import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

/**
 * What a crawler must find in a tree of HTML files, worked out from the files alone. Shares no code and no library with the
 * product: another HTML parser, the file system instead of HTTP.
 *
 *   node walk-tree.ts <folder> <base URL of the folder> [--start index.html]
 *
 * prints {pages: [{url, title, status}], broken: [{url, referrers}]}; status is 200, or 301 for a folder without its slash.
 */

export interface Walked {
  /** HTML pages by URL, with their titles. */
  pages: Map<string, string>
  /** URLs that redirect: a folder without its slash. */
  redirects: Map<string, string>
  /** URLs that lead to nothing, with the pages that link to them and the URLs that redirect to them. */
  broken: Map<string, Set<string>>
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const LINK_RELS: ReadonlySet<string> = new Set(['canonical', 'next', 'prev', 'alternate', 'stylesheet'])
const SOURCES: ReadonlySet<string> = new Set(['iframe', 'frame', 'img', 'script', 'source'])
/** A missing resource is a broken link too, but `src=""` names none. */
const RESOURCES: ReadonlySet<string> = new Set(['img', 'script', 'source'])

/** @param base ends in a slash; what is linked on its host outside of it is missing */
export function walkTree(folder: string, base: string, start = ''): Walked {
  const tree = new Tree(folder, base)
  const walked: Walked = { pages: new Map(), redirects: new Map(), broken: new Map() }
  const origin = new URL(base).origin
  const referrers = new Map<string, Set<string>>([[new URL(start, base).href, new Set()]])
  // A map's iteration comes to what is added on the way.
  for (const [url, from] of referrers) {
    const found = tree.find(url)
    let links: Iterable<string> = []
    if (found === 'missing') walked.broken.set(url, from)
    else if ('redirect' in found) {
      walked.redirects.set(url, found.redirect)
      links = [found.redirect]
    } else if (/\.html?$/i.test(found.file)) {
      const page = readPage(readFileSync(found.file), url)
      walked.pages.set(url, page.title)
      links = page.links
    }
    for (const link of links) {
      if (new URL(link).origin === origin) referrers.set(link, (referrers.get(link) ?? new Set()).add(url))
    }
  }
  return walked
}

/** The files, listed once: names match to the letter on every system, and nothing outside is ever found. */
class Tree {
  readonly #folder: string
  readonly #basePath: string
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>([''])

  constructor(folder: string, base: string) {
    this.#folder = folder
    this.#basePath = new URL(base).pathname
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (entry.isDirectory()) this.#folders.add(path)
      else if (entry.isFile()) this.#files.add(path)
    }
  }

  find(url: string): { file: string } | { redirect: string } | 'missing' {
    const { pathname, search } = new URL(url)
    const path = pathname.startsWith(this.#basePath) ? decodePath(pathname.slice(this.#basePath.length)) : null
    if (path === null) return 'missing'
    if (this.#folders.has(path) && path !== '') return { redirect: new URL(`${pathname}/${search}`, url).href }
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
    return this.#files.has(file) ? { file: join(this.#folder, file) } : 'missing'
  }
}

/** Null where an escape is none, or stands for a slash: no file has such a name. */
function decodePath(path: string): string | null {
  try {
    const names = path.split('/').map(decodeURIComponent)
    return names.some((name) => name.includes('/')) ? null : names.join('/')
  } catch {
    return null
  }
}

function readPage(bytes: Buffer, url: string): { title: string; links: Set<string> } {
  const document = parse(decodeText(bytes), { scriptingEnabled: false })
  let title: string | null = null
  let base: string | null = null
  const addresses: string[] = []
  for (const element of elements(document)) {
    if (element.tagName === 'title' && element.namespaceURI.endsWith('xhtml')) title ??= textOf(element)
    if (element.tagName === 'base') base ??= attributeOf(element, 'href')
    addresses.push(...addressesOf(element))
  }
  const baseUrl = (URL.parse(base ?? '', url) ?? new URL(url)).href
  const links = addresses.map((address) => URL.parse(address, baseUrl)).filter((link) => link !== null)
  return { title: (title ?? '').replace(/[\t\n\f\r ]+/g, ' ').trim(), links: new Set(links.map(withoutFragment)) }
}

function decodeText(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 1024)
  const charset = /<meta[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? 'utf-8'
  return new TextDecoder(charset).decode(bytes)
}

/** As written. In svg the parser gives xlink:href the name href. */
function addressesOf(element: Element): string[] {
  const tag = element.tagName
  const attribute = (name: string): string | null => attributeOf(element, name)
  const found: (string | null)[] = []
  if (tag === 'a' || tag === 'area') found.push(attribute('href'))
  if (SOURCES.has(tag) && !(RESOURCES.has(tag) && attribute('src') === '')) found.push(attribute('src'))
  const rels = (attribute('rel') ?? '').toLowerCase().split(/\s+/)
  if (tag === 'link' && rels.some((rel) => LINK_RELS.has(rel))) found.push(attribute('href'))
  if (tag === 'meta' && attribute('http-equiv')?.toLowerCase() === 'refresh') {
    const refresh = /^\s*[\d.]+[\s;,]+(?:url\s*=\s*)?["']?([^"']+)/i.exec(attribute('content') ?? '')
    found.push(refresh?.[1] ?? null)
  }
  return found.filter((address) => address !== null)
}

const attributeOf = (element: Element, name: string): string | null =>
  element.attrs.find((each) => each.name === name)?.value ?? null

function withoutFragment(link: URL): string {
  link.hash = ''
  return link.href
}

/** Every element, without the inert content of templates. */
function* elements(node: Node): Generator<Element> {
  const stack: Node[] = [node]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('tagName' in next) yield next
    if ('childNodes' in next) stack.push(...[...next.childNodes].reverse())
  }
}

const textOf = (element: Element): string =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { start: { type: 'string' } } })
  const [folder, base] = positionals
  if (folder === undefined || base === undefined)
    throw new Error('usage: walk-tree.ts <folder> <base URL> [--start path]')
  const { pages, redirects, broken } = walkTree(folder, base, values.start)
  console.log(
    JSON.stringify({
      pages: [
        ...[...pages].map(([url, title]) => ({ url, title, status: 200 })),
        ...[...redirects.keys()].map((url) => ({ url, title: '', status: 301 })),
      ],
      broken: [...broken].map(([url, referrers]) => ({ url, referrers: [...referrers].sort() })),
    }),
  )
}
