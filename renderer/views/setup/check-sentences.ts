import type { SeedCheck } from '../../../shared/crawl-check.ts'
import type { CrawlSettings } from '../../../shared/crawl-settings.ts'
import type { FailureCode } from '../../../shared/page-outcome.ts'
import type { Words } from './summary.ts'

/** A check in five sentences: does it answer, where does it lead, robots.txt, sitemaps, speed; each trouble with a way on. */

/** What can be done: change a field, crawl where a redirect leads, or leave robots.txt aside. */
export type Way = 'seeds' | 'headers' | 'userAgent' | 'delay' | 'maxPages' | 'useTarget' | 'ignoreRobots'

export interface Sentence {
  tone: 'good' | 'note' | 'bad'
  text: string
  way?: Way
}

type Checked = Pick<CrawlSettings, 'limits'>

export const checkSentences = (seed: SeedCheck, settings: Checked, t: Words): Sentence[] => [
  answer(seed, t),
  redirect(seed, t),
  robots(seed, t),
  sitemaps(seed, settings, t),
  speed(seed, t),
]

const PAGE = /^(text\/html|application\/xhtml\+xml)\b/i

function answer({ status, trouble, contentType, robots }: SeedCheck, t: Words): Sentence {
  if (trouble !== '' && trouble !== 'redirect_loop') {
    return { tone: 'bad', text: t('report.answer.trouble', { reason: troubleText(trouble, t) }), way: 'seeds' }
  }
  if (status === null) return { tone: robots.state === 'found' ? 'note' : 'bad', text: t('report.answer.forbidden') }
  if (status < 400) return content(contentType, trouble, t)
  return refusal(status, t)
}

function content(contentType: string, trouble: string, t: Words): Sentence {
  const [type = ''] = contentType.split(';')
  if (PAGE.test(contentType) || trouble !== '') return { tone: 'good', text: t('report.answer.page') }
  if (type.trim() === '') return { tone: 'note', text: t('report.answer.unknown') }
  return { tone: 'note', text: t('report.answer.file', { type: type.trim() }), way: 'seeds' }
}

function refusal(status: number, t: Words): Sentence {
  const tone = 'bad'
  if (status === 401 || status === 407) return { tone, text: t('report.answer.login', { status }), way: 'headers' }
  if (status === 403) return { tone, text: t('report.answer.refused', { status }), way: 'userAgent' }
  if (status === 404 || status === 410) return { tone, text: t('report.answer.missing', { status }), way: 'seeds' }
  if (status === 429) return { tone, text: t('report.answer.busy', { status }), way: 'delay' }
  if (status < 500) return { tone, text: t('report.answer.client', { status }), way: 'seeds' }
  return { tone, text: t('report.answer.server', { status }) }
}

function redirect({ hops, trouble, inScope, robots, seed, status }: SeedCheck, t: Words): Sentence {
  if (trouble === 'redirect_loop') return { tone: 'bad', text: t('report.redirect.loop'), way: 'seeds' }
  const last = hops.at(-1)
  if (last === undefined || (last.url === seed && status !== null))
    return { tone: 'good', text: t('report.redirect.none') }
  const url = last.url
  const isRefused = status === null && robots.state !== 'off'
  if (!inScope) return { tone: 'bad', text: t('report.redirect.other', { url }), way: 'useTarget' }
  return { tone: isRefused ? 'note' : 'good', text: t('report.redirect.same', { url, count: hops.length - 1 }) }
}

function robots({ robots: { state, allowed, rule } }: SeedCheck, t: Words): Sentence {
  if (state === 'off') return { tone: 'note', text: t('report.robots.off') }
  if (state === 'unreachable') return { tone: 'bad', text: t('report.robots.unreachable') }
  if (!allowed) return { tone: 'bad', text: t('report.robots.forbidden', { rule }), way: 'ignoreRobots' }
  return { tone: 'good', text: t(state === 'none' ? 'report.robots.none' : 'report.robots.allowed') }
}

function sitemaps({ sitemaps: { state, urls, files, more } }: SeedCheck, { limits }: Checked, t: Words): Sentence {
  if (state === 'off') return { tone: 'note', text: t('report.sitemaps.off') }
  if (state === 'none') return { tone: 'note', text: t(more ? 'report.sitemaps.late' : 'report.sitemaps.none') }
  if (limits.maxPages !== null && urls > limits.maxPages) {
    return { tone: 'note', text: t('report.sitemaps.limit', { urls, limit: limits.maxPages }), way: 'maxPages' }
  }
  return { tone: 'good', text: t(more ? 'report.sitemaps.more' : 'report.sitemaps.found', { urls, files }) }
}

function speed({ maxPerSecond, perHost, robots: { crawlDelayMs } }: SeedCheck, t: Words): Sentence {
  if (maxPerSecond === null) return { tone: 'good', text: t('report.speed.free', { count: perHost }) }
  const delayMs = Math.round(1_000 / maxPerSecond)
  const words = { seconds: delayMs / 1_000, pages: Math.floor(maxPerSecond * 3_600) }
  if (crawlDelayMs === null || crawlDelayMs < delayMs) {
    return { tone: 'note', text: t('report.speed.limited', words), way: 'delay' }
  }
  if (crawlDelayMs === delayMs) return { tone: 'note', text: t('report.speed.asked', words) }
  return { tone: 'note', text: t('report.speed.capped', { ...words, asked: crawlDelayMs / 1_000 }) }
}

const TROUBLES = {
  dns_not_found: 'dns_not_found',
  dns_failed: 'dns_failed',
  connection_refused: 'connection_refused',
  connection_reset: 'connection_reset',
  connection_failed: 'connection_failed',
  private_address: 'private_address',
  tls_failed: 'tls_failed',
  timeout_connect: 'timeout',
  timeout_headers: 'timeout',
  timeout_idle: 'timeout',
  timeout_total: 'timeout',
  truncated: 'truncated',
  body_too_large: 'too_large',
  headers_too_large: 'too_large',
  protocol_error: 'not_http',
} as const satisfies Partial<Record<FailureCode, string>>

const troubleText = (code: string, t: Words): string =>
  code in TROUBLES ? t(`trouble.${TROUBLES[code as keyof typeof TROUBLES]}`) : t('trouble.other')
