import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

/**
 * The deterministic site that crash and end-to-end tests crawl, run as a process of its own so that it survives what
 * happens to the crawler. It counts what it serves.
 *
 *   node test-site.ts [--pages 2000] [--port 0] [--latency 2] [--flaky] [--log FILE]
 *
 * Pages link to their children (4i+1 … 4i+4), so every page is reachable; to a navigation, a few pseudo-random pages, a
 * private folder that robots.txt blocks, an image now and then, another host now and then. Every 40th page is a redirect,
 * every 97th a 404; their children hang on the next page above. With --flaky every 31st other page answers 500 the first
 * time. The sitemap lists every 20th page and ten that no link reaches. /hang links to 200 pages that answer after ten minutes.
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '2' },
    flaky: { type: 'boolean', default: false },
    log: { type: 'string' },
  },
})
const PAGES = Number(values.pages)
const LATENCY_MS = Number(values.latency)
const HANGING = 200
const HANG_MS = 600_000
const ORPHANS = 10
const WORDS = 'tide dune heron reed marsh curlew plover estuary harbour ringed dunlin godwit avocet saltwort'.split(' ')

/** A 32-bit mix of two numbers: the same site every time. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 1, 0xc2b2ae35)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => WORDS[mix(seed, n) % WORDS.length]).join(' ')

const pathOf = (page: number): string => {
  if (page === 0) return '/'
  return page % 23 === 5 ? `/list?id=${page}&sort=name` : `/section-${page % 7}/page-${page}.html`
}
const isRedirect = (page: number): boolean => page > 0 && page % 40 === 0
const isMissing = (page: number): boolean => page > 0 && page % 97 === 0 && !isRedirect(page)
const isFlaky = (page: number): boolean => page % 31 === 7

/** By page, whom it has to link to so that all are reachable. */
const childrenOf = Array.from({ length: PAGES }, (): number[] => [])
for (let page = 1; page < PAGES; page++) {
  let parent = page
  do parent = Math.floor((parent - 1) / 4)
  while (isRedirect(parent) || isMissing(parent))
  childrenOf[parent]!.push(page)
}

function html(page: number): string {
  const link = (to: number): string => `<a href="${pathOf(to).replaceAll('&', '&amp;')}">${words(to, 2)}</a>`
  const others = [0, 1, 2].map((n) => mix(page, n) % PAGES)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${words(page, 4)} ${page}</title>
<meta name="description" content="${words(page + 1, 12)}, page ${page}"></head><body><nav>${[0, 1, 2].map(link).join(' ')} <a href="/private/${page % 3}.html">staff</a></nav>
<h1>${words(page, 3)} ${page}</h1><ul>${childrenOf[page]!.map((child) => `<li>${link(child)}</li>`).join('')}</ul>
<p>${others.map((other) => `${words(page + other, 20)} ${link(other)}`).join('</p><p>')}</p>
${page % 113 === 0 ? `<img src="/images/${page}.png" alt="${words(page, 2)}">` : ''}
${page % 50 === 3 ? `<a href="https://other-${page}.invalid/">elsewhere</a>` : ''}
<p><a href="#top">up</a> <a href="mailto:x@example.invalid">mail</a></p><p>${words(page + 7, 150)}</p></body></html>`
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

const answer = (status: number, type: string, body: string, more: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': type, ...more },
  body,
})

/** Pages that have failed for their first time. */
const failed = new Set<number>()

const byPath = new Map(Array.from({ length: PAGES }, (_, page) => [pathOf(page), page]))

function respond(path: string): Answer {
  const page = byPath.get(path)
  if (page !== undefined && isRedirect(page))
    return answer(301, 'text/plain', '', { location: pathOf(mix(page, 9) % page) })
  if (page !== undefined && !isMissing(page)) {
    if (!values.flaky || !isFlaky(page) || failed.has(page)) return answer(200, 'text/html; charset=utf-8', html(page))
    failed.add(page)
    return answer(500, 'text/html', '<title>try again</title>')
  }
  if (path === '/robots.txt') {
    return answer(200, 'text/plain', `User-agent: *\nDisallow: /private/\n`)
  }
  if (path === '/sitemap.xml') return answer(200, 'application/xml', sitemap())
  if (path.startsWith('/orphan-')) return answer(200, 'text/html', `<title>${path}</title><p>no link leads here</p>`)
  if (path.startsWith('/images/')) return answer(200, 'image/png', 'not really a picture')
  if (path === '/hang') {
    const links = Array.from({ length: HANGING }, (_, n) => `<a href="/hang/${n}">${n}</a>`)
    return answer(200, 'text/html', `<title>hang</title>${links.join('')}`)
  }
  return answer(404, 'text/html', '<title>not found</title>')
}

function sitemap(): string {
  const paths = Array.from({ length: PAGES }, (_, page) => page)
    .filter((page) => page % 20 === 3)
    .map(pathOf)
  const orphans = Array.from({ length: ORPHANS }, (_, n) => `/orphan-${n}.html`)
  const entries = [...paths, ...orphans].map(
    (path) => `<url><loc>${origin}${path.replaceAll('&', '&amp;')}</loc></url>`,
  )
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
}

const served = new Map<string, number>()
let hanging = 0
let origin = ''

function control(path: string, response: ServerResponse): boolean {
  if (path === '/__stats') {
    const repeats = Object.fromEntries(
      [...served].filter(([, count]) => count > 1).map(([key, count]) => [key, count - 1]),
    )
    const requests = [...served.values()].reduce((sum, count) => sum + count, 0)
    response.end(JSON.stringify({ requests, distinct: served.size, repeats }))
  } else if (path === '/__reset') {
    served.clear()
    response.end('{}')
  } else if (path === '/__inflight') response.end(JSON.stringify(hanging))
  else return false
  return true
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/'
  if (control(path, response)) return
  if (values.log !== undefined) appendFileSync(values.log, `${Math.round(performance.now())} ${path}\n`)
  served.set(path, (served.get(path) ?? 0) + 1)
  if (path.startsWith('/hang/')) {
    hanging++
    const timer = setTimeout(() => response.end('<title>at last</title>'), HANG_MS)
    response.on('close', () => {
      clearTimeout(timer)
      hanging--
    })
    return
  }
  const { status, headers, body } = respond(path)
  const zipped = path.length % 5 === 0 && /gzip/.test(request.headers['accept-encoding'] ?? '')
  if (zipped) headers['content-encoding'] = 'gzip'
  response.writeHead(status, headers)
  setTimeout(() => response.end(zipped ? gzipSync(body) : body), LATENCY_MS === 0 ? 0 : LATENCY_MS + (path.length % 3))
}

const server = createServer({ keepAliveTimeout: 10_000 }, serve)
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  console.log(JSON.stringify({ ready: true, url: `${origin}/`, port, pid: process.pid }))
})
// The starter's end of the pipe closes when it dies: no test leaves a server behind.
process.stdin.resume().on('end', () => process.exit(0))
