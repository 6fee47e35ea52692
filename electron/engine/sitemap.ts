import { isTransient } from '../../shared/page-outcome.ts'
import { canonicalUrl } from './canonical-url.ts'
import type { Fetcher } from './fetcher.ts'
import type { PageSink, SitemapOutcome, SitemapRow } from './page-sink.ts'
import type { ParsePool } from './parse-pool.ts'
import { backoffMs } from './retry.ts'
import { fetchText } from './text-fetch.ts'

/** Reads one sitemap file: fetch, parse in a worker, hand its addresses to the frontier in slices. */

const MAX_NESTING = 3
const SLICE = 200

export type SitemapSink = Pick<PageSink, 'addSitemap' | 'addSitemapEntry' | 'finishSitemap'>

export interface SitemapTools {
  fetcher: Fetcher
  parsePool: ParsePool
  sink: SitemapSink
  retries: number
  random: () => number
  maxBodyBytes: number
  headersFor: (url: URL) => Record<string, string>
}

/** Leaves the file pending when `signal` ends it. */
export async function readSitemap(
  row: SitemapRow,
  tools: SitemapTools,
  signal: AbortSignal,
  onRequest: (wireBytes: number) => void,
): Promise<void> {
  const outcome = await load(row, tools, signal, onRequest)
  if (outcome === null) return
  const entries = outcome.file?.entries ?? []
  for (let from = 0; from < entries.length; from += SLICE) {
    if (signal.aborted) return
    for (const entry of entries.slice(from, from + SLICE)) hand(entry, row, outcome, tools.sink)
    await new Promise(setImmediate)
  }
  tools.sink.finishSitemap(row.id, outcome)
}

function hand(entry: string, row: SitemapRow, outcome: SitemapOutcome, sink: SitemapSink): void {
  const address = canonicalUrl(entry)
  if (address === null) return
  if (outcome.file?.type !== 'index') sink.addSitemapEntry(row.id, address.url)
  else if (row.nesting < MAX_NESTING) sink.addSitemap(address.url, row.url, row.nesting + 1)
}

async function load(
  row: SitemapRow,
  tools: SitemapTools,
  signal: AbortSignal,
  onRequest: (wireBytes: number) => void,
): Promise<SitemapOutcome | null> {
  for (let tries = 1; ; tries++) {
    const { url, fetched } = await fetchText(tools.fetcher, row.url, tools.headersFor, signal, onRequest)
    if (!fetched.ok && fetched.code === 'aborted') return null
    const mayRetry = fetched.ok ? fetched.status >= 500 : isTransient(fetched.code)
    if (mayRetry && tries <= tools.retries) {
      await sleep(backoffMs(tries, tools.random), signal)
      continue
    }
    if (!fetched.ok) return { state: 'failed', status: null, reason: fetched.code, file: null }
    if (fetched.status >= 300) return { state: 'failed', status: fetched.status, reason: '', file: null }
    const parsed = await tools.parsePool.parse({
      want: 'sitemap',
      url,
      status: fetched.status,
      contentType: String(fetched.headers['content-type'] ?? ''),
      contentEncoding: String(fetched.headers['content-encoding'] ?? ''),
      body: fetched.body,
      maxBytes: tools.maxBodyBytes * 5,
    })
    if (parsed.lost)
      return signal.aborted ? null : { state: 'failed', status: fetched.status, reason: 'parse_failed', file: null }
    const { fault, sitemap } = parsed.result
    return { state: fault === null ? 'done' : 'failed', status: fetched.status, reason: fault ?? '', file: sitemap }
  }
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done, { once: true })
  })
}
