import type { RequestSettings } from '../../shared/crawl-settings.ts'
import { type FailureCode, isTransient } from '../../shared/page-outcome.ts'
import { canonicalUrl } from './canonical-url.ts'
import type { Clock } from './clock.ts'
import type { Fetched, Fetcher, ResponseHeaders } from './fetcher.ts'
import type { Claim } from './frontier.ts'
import type { Answer, Outcome } from './page-sink.ts'
import type { ParsePool } from './parse-pool.ts'
import { backoffMs } from './retry.ts'
import { parseRetryAfter } from './retry-after.ts'

/** One try at one URL: request, answer, parse, outcome. */

const MAX_SELF_REDIRECTS = 10
const MAX_STORED_HEADER_CHARS = 16_384
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 425, 429])
const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export interface VisitTools {
  fetcher: Fetcher
  parsePool: ParsePool
  clock: Clock
  random: () => number
  requests: RequestSettings
  maxBodyBytes: number
  /** Headers the user set, for hosts they are meant for. */
  headersFor: (url: URL) => Record<string, string>
}

export interface Visit {
  outcome: Outcome
  /** The server asked for a pause of the whole site until this wall time. */
  parkUntil: number
  /** The server gave an answer that was no refusal. */
  answered: boolean
}

type Response = Extract<Fetched, { ok: true }>

/**
 * @param onRequest called for each request sent, with the bytes received when it ends
 * @param onArrived called once the connection is free, before parsing
 */
export async function visit(
  claim: Claim,
  tools: VisitTools,
  signal: AbortSignal,
  onRequest: (wireBytes: number) => void,
  onArrived: () => void,
): Promise<Visit> {
  const fetched = await fetchFollowingSelf(claim, tools, signal, onRequest)
  onArrived()
  if (!fetched.ok) {
    if (fetched.code === 'aborted') return { outcome: { state: 'pending' }, parkUntil: 0, answered: false }
    return failure(claim, tools, fetched.code, fetched.detail, null)
  }
  if (RETRIED_STATUS.has(fetched.status) || fetched.status >= 500) return refusal(claim, tools, fetched)
  return settle(claim, tools, fetched)
}

/** Only a redirect to the very same URL is followed in place, with the cookies it set. */
export async function fetchFollowingSelf(
  claim: Pick<Claim, 'url'>,
  tools: Pick<VisitTools, 'fetcher' | 'headersFor'>,
  signal: AbortSignal,
  onRequest: (wireBytes: number) => void,
): Promise<Fetched> {
  const url = new URL(claim.url)
  const headers = tools.headersFor(url)
  const cookies = new Map<string, string>()
  for (let hop = 0; hop <= MAX_SELF_REDIRECTS; hop++) {
    if (cookies.size > 0) headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const fetched = await tools.fetcher.fetch(url, headers, signal)
    onRequest(fetched.ok ? fetched.wireBytes : 0)
    if (!fetched.ok || redirectTarget(claim.url, fetched) !== claim.url) return fetched
    keepCookies(cookies, fetched.headers['set-cookie'])
  }
  return { ok: false, code: 'redirect_loop', detail: `${MAX_SELF_REDIRECTS} redirects to itself` }
}

function keepCookies(cookies: Map<string, string>, set: string | string[] | undefined): void {
  for (const line of [set ?? []].flat().slice(0, 50)) {
    const pair = line.split(';', 1)[0]!
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.length <= 4096) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim())
  }
}

/** Where the answer sends us, as a canonical URL; empty if nowhere. */
export function redirectTarget(url: string, { status, headers }: Response): string {
  if (!REDIRECT_STATUS.has(status) || typeof headers.location !== 'string') return ''
  return canonicalUrl(decodeLocation(headers.location), url)?.url ?? ''
}

/** Header bytes arrive as Latin-1 text; an address in raw UTF-8 must be read as UTF-8. */
function decodeLocation(location: string): string {
  if (!/[\x80-\xff]/.test(location)) return location
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(location, 'latin1'))
  } catch {
    return location
  }
}

/** 408, 425, 429 and 5xx: worth another try, or a pause of the whole site if the server says for how long. */
function refusal(claim: Claim, tools: VisitTools, fetched: Response): Visit {
  const now = tools.clock.wall()
  if (fetched.status === 429 || fetched.status === 503) {
    const waitMs = parseRetryAfter(fetched.headers['retry-after'], now)
    if (waitMs !== null) return { outcome: { state: 'pending' }, parkUntil: now + waitMs, answered: false }
  }
  return failure(claim, tools, 'server_error', `status ${fetched.status}`, bareAnswer(fetched))
}

function failure(claim: Claim, tools: VisitTools, code: FailureCode, detail: string, answer: Answer | null): Visit {
  const tries = claim.attempts + 1
  if (isTransient(code) && tries <= tools.requests.retries) {
    const notBefore = tools.clock.wall() + backoffMs(tries, tools.random)
    return { outcome: { state: 'failed', reason: code, detail, notBefore }, parkUntil: 0, answered: false }
  }
  return { outcome: { state: 'final_failed', reason: code, detail, answer }, parkUntil: 0, answered: answer !== null }
}

async function settle(claim: Claim, tools: VisitTools, fetched: Response): Promise<Visit> {
  const redirectTo = redirectTarget(claim.url, fetched)
  const answer = bareAnswer(fetched)
  if (redirectTo !== '') {
    return { outcome: { state: 'done', answer: { ...answer, redirectTo } }, parkUntil: 0, answered: true }
  }
  const parsed = await tools.parsePool.parse({
    want: claim.isPage ? 'page' : 'resource',
    url: claim.url,
    status: fetched.status,
    contentType: answer.contentType,
    contentEncoding: header(fetched.headers, 'content-encoding'),
    body: fetched.body,
    maxBytes: tools.maxBodyBytes,
  })
  if (parsed.lost) return { outcome: { state: 'pending' }, parkUntil: 0, answered: true }
  const { fault, faultDetail, bytes, hash, mediaType, page } = parsed.result
  if (fault !== null) return failure(claim, tools, fault, faultDetail, answer)
  const contentType = answer.contentType === '' ? mediaType : answer.contentType
  return {
    outcome: { state: 'done', answer: { ...answer, contentType, bytes, hash, page } },
    parkUntil: 0,
    answered: true,
  }
}

function bareAnswer({ status, headers, wireBytes, responseMs }: Response): Answer {
  const stored = JSON.stringify(headers)
  return {
    status,
    contentType: header(headers, 'content-type').slice(0, 200),
    headers: stored.length > MAX_STORED_HEADER_CHARS ? '' : stored,
    wireBytes,
    responseMs,
    bytes: wireBytes,
    hash: '',
    redirectTo: '',
    page: null,
  }
}

/** The first value of a header; empty if absent. */
export const header = (headers: ResponseHeaders, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''
