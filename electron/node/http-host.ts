import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventBatch } from '../../shared/contract.ts'
import type { Application } from '../service/compose.ts'
import { dispatch } from '../service/dispatch.ts'
import type { StaticAssets } from '../service/static-assets.ts'
import { readJson } from './json-body.ts'
import { type Refusal, RequestGuard } from './request-guard.ts'

/**
 * The loopback carrier: the page's files by GET, commands by POST /command/<name>, events as a stream by GET /events. Bound to
 * 127.0.0.1; a GET never changes anything.
 */

const HEADERS_TIMEOUT_MS = 5_000
/** Long enough to send a crawl file of gigabytes. */
const REQUEST_TIMEOUT_MS = 600_000
const MAX_CONNECTIONS = 64
const MAX_STREAMS = 16

export interface HttpHostParts {
  application: Application
  assets: StaticAssets
}

export class HttpHost {
  readonly #parts: HttpHostParts
  readonly #server: Server
  readonly #guard: RequestGuard
  readonly #streams = new Set<ServerResponse>()
  readonly port: number

  private constructor(parts: HttpHostParts, server: Server) {
    this.#parts = parts
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    this.#guard = new RequestGuard(this.port)
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  /** @param port 0 for a free one. Rejects when it is taken. */
  static async listen(parts: HttpHostParts, port: number): Promise<HttpHost> {
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS })
    server.maxConnections = MAX_CONNECTIONS
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    return new HttpHost(parts, server)
  }

  /** Where the user's browser goes; whoever has it, has the token. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/#${this.#guard.token}`
  }

  /** Ends event streams and takes no more requests. */
  close(): Promise<void> {
    for (const stream of this.#streams) stream.end()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#guard.checkHost(request)
    if (refusal !== null) return refuse(response, refusal)
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'POST' && pathname.startsWith('/command/')) {
      return this.#command(request, response, pathname.slice('/command/'.length))
    }
    if (request.method === 'POST' && pathname.startsWith('/import/')) {
      return this.#import(request, response, pathname.slice('/import/'.length))
    }
    if (request.method !== 'GET') return refuse(response, { status: 405, delayMs: 0 })
    if (pathname === '/events') return this.#stream(request, response)
    if (pathname.startsWith('/export/')) return this.#export(response, pathname.slice('/export/'.length))
    const { status, headers, body } = this.#parts.assets.respond(pathname)
    response.writeHead(status, headers).end(body)
  }

  async #command(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const refusal = this.#guard.checkCaller(request)
    if (refusal !== null) return refuse(response, refusal)
    const body = await readJson(request)
    if (!body.ok) return sendJson(response, body.status, null)
    const result = await dispatch(this.#parts.application.handlers, name, body.value)
    sendJson(response, statusOf(result), result)
  }

  /** A crawl file as the body, its name encoded in the path. The type is one that no form can send. */
  async #import(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const refusal = this.#guard.checkCaller(request)
    if (refusal !== null) return refuse(response, refusal)
    if (request.headers['content-type'] !== CRAWL_FILE_TYPE) return refuse(response, { status: 415, delayMs: 0 })
    const result = await this.#parts.application.importFile(decodeName(name), request)
    sendJson(response, statusOf(result), result)
  }

  async #export(response: ServerResponse, ticket: string): Promise<void> {
    const download = this.#parts.application.exports.take(ticket)
    if (download === null) return refuse(response, { status: 404, delayMs: 0 })
    response.on('error', () => {})
    response.on('close', () => download.cancel())
    response.writeHead(200, {
      'content-type': download.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(download.name)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    try {
      await download.write(response)
      response.end()
    } catch {
      // A download that stops short must not look complete.
      response.destroy()
    }
  }

  async #stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#guard.checkCaller(request) ?? (this.#streams.size >= MAX_STREAMS ? FULL : null)
    if (refusal !== null) return refuse(response, refusal)
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    this.#streams.add(response)
    const send = (batch: EventBatch): void =>
      void response.write(`id: ${batch.seq}\ndata: ${JSON.stringify(batch)}\n\n`)
    const end = this.#parts.application.events.subscribe(send)
    response.on('close', () => {
      end()
      this.#streams.delete(response)
    })
  }
}

const CRAWL_FILE_TYPE = 'application/vnd.sandpiper'

/** What cannot be decoded is no name: the file gets another one. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const FULL: Refusal = { status: 429, delayMs: 0 }

type Result = Awaited<ReturnType<typeof dispatch>>

const statusOf = (result: Result): number => {
  if (result.ok) return 200
  return result.error.code === 'unknown_command' ? 404 : result.error.code === 'internal' ? 500 : 422
}

async function refuse(response: ServerResponse, { status, delayMs }: Refusal): Promise<void> {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end()
}

/** A body that was not read to its end closes its connection. */
function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  response.writeHead(status, status === 413 ? { ...headers, connection: 'close' } : headers).end(JSON.stringify(value))
}
