import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import type { FailureCode } from '../../shared/page-outcome.ts'
import { isPrivateAddress } from './private-address.ts'

/** One HTTP GET, bounded in every direction. Redirects are answers here, never followed. */

const CONNECT_TIMEOUT_MS = 10_000
const HEADERS_TIMEOUT_MS = 20_000
const IDLE_TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 65_536

export interface FetcherOptions {
  userAgent: string
  perHost: number
  timeoutMs: number
  maxBodyBytes: number
  /** May this host be reached at a private address? Only a host the user typed. */
  allowsPrivate: (hostname: string) => boolean
}

export type Fetched =
  | { ok: true; status: number; headers: ResponseHeaders; body: ArrayBuffer; wireBytes: number; responseMs: number }
  | { ok: false; code: FailureCode; detail: string }
  | { ok: false; code: 'aborted' }

export type ResponseHeaders = Record<string, string | string[] | undefined>

export class Fetcher {
  readonly #options: FetcherOptions
  #agent: Agent

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#agent = createAgent(options)
  }

  /** Never rejects. `signal` ends it with code `aborted`; the total deadline covers connect, headers and body. */
  async fetch(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Fetched> {
    if (signal.aborted) return { ok: false, code: 'aborted' }
    const { hostname } = url
    const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    if (isIP(literal) !== 0 && isPrivateAddress(literal) && !this.#options.allowsPrivate(hostname)) {
      return { ok: false, code: 'private_address', detail: hostname }
    }
    const agent = this.#agent
    const controller = new AbortController()
    let tooSlow = false
    const deadline = setTimeout(() => {
      tooSlow = true
      controller.abort()
    }, this.#options.timeoutMs)
    const abort = (): void => controller.abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await this.#get(url, headers, controller.signal)
    } catch (error) {
      if (tooSlow) return { ok: false, code: 'timeout_total', detail: `${this.#options.timeoutMs} ms` }
      if (signal.aborted || agent !== this.#agent) return { ok: false, code: 'aborted' }
      return classify(error)
    } finally {
      clearTimeout(deadline)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Ends every request now. To be called in the tick of the abort, or undici opens new connections. */
  destroy(): void {
    void this.#agent.destroy()
  }

  /** New connections for everything from now on; requests on the old ones end with `aborted`. */
  renew(): void {
    const old = this.#agent
    this.#agent = createAgent(this.#options)
    void old.destroy()
  }

  async #get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Fetched> {
    const started = performance.now()
    const response = await request(url, {
      dispatcher: this.#agent,
      signal,
      headers: {
        'user-agent': this.#options.userAgent,
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'accept-encoding': 'gzip, deflate, br, zstd',
        ...headers,
      },
    })
    const { statusCode: status, headers: answered, body } = response
    if (Number(answered['content-length']) > wireCap(this.#options.maxBodyBytes)) {
      body.on('error', () => {}).destroy()
      return { ok: false, code: 'body_too_large', detail: `${String(answered['content-length'])} bytes announced` }
    }
    const bytes = await body.arrayBuffer().catch((error) => {
      throw new CutShort(error)
    })
    return {
      ok: true,
      status,
      headers: answered,
      body: bytes,
      wireBytes: bytes.byteLength,
      responseMs: Math.round(performance.now() - started),
    }
  }
}

function createAgent({ perHost, maxBodyBytes, timeoutMs, allowsPrivate }: FetcherOptions): Agent {
  return new Agent({
    connections: perHost,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: wireCap(maxBodyBytes),
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, timeoutMs),
    bodyTimeout: Math.min(IDLE_TIMEOUT_MS, timeoutMs),
    keepAliveTimeout: 10_000,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), lookup: guardedLookup(allowsPrivate) },
  })
}

/** The cap counts decoded bytes; what compression adds to a body it cannot shrink is allowed for. */
const wireCap = (maxBodyBytes: number): number => maxBodyBytes + Math.ceil(maxBodyBytes / 100) + 1024

/** Resolves names for everyone, and private addresses only for hosts the user typed (checked after DNS, at connect time). */
function guardedLookup(allowsPrivate: (hostname: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = allowsPrivate(hostname)
        ? addresses
        : addresses.filter(({ address }) => !isPrivateAddress(address))
      if (allowed.length === 0) {
        return callback(Object.assign(new Error('private address'), { code: 'EPRIVATEADDRESS' }), '', 0)
      }
      if (options.all) return callback(null, allowed)
      callback(null, allowed[0]!.address, allowed[0]!.family)
    })
  }
}

const CODES: Readonly<Record<string, FailureCode>> = {
  EPRIVATEADDRESS: 'private_address',
  ENOTFOUND: 'dns_not_found',
  ENODATA: 'dns_not_found',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENETUNREACH: 'connection_failed',
  EHOSTUNREACH: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  ETIMEDOUT: 'timeout_connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout_connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout_headers',
  UND_ERR_BODY_TIMEOUT: 'timeout_idle',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'body_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol_error',
  UND_ERR_SOCKET: 'connection_reset',
}

/** The connection broke while the body was read. */
class CutShort extends Error {
  constructor(cause: unknown) {
    super('cut short', { cause })
  }
}

function classify(error: unknown): Fetched {
  const code = codeOf(error)
  const known = CODES[code]
  if (known === 'connection_reset' && error instanceof CutShort) return { ok: false, code: 'truncated', detail: code }
  if (known) return { ok: false, code: known, detail: code }
  if (code.startsWith('HPE_')) return { ok: false, code: 'protocol_error', detail: code }
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_)/.test(code)) {
    return { ok: false, code: 'tls_failed', detail: code }
  }
  return { ok: false, code: 'connection_failed', detail: code }
}

/** The code of an error or of the first error inside it: a connection attempt over several addresses fails with a list. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error.cause === undefined ? error.name : codeOf(error.cause)
}
