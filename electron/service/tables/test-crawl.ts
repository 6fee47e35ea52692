import { crawlSettings } from '../../../shared/crawl-settings.ts'
import { linkKindNumber } from '../../../shared/link-kind.ts'
import type { Admit, Candidate, Claim } from '../../engine/frontier.ts'
import type { Answer, Outcome } from '../../engine/page-sink.ts'
import { CrawlFile } from '../../store/crawl-file.ts'

/** For tests: a crawl file driven the way the engine does it, with every answer made up. */

export const testUrl = (path: string | number): string => `http://site.test/${path}`
const MAX_DEPTH = 3

export interface MadeUpAnswer {
  status: number
  contentType: string
  title: string
  bytes: number
  /** Paths. */
  links: string[]
  /** Kinds of the links; `a` where it is not said. */
  kinds: (keyof typeof linkKindNumber)[]
  headers: string
  hreflang: string
  redirectTo: string
}

export const madeUpAnswer = (parts: Partial<MadeUpAnswer> = {}): MadeUpAnswer => ({
  status: 200,
  contentType: 'text/html',
  title: '',
  bytes: 10,
  links: [],
  kinds: [],
  headers: '',
  hreflang: '',
  redirectTo: '',
  ...parts,
})

const admit: Admit = ({ depth, isPage }) =>
  depth !== null && depth > MAX_DEPTH + (isPage ? 0 : 1)
    ? { admitted: false, reason: 'max_depth', detail: 'too deep' }
    : { admitted: true, origin: 'http://site.test' }

export class TestCrawl {
  readonly path: string
  #file: CrawlFile
  #life: ReturnType<CrawlFile['begin']>
  /** Claims whose commit has returned; claims of the open group; finished and not committed. */
  #held: Claim[] = []
  #claimed: Claim[] = []
  #finished: Claim[] = []

  constructor(path: string) {
    this.path = path
    this.#file = CrawlFile.create(path, crawlSettings.parse({ seeds: [testUrl('')] }), () => 1_000, '1')
    this.#life = this.#file.begin(admit)
  }

  add(path: string | number, parts: Partial<Candidate> = {}): void {
    const url = testUrl(path)
    this.#life.frontier.add({ url, key: url, isPage: true, depth: 1, found: 'link', ...parts })
  }

  claim(limit: number): void {
    this.#claimed.push(...this.#life.frontier.claim(1, limit, 'all'))
  }

  /** @param which of those that are in flight, by number; nothing happens if none is */
  finish(which: number, how: Outcome['state'], answer: MadeUpAnswer): void {
    if (this.#held.length === 0) return
    const [claim] = this.#held.splice(which % this.#held.length, 1)
    this.#life.sink.record({
      claim: claim!,
      outcome: outcomeOf(how, answer, claim!.isPage),
      startedAt: 1_000,
      endedAt: 1_005,
    })
    this.#finished.push(claim!)
  }

  /** Claims and finishes one URL, and commits. */
  visit(path: string | number, parts: Partial<MadeUpAnswer> = {}, how: Outcome['state'] = 'done'): void {
    this.claim(1_000)
    this.commit()
    const at = this.#held.findIndex(({ url }) => url === testUrl(path))
    if (at < 0) throw new Error(`${path} is not waiting`)
    this.finish(at, how, madeUpAnswer(parts))
    this.commit()
  }

  promote(): void {
    this.#life.frontier.promoteDue(1_000)
  }

  commit(): void {
    this.#life.sink.commit()
    this.#held.push(...this.#claimed)
    this.#claimed = []
    this.#finished = []
  }

  rollback(): void {
    this.#life.sink.rollback()
    this.#held.push(...this.#finished)
    this.#claimed = []
    this.#finished = []
  }

  /** @param retry lets what failed wait again, between two lives */
  reopen(retry: boolean): void {
    this.#file.close()
    this.#file = CrawlFile.open(this.path, () => 1_000)
    if (retry) this.#file.retryFailed()
    this.#life = this.#file.begin(admit)
    this.#held = []
    this.#claimed = []
    this.#finished = []
  }

  end(): void {
    this.#file.close()
  }
}

/** As in life, only pages are read: a resource has no facts and no links but a redirect. */
function outcomeOf(how: Outcome['state'], answer: MadeUpAnswer, isPage: boolean): Outcome {
  if (how === 'done')
    return { state: 'done', answer: isPage ? fullAnswer(answer) : { ...fullAnswer(answer), page: null } }
  if (how === 'failed') return { state: 'failed', reason: 'server_error', detail: '', notBefore: 500 }
  if (how === 'final_failed')
    return { state: 'final_failed', reason: 'dns_failed', detail: 'no such name', answer: null }
  return how === 'skipped' ? { state: 'skipped', reason: 'robots', detail: 'line 4' } : { state: 'pending' }
}

function fullAnswer({ links, kinds, title, hreflang, redirectTo, ...rest }: MadeUpAnswer): Answer {
  const texts = { description: 'D', h1: 'H', h2: '', canonical: '', robots: 'noindex', lang: 'en', hreflang }
  return {
    ...rest,
    wireBytes: 5,
    responseMs: rest.bytes % 7,
    hash: 'ab',
    redirectTo: redirectTo === '' ? '' : testUrl(redirectTo),
    page: {
      title,
      ...texts,
      words: rest.bytes % 5,
      encoding: 'utf-8',
      notes: [],
      links: {
        urls: links.map((path) => (path === '!' ? '' : testUrl(path))),
        kinds: Uint8Array.from(links, (_, n) => linkKindNumber[kinds[n] ?? 'a']),
        flags: Uint8Array.from(links, (_, n) => n % 8),
        texts: links.map((path) => (path === '!' ? 'http://[broken' : `to ${path}`)),
      },
    },
  }
}
