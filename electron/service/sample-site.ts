import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Serves the small site that ships with Sandpiper, on loopback. Everything is read into memory first: no path reaches the disk. */

export interface SampleSite {
  url: string
  /** Requests received since the start, whatever became of them. */
  requests(): number
  close(): Promise<void>
}

interface Redirect {
  from: string
  to: string
  status: number
}

interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** For those who accept gzip. */
  zipped?: Buffer
}

const REDIRECTS_PATH = '/_redirects.json'

const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

/** Files that name the site's own address. */
const TEMPLATES: ReadonlySet<string> = new Set(['/robots.txt', '/sitemap.xml'])

const NOT_FOUND = page(404, '<!doctype html><html lang="en"><title>Not found</title><h1>Not found</h1></html>')

/**
 * Rejects with the system's error if the folder cannot be read or no port is free.
 * @param latencyMs added to every answer, so that a crawl can be watched
 * @param port 0 for a free one
 */
export async function startSampleSite(folder: string, { latencyMs = 0, port = 0 } = {}): Promise<SampleSite> {
  const files = readFiles(folder)
  const redirects: Redirect[] = JSON.parse(files.get(REDIRECTS_PATH)?.toString() ?? '[]')
  files.delete(REDIRECTS_PATH)
  let answers: ReadonlyMap<string, Answer> = new Map()
  let requests = 0

  const server = createServer((request, response) => {
    requests++
    const [path = ''] = (request.url ?? '').split('?', 1)
    const answer = answers.get(path) ?? NOT_FOUND
    setTimeout(() => send(answer, request, response), latencyMs)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answers = new Map([
    ...[...files].flatMap(([path, body]) => {
      const answer = fileAnswer(path, body, origin)
      return [path, path.replace(/\/index\.html$/, '/')].map((address) => [address, answer] as const)
    }),
    ...redirects.map(({ from, to, status }) => [from, redirectAnswer(status, to)] as const),
  ])
  return {
    url: `${origin}/`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send({ status, headers, body, zipped }: Answer, request: IncomingMessage, response: ServerResponse): void {
  const accepted = request.headers['accept-encoding'] ?? ''
  if (zipped !== undefined && /\bgzip\b/.test(accepted)) {
    response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(zipped)
  } else response.writeHead(status, headers).end(body)
}

function fileAnswer(path: string, file: Buffer, origin: string): Answer {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  if (type === HTML) return page(200, file)
  const body = TEMPLATES.has(path) ? Buffer.from(file.toString().replaceAll('{{origin}}', origin)) : file
  return { status: 200, headers: { 'content-type': type }, body }
}

function page(status: number, html: string | Buffer): Answer {
  const body = Buffer.from(html)
  return { status, headers: { 'content-type': HTML, vary: 'accept-encoding' }, body, zipped: gzipSync(body) }
}

function redirectAnswer(status: number, location: string): Answer {
  return { status, headers: { location }, body: Buffer.alloc(0) }
}

/** Every file under the folder, by its path from there. */
function readFiles(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [`/${relative(folder, path).split(sep).join('/')}`, readFileSync(path)]
    }),
  )
}
