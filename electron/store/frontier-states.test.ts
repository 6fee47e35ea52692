import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import type { Admit, Claim } from '../engine/frontier.ts'
import type { Answer, Outcome } from '../engine/page-sink.ts'
import { CrawlFile } from './crawl-file.ts'
import { openForReading } from './database.ts'
import { readCounts } from './overview.ts'

/** Whatever happens in whatever order, crashes included, the file keeps its promises. */

type Step =
  | { do: 'add'; n: number }
  | { do: 'claim'; limit: number }
  | { do: 'finish'; which: number; how: Outcome['state']; links: number[] }
  | { do: 'promote' }
  | { do: 'commit' }
  | { do: 'rollback' }
  | { do: 'crash' }
  | { do: 'retry' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), n: fc.nat(30) }),
  fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    do: fc.constant('finish' as const),
    which: fc.nat(),
    how: fc.constantFrom(
      'done' as const,
      'failed' as const,
      'final_failed' as const,
      'skipped' as const,
      'pending' as const,
    ),
    links: fc.array(fc.nat(30), { maxLength: 5 }),
  }),
  fc.constant({ do: 'promote' as const }),
  fc.constant({ do: 'commit' as const }),
  fc.constant({ do: 'rollback' as const }),
  fc.constant({ do: 'crash' as const }),
  fc.constant({ do: 'retry' as const }),
)

const admit: Admit = () => ({ admitted: true, origin: 'http://site.test' })
const url = (n: number): string => `http://site.test/${n}`
const settings = crawlSettings.parse({ seeds: [url(0)] })
const now = (): number => 1_000

function answer(links: number[]): Answer {
  const urls = links.map(url)
  return {
    status: 200,
    contentType: 'text/html',
    headers: '',
    wireBytes: 1,
    responseMs: 1,
    bytes: 1,
    hash: '',
    redirectTo: '',
    page: {
      title: '',
      description: '',
      h1: '',
      h2: '',
      canonical: '',
      robots: '',
      lang: '',
      hreflang: '',
      words: 0,
      encoding: '',
      notes: [],
      links: {
        urls,
        kinds: new Uint8Array(urls.length),
        flags: new Uint8Array(urls.length),
        texts: urls.map(() => ''),
      },
    },
  }
}

function outcomeOf(how: Outcome['state'], links: number[]): Outcome {
  if (how === 'done') return { state: 'done', answer: answer(links) }
  if (how === 'failed') return { state: 'failed', reason: 'server_error', detail: '', notBefore: 500 }
  if (how === 'final_failed') return { state: 'final_failed', reason: 'server_error', detail: '', answer: null }
  return how === 'skipped' ? { state: 'skipped', reason: 'robots', detail: '' } : { state: 'pending' }
}

/** Drives a crawl file the way the engine does, with the engine's knowledge of what is in its hands. */
class Driver {
  readonly #path: string
  #file: CrawlFile
  #life: ReturnType<CrawlFile['begin']>
  /** Claims whose commit has returned; claims of the open group; finished and not committed. */
  #held: Claim[] = []
  #claimed: Claim[] = []
  #finished: Claim[] = []

  constructor(path: string) {
    this.#path = path
    this.#file = CrawlFile.create(path, settings, now, '1')
    this.#life = this.#file.begin(admit)
    this.#life.frontier.add({ url: url(0), key: url(0), isPage: true, depth: 0, found: 'seed' })
    this.#commit()
  }

  take(step: Step): void {
    const { frontier, sink } = this.#life
    if (step.do === 'add') frontier.add({ url: url(step.n), key: url(step.n), isPage: true, depth: 1, found: 'link' })
    else if (step.do === 'claim') this.#claimed.push(...frontier.claim(1, step.limit, 'all'))
    else if (step.do === 'promote') frontier.promoteDue(1_000)
    else if (step.do === 'commit') this.#commit()
    else if (step.do === 'rollback') this.#rollback()
    else if (step.do === 'crash') this.#reopen()
    else if (step.do === 'retry') this.#retry()
    else if (this.#held.length > 0) {
      const [claim] = this.#held.splice(step.which % this.#held.length, 1)
      sink.record({ claim: claim!, outcome: outcomeOf(step.how, step.links), startedAt: 1, endedAt: 2 })
      this.#finished.push(claim!)
    }
  }

  #commit(): void {
    this.#life.sink.commit()
    this.#held.push(...this.#claimed)
    this.#claimed = []
    this.#finished = []
    this.#check()
  }

  #rollback(): void {
    this.#life.sink.rollback()
    this.#held.push(...this.#finished)
    this.#claimed = []
    this.#finished = []
    this.#check()
  }

  #reopen(): void {
    this.#file.close()
    this.#file = CrawlFile.open(this.#path, now)
    this.#life = this.#file.begin(admit)
    this.#held = []
    this.#claimed = []
    this.#finished = []
    this.#check()
  }

  #retry(): void {
    this.#file.close()
    this.#file = CrawlFile.open(this.#path, now)
    this.#file.retryFailed()
    this.#reopen()
  }

  #check(): void {
    const db = openForReading(this.#path)
    const one = (sql: string): unknown => db.prepare(sql).pluck().get()
    try {
      expect(readCounts(db)).toEqual(this.#life.frontier.tally)
      expect(one('SELECT count(*) FROM urls WHERE state = 1')).toBe(this.#held.length)
      expect(
        one('SELECT count(*) FROM urls WHERE (state IN (2, 4)) <> EXISTS (SELECT 1 FROM pages WHERE url_id = id)'),
      ).toBe(0)
      expect(
        one('SELECT count(*) FROM pages WHERE out_count <> (SELECT count(*) FROM links WHERE src_id = url_id)'),
      ).toBe(0)
      expect(one('SELECT count(*) FROM links JOIN urls ON id = src_id WHERE state <> 2')).toBe(0)
    } finally {
      db.close()
    }
  }

  end(): void {
    this.#file.close()
  }
}

it('keeps every promise over random steps, commits, rollbacks and crashes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'sandpiper-states-'))
      const driver = new Driver(join(folder, 'x.sandpiper'))
      try {
        for (const each of steps) driver.take(each)
      } finally {
        driver.end()
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 60 },
  )
})
