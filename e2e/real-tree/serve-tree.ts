import { readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

/**
 * A plain file server on loopback, as a documentation tree is usually put online: index.html for a folder, 301 for a folder
 * without its slash, no charset in the type. A query is ignored.
 *
 *   node serve-tree.ts <folder>
 */

export interface TreeServer {
  url: string
  /** Requests by target. */
  requested: ReadonlyMap<string, number>
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
}

export async function startTreeServer(folder: string): Promise<TreeServer> {
  const requested = new Map<string, number>()
  const server = createServer((request, response) => {
    const target = request.url ?? ''
    requested.set(target, (requested.get(target) ?? 0) + 1)
    respond(folder, target, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requested,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(folder: string, target: string, response: ServerResponse): void {
  const [path = '', query] = target.split('?', 2)
  const names = namesIn(path)
  const place = names === null ? null : join(folder, ...names)
  const stat = place === null ? undefined : statSync(place, { throwIfNoEntry: false })
  if (stat?.isDirectory() && !path.endsWith('/')) {
    response.writeHead(301, { location: query === undefined ? `${path}/` : `${path}/?${query}` }).end()
  } else if (stat?.isDirectory()) sendFile(join(place!, 'index.html'), response)
  else if (stat?.isFile() && !path.endsWith('/')) sendFile(place!, response)
  else sendMissing(response)
}

/** The names of folders and file on the way; null if one of them cannot be a name. */
function namesIn(path: string): string[] | null {
  try {
    const names = path
      .replace(/^\/|\/$/g, '')
      .split('/')
      .map(decodeURIComponent)
    if (names.length === 1 && names[0] === '') return []
    return names.every((name) => name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)) ? names : null
  } catch {
    return null
  }
}

function sendFile(file: string, response: ServerResponse): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const type = TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  } else sendMissing(response)
}

function sendMissing(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<title>not found</title>')
}

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('usage: node serve-tree.ts <folder>')
  console.log((await startTreeServer(folder)).url)
}
