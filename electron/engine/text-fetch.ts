import type { FailureCode } from '../../shared/page-outcome.ts'
import { canonicalUrl } from './canonical-url.ts'
import type { Fetched, Fetcher } from './fetcher.ts'

/** Fetches a file that is about the crawl and not part of it: robots.txt, a sitemap. Redirects are followed here. */

/** RFC 9309 §2.3.1.2: at least five hops. */
const MAX_HOPS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export async function fetchText(
  fetcher: Fetcher,
  address: string,
  headersFor: (url: URL) => Record<string, string>,
  signal: AbortSignal,
  onRequest: (wireBytes: number) => void,
): Promise<{ url: string; fetched: Fetched }> {
  let url = address
  for (let hop = 0; ; hop++) {
    const target = new URL(url)
    const fetched = await fetcher.fetch(target, { ...headersFor(target), 'accept-encoding': 'gzip' }, signal)
    onRequest(fetched.ok ? fetched.wireBytes : 0)
    if (!fetched.ok || !REDIRECTS.has(fetched.status)) return { url, fetched }
    const { location } = fetched.headers
    const next = typeof location === 'string' ? canonicalUrl(location, url) : null
    if (next === null || hop === MAX_HOPS)
      return { url, fetched: { ok: false, code: 'redirect_loop' satisfies FailureCode, detail: url } }
    url = next.url
  }
}
