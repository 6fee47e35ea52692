import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

/**
 * What a crawler must find in a tree of HTML files, worked out from the files alone. Shares no code and no library with the
 * product: another HTML parser, the file system instead of HTTP.
 *
 *   node walk-tree.ts <folder> <base URL of the folder> [--start path]
 */

export interface Walked {
  /** HTML pages by URL, with their titles. */
  pages: Map<string, string>
  /** URLs that redirect: a directory without its slash. */
  redirects: Map<string, string>
  /** URLs that lead to nothing, with the pages that link to them. */
  broken: Map<string, Set<string>>
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const LINK_RELS = new Set(['canonical', 'next', 'prev', 'alternate'])
const RESOURCES: Readonly<Record<string, string>> = { img: 'src', script: 'src', source: 'src' }

export function walkTree(folder: string, base: string, start = ''): Walked {
  const walked: Walked = { pages: new Map(), redirects: new Map(), broken: new Map() }
  const seen = new Set<string>()
  const queue = [{ url: new URL(start, base).href, from: '' }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { url, from } = next
    const known = seen.has(url)
    seen.add(url)
    const found = locate(folder, base, url)
    if (found === 'missing') note(walked.broken, url, from)
    if (known || found === 'missing') continue
    if ('redirect' in found) {
      walked.redirects.set(url, found.redirect)
      queue.push({ url: found.redirect, from: '' })
    } else if (/\.html?$/.test(found.file)) {
      const { title, links } = readPage(readFileSync(found.file), url)
      walked.pages.set(url, title)
      for (const link of links) if (link.startsWith(base)) queue.push({ url: link, from: url })
    }
  }
  return walked
}

function note(broken: Map<string, Set<string>>, url: string, from: string): void {
  const referrers = broken.get(url) ?? new Set()
  broken.set(url, referrers.add(from))
}

function locate(folder: string, base: string, url: string): { file: string } | { redirect: string } | 'missing' {
  const { pathname, search } = new URL(url)
  let path: string
  try {
    path = join(folder, decodeURIComponent(pathname.slice(new URL(base).pathname.length)))
  } catch {
    return 'missing'
  }
  const stat = existsSync(path) ? statSync(path) : null
  if (stat?.isDirectory()) {
    if (!pathname.endsWith('/')) return { redirect: new URL(`${pathname}/${search}`, url).href }
    const index = join(path, 'index.html')
    return existsSync(index) ? { file: index } : 'missing'
  }
  return stat !== null && !pathname.endsWith('/') ? { file: path } : 'missing'
}

/** Title and absolute links, resources too: a missing picture is a broken link. */
function readPage(bytes: Buffer, url: string): { title: string; links: Set<string> } {
  const head = bytes.toString('latin1', 0, 1024)
  const charset = /<meta[^>]*charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? 'utf-8'
  const document = parse(new TextDecoder(charset).decode(bytes), { scriptingEnabled: false })
  let title: string | null = null
  let base = url
  let hasBase = false
  const addresses: string[] = []
  for (const element of elements(document)) {
    const attribute = (name: string): string | undefined => element.attrs.find((each) => each.name === name)?.value
    const tag = element.tagName
    if (tag === 'title' && title === null && element.namespaceURI.endsWith('xhtml')) title = textOf(element)
    if (tag === 'base' && !hasBase && attribute('href') !== undefined) {
      hasBase = true
      base = new URL(attribute('href')!, url).href
    }
    addresses.push(...addressesOf(tag, attribute))
  }
  const links = new Set(
    addresses
      .map((address) => URL.parse(address, base))
      .filter((link) => link !== null)
      .map(withoutFragment),
  )
  return { title: (title ?? '').replace(/[\t\n\f\r ]+/g, ' ').trim(), links }
}

function addressesOf(tag: string, attribute: (name: string) => string | undefined): string[] {
  const found: (string | undefined)[] = []
  if (tag === 'a' || tag === 'area') found.push(attribute('href'))
  if (tag === 'a') found.push(attribute('xlink:href'))
  if (tag === 'iframe' || tag === 'frame') found.push(attribute('src'))
  if (RESOURCES[tag] !== undefined && attribute(RESOURCES[tag]!) !== '') found.push(attribute(RESOURCES[tag]!))
  const rels = (attribute('rel') ?? '').toLowerCase().split(/\s+/)
  if (tag === 'link' && rels.some((rel) => LINK_RELS.has(rel) || rel === 'stylesheet')) found.push(attribute('href'))
  const refresh =
    tag === 'meta' && attribute('http-equiv')?.toLowerCase() === 'refresh' ? attribute('content') : undefined
  found.push(/url\s*=\s*["']?([^"']+)/i.exec(refresh ?? '')?.[1])
  return found.filter((address) => address !== undefined)
}

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
  element.childNodes.map((child) => ('value' in child ? (child.value as string) : '')).join('')

if (process.argv[1] === import.meta.filename) {
  const [folder = '', base = '', ...rest] = process.argv.slice(2)
  const { pages, redirects, broken } = walkTree(folder, base, rest[0] === '--start' ? rest[1] : '')
  console.log(
    JSON.stringify({
      pages: Object.fromEntries(pages),
      redirects: Object.fromEntries(redirects),
      broken: Object.fromEntries([...broken].map(([url, referrers]) => [url, [...referrers].sort()])),
    }),
  )
}
