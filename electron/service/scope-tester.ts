import type { CommandOutput } from '../../shared/contract.ts'
import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import { type CanonicalUrl, canonicalUrl, parseSeed } from '../engine/canonical-url.ts'
import { UrlPattern } from '../engine/url-pattern.ts'
import { CrawlScope } from './crawl-scope.ts'

/**
 * Would a URL be part of the crawl, as far as its address says? `detail` is the pattern that decided; empty if none did.
 * @param text as typed; a path is taken from the first seed
 * @throws Failure `bad_input` for what is no web address
 */
export function testScope(settings: CrawlSettings, text: string): CommandOutput<'setup.testScope'> {
  const seeds = settings.seeds.map((seed) => parseSeed(seed))
  const url = parseTested(text.trim(), seeds[0]!)
  const scope = new CrawlScope({ ...settings, seeds, limits: { ...settings.limits, maxDepth: null } })
  const verdict = scope.admit({ url: url.url, key: url.key, isPage: true, depth: 0, found: 'link' })
  if (!verdict.admitted) {
    const pattern = verdict.reason === 'excluded' ? firstMatch(settings.scope.exclude, url) : ''
    return { in: false, reason: verdict.reason, detail: pattern }
  }
  return { in: true, reason: null, detail: seeds.includes(url.url) ? '' : firstMatch(settings.scope.include, url) }
}

function parseTested(text: string, seed: string): CanonicalUrl {
  const fromSeed = /^\/(?!\/)|^\?/.test(text) ? canonicalUrl(text, seed) : null
  return fromSeed ?? canonicalUrl(parseSeed(text))!
}

const firstMatch = (patterns: readonly string[], { url }: CanonicalUrl): string =>
  patterns.find((pattern) => new UrlPattern(pattern).matches(url)) ?? ''
