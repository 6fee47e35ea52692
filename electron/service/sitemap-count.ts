import type { SitemapOutcome, SitemapRow } from '../engine/page-sink.ts'
import { readSitemap, type SitemapSink, type SitemapTools } from '../engine/sitemap.ts'

/** Counts what the sitemaps of a site list, with the engine's own reader and within narrow bounds. */

const MAX_FILES = 5
/** A site may name files that are not there. */
const MAX_TRIES = 10
const MAX_URLS = 50_000

export interface SitemapTotals {
  /** Distinct URLs. */
  urls: number
  /** Files that could be read. */
  files: number
  /** Something was left out: more files, more URLs, or no time. */
  more: boolean
}

export async function countSitemaps(
  addresses: readonly string[],
  tools: Omit<SitemapTools, 'sink'>,
  signal: AbortSignal,
): Promise<SitemapTotals> {
  const tally = new SitemapTally()
  for (const address of addresses) tally.addSitemap(address, '', 0)
  for (let tries = 0; tries < MAX_TRIES && tally.files < MAX_FILES && !signal.aborted; tries++) {
    const row = tally.next()
    if (row === undefined) break
    await readSitemap(row, { ...tools, sink: tally }, signal, () => {})
    if (signal.aborted) tally.cutShort = true
  }
  return { urls: tally.urls.size, files: tally.files, more: tally.cutShort || tally.next() !== undefined }
}

class SitemapTally implements SitemapSink {
  readonly urls = new Set<string>()
  files = 0
  cutShort = false
  readonly #known = new Set<string>()
  readonly #waiting: SitemapRow[] = []

  next(): SitemapRow | undefined {
    return this.#waiting.shift()
  }

  addSitemap(url: string, _foundIn: string, nesting: number): void {
    if (this.#known.has(url) || this.#known.size >= MAX_URLS) return
    this.#known.add(url)
    this.#waiting.push({ id: this.#known.size, url, nesting })
  }

  addSitemapEntry(_sitemapId: number, url: string): void {
    if (this.urls.size < MAX_URLS) this.urls.add(url)
    else if (!this.urls.has(url)) this.cutShort = true
  }

  finishSitemap(_id: number, { state, file }: SitemapOutcome): void {
    if (state === 'done' && file !== null && file.type !== 'none') this.files++
  }
}
