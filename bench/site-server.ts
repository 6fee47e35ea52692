import { createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

/**
 * A deterministic site for benchmarks: N pages of about 30 KB with about 41 links each. HTTP/1.1 on raw sockets, every answer
 * one buffer made beforehand, so that it serves far more pages a second on one core than any crawler takes. It counts.
 *
 *   node site-server.ts [--pages 20000] [--kb 30] [--port 8765] [--latency 0] [--gzip]
 *
 * --latency delays each page by so many milliseconds, --gzip zips pages for those who accept it. /__stats tells what was served, /__reset forgets it, /__urls lists every page. Page i links to its children 4i+1 … 4i+4, so all
 * are reachable; to ten navigation pages; to eighteen pseudo-random ones; to its neighbours; to itself by fragment; and to four
 * addresses on other hosts.
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    kb: { type: 'string', default: '30' },
    port: { type: 'string', default: '8765' },
    latency: { type: 'string', default: '0' },
    gzip: { type: 'boolean', default: false },
  },
})
const PAGES = Number(values.pages)
const PAGE_BYTES = Number(values.kb) * 1000
const LATENCY_MS = Number(values.latency)
const WORDS =
  'river stone market winter garden signal harbour copper meadow lantern orbit velvet thunder canyon ribbon timber crystal feather compass harvest island journey kitchen ladder mirror needle the of to in with for from by café naïve “quoted” it’s — résumé &amp; &nbsp;'.split(
    ' ',
  )

function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 1, 0xc2b2ae35)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 12
  return hash >>> 0
}

const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => WORDS[mix(seed, n) % WORDS.length]).join(' ')

const pathOf = (page: number): string => {
  if (page === 0) return '/'
  return page % 20 === 7 ? `/list?id=${page}&sort=asc` : `/s${page % 13}/t${page % 101}/page-${page}.html`
}
const link = (page: number, more = ''): string =>
  `<a href="${pathOf(page).replaceAll('&', '&amp;')}${more}">${words(page, 3)}</a>`

const STYLE = `<style>${Array.from({ length: 28 }, (_, n) => `.c${n}>li+li{margin:${n}px}`).join('')}</style>`
const SCRIPT = `<script>${Array.from({ length: 24 }, (_, n) => `q.push({k:${n},a:"<a href='/never/${n}'>x</a>"});`).join('')}</script>`

/** What fills a page up to its size: paragraphs, headings, lists, comments. 64 kinds of it are shared. */
const FILLERS = Array.from({ length: 64 }, (_, kind) => {
  let text = ''
  for (let n = 0; text.length < PAGE_BYTES - 8_400; n++) {
    const seed = mix(kind * 1000 + n, 77)
    text += `<div class="card card-${seed % 9}"><div class="body">\n  <h${2 + (seed % 3)}>${words(seed, 5)}</h${2 + (seed % 3)}>\n  <p>${words(seed + 1, 38)} <strong>${words(seed + 2, 3)}</strong> ${words(seed + 3, 30)}</p>\n`
    if (n % 4 === 1)
      text += `  <ul class="c${n % 28}"><li>${words(seed + 5, 4)}</li><li>${words(seed + 6, 4)}</li></ul>\n`
    text += `</div></div>\n<!-- block ${n} -->\n`
  }
  return text
})

function html(page: number): string {
  const children = [1, 2, 3, 4].map((n) => 4 * page + n).filter((child) => child < PAGES)
  const others = Array.from({ length: 18 }, (_, n) => mix(page, n) % PAGES)
  const external = Array.from(
    { length: 4 },
    (_, n) => `https://ext-${mix(page, 40 + n) % 500}.invalid/p/${mix(page, 50 + n) % 1000}`,
  )
  return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${words(page + 7, 6)} - page ${page}</title>
<meta name="description" content="${words(page + 11, 20)}">\n<meta name="robots" content="index,follow">
<link rel="canonical" href="${pathOf(page).replaceAll('&', '&amp;')}">\n${STYLE}\n${SCRIPT}\n</head>\n<body>
<nav><ul>${Array.from({ length: 10 }, (_, n) => `<li>${link(Math.min(n, PAGES - 1))}</li>`).join('')}</ul></nav>
<h1>${words(page + 7, 6)}</h1>\n<ul>${children.map((child) => `<li>${link(child)}</li>`).join('')}</ul>
${others.map((other, n) => `<p>${words(page + n, 12)} ${link(other)} ${words(page - n, 8)}</p>`).join('\n')}
${FILLERS[page & 63]}
<p>${external.map((address) => `<a href="${address}" rel="nofollow">${words(page, 2)}</a>`).join(' ')}</p>
<p><a href="#top">up</a> ${link(page, '#part')} ${link((page + 1) % PAGES)} ${link((page + PAGES - 1) % PAGES)} ${link(Math.max(0, Math.floor((page - 1) / 4)))}</p>
<footer><a href="mailto:x@example.invalid">mail</a> <a href="javascript:void(0)">top</a></footer>\n</body>\n</html>\n`
}

function answer(status: string, type: string, body: string | Buffer, more = ''): Buffer {
  const bytes = Buffer.from(body)
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n${more}\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

const HTML = 'text/html; charset=utf-8'
interface Page {
  plain: Buffer
  zipped: Buffer
}

const pages = Array.from({ length: PAGES }, (_, page): Page => {
  const body = html(page)
  const plain = answer('200 OK', HTML, body)
  if (!values.gzip) return { plain, zipped: plain }
  const zipped = answer('200 OK', HTML, gzipSync(body), 'Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n')
  return { plain, zipped }
})
const indexOf = new Map(Array.from({ length: PAGES }, (_, page) => [pathOf(page), page]))
const NOT_FOUND = answer('404 Not Found', HTML, '<title>404</title>')
const ROBOTS = answer('200 OK', 'text/plain', 'User-agent: *\nDisallow: /never/\n')

const served = new Uint16Array(PAGES)

function control(path: string): Buffer | null {
  if (path === '/__stats') {
    const requests = served.reduce((sum, count) => sum + count, 0)
    const distinct = served.reduce((sum, count) => sum + Math.min(count, 1), 0)
    const stats = { pages: PAGES, requests, distinct, repeats: requests - distinct }
    return answer('200 OK', 'application/json', JSON.stringify(stats))
  }
  if (path === '/__reset') {
    served.fill(0)
    return answer('200 OK', 'application/json', '{}')
  }
  if (path !== '/__urls') return null
  const urls = Array.from({ length: PAGES }, (_, page) => origin + pathOf(page))
  return answer('200 OK', 'text/plain', urls.join('\n'))
}

function respond(socket: Socket, head: string): void {
  const [, path = '/'] = head.split(' ', 2)
  const page = indexOf.get(path)
  if (page === undefined) {
    socket.write(path === '/robots.txt' ? ROBOTS : (control(path) ?? NOT_FOUND))
    return
  }
  served[page]!++
  const { plain, zipped } = pages[page]!
  const bytes = values.gzip && /^accept-encoding:.*\bgzip\b/im.test(head) ? zipped : plain
  if (LATENCY_MS === 0) socket.write(bytes)
  else setTimeout(() => socket.writable && socket.write(bytes), LATENCY_MS)
}

function serve(socket: Socket): void {
  let buffered = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    buffered += chunk.toString('latin1')
    for (let end = buffered.indexOf('\r\n\r\n'); end >= 0; end = buffered.indexOf('\r\n\r\n')) {
      const head = buffered.slice(0, end)
      buffered = buffered.slice(end + 4)
      respond(socket, head)
    }
  })
}

let origin = ''
const server = createServer({ noDelay: true }, serve)
server.listen({ port: Number(values.port), host: '127.0.0.1', backlog: 1024 }, () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : values.port
  origin = `http://127.0.0.1:${port}`
  console.log(JSON.stringify({ ready: true, url: `${origin}/`, pid: process.pid }))
})
// The starter's end of the pipe closes when it dies: no benchmark leaves a server behind.
process.stdin.resume().on('end', () => process.exit(0))
