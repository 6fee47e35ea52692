import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, relative, sep } from 'node:path'

/** Serves the small site that ships with Sandpiper, on loopback. Everything is read into memory first: no path reaches the disk. */

export interface SampleSite {
  url: string
  close(): Promise<void>
}

interface Redirect {
  from: string
  to: string
  status: number
}

const REDIRECTS_FILE = '_redirects.json'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

/** Files that name the site's own address. */
const TEMPLATES: ReadonlySet<string> = new Set(['/robots.txt', '/sitemap.xml'])

/** @param latencyMs added to every answer, so that a crawl can be watched */
export async function startSampleSite(folder: string, { latencyMs = 0 } = {}): Promise<SampleSite> {
  const files = readFiles(folder)
  const redirects = new Map(
    (JSON.parse(files.get(`/${REDIRECTS_FILE}`)?.toString() ?? '[]') as Redirect[]).map((each) => [each.from, each]),
  )
  files.delete(`/${REDIRECTS_FILE}`)
  let origin = ''

  function respond(path: string, response: ServerResponse): void {
    const redirect = redirects.get(path)
    const name = path.endsWith('/') ? `${path}index.html` : path
    const body = files.get(name)
    if (redirect !== undefined) response.writeHead(redirect.status, { location: redirect.to }).end()
    else if (body !== undefined) {
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' })
      response.end(TEMPLATES.has(name) ? body.toString().replaceAll('{{origin}}', origin) : body)
    } else {
      response.writeHead(404, { 'content-type': TYPES['.html'] })
      response.end('<!doctype html><html lang="en"><title>Not found</title><h1>Not found</h1></html>')
    }
  }

  const server = createServer((request, response) => {
    const path = URL.parse(request.url ?? '/', 'http://sample.invalid')?.pathname ?? '/'
    setTimeout(() => respond(path, response), latencyMs)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Every file under the folder, by the path it is served under. */
function readFiles(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [`/${relative(folder, path).split(sep).join('/')}`, readFileSync(path)]
    }),
  )
}
