import { STATE } from '../../shared/frontier-state.ts'
import type { SitemapFile } from '../../shared/parse-job.ts'
import type { Claim } from '../engine/frontier.ts'
import type { Answer, Finished, Outcome, PageSink, SitemapOutcome, SitemapRow } from '../engine/page-sink.ts'
import type { Database } from './database.ts'
import type { FrontierStore } from './frontier-store.ts'
import type { Group } from './group.ts'
import { LinkStore } from './link-store.ts'

/** Set by the build to plant a known bug, for the test that proves that the verifier finds it. Empty in every release. */
declare const __PLANT__: string

const EMPTY_ANSWER = {
  status: null,
  contentType: '',
  headers: '',
  responseMs: null,
  wireBytes: null,
  bytes: null,
  hash: '',
}

export class PageStore implements PageSink {
  readonly #group: Group
  readonly #frontier: FrontierStore
  readonly #epoch: number
  readonly #now: () => number
  readonly #links: LinkStore
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database, group: Group, frontier: FrontierStore, epoch: number, now: () => number) {
    this.#group = group
    this.#frontier = frontier
    this.#epoch = epoch
    this.#now = now
    this.#links = new LinkStore(db, frontier)
    this.#sql = prepare(db)
  }

  record(finished: Finished): void {
    this.#group.savepoint(() => this.#write(finished))
  }

  commit(): void {
    try {
      this.#group.commit()
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Forgets the open group; the caller still owns its finished URLs. */
  rollback(): void {
    this.#group.rollback()
    this.#frontier.forget()
  }

  #write({ claim, outcome, startedAt, endedAt }: Finished): void {
    if (!this.#finish(claim, outcome)) return
    if (outcome.state === 'pending') return
    if (outcome.state !== 'skipped') {
      const status = 'answer' in outcome ? (outcome.answer?.status ?? null) : null
      const word = 'reason' in outcome ? outcome.reason : outcome.state
      this.#sql.addAttempt.run(claim.id, this.#epoch, startedAt, endedAt, word, status)
    }
    if (outcome.state === 'done' || outcome.state === 'final_failed') this.#writePage(claim, outcome.answer, startedAt)
    this.#sql.addEvent.run(endedAt, outcome.state, claim.id, null)
    // A page link may have turned up while it was fetched as a resource.
    if (outcome.state === 'done' && !claim.isPage) this.#frontier.rereadAsPage(claim.id)
  }

  /** False when the URL is no longer this life's to finish: a late result is dropped. */
  #finish(claim: Claim, outcome: Outcome): boolean {
    const counts = outcome.state === 'done' || outcome.state === 'failed' || outcome.state === 'final_failed' ? 1 : 0
    const reason = 'reason' in outcome ? outcome.reason : null
    const detail = 'detail' in outcome && outcome.detail !== '' ? outcome.detail : null
    const notBefore = outcome.state === 'failed' ? outcome.notBefore : 0
    const { changes } = this.#sql.finish.run(
      STATE[outcome.state],
      reason,
      detail,
      counts,
      notBefore,
      claim.id,
      this.#epoch,
    )
    if (changes === 0) return false
    this.#frontier.finished(outcome.state)
    return true
  }

  #writePage(claim: Claim, answer: Answer | null, fetchedAt: number): void {
    const { status, contentType, headers, responseMs, wireBytes, bytes, hash } = answer ?? EMPTY_ANSWER
    const page = answer?.page ?? null
    const redirectTo = answer?.redirectTo ?? ''
    const outCount = redirectTo !== '' ? 1 : (page?.links.urls.length ?? 0)
    this.#sql.addPage.run(
      claim.id,
      claim.attempts + 1,
      fetchedAt,
      status,
      contentType,
      headers,
      responseMs,
      wireBytes,
      bytes,
      hash,
      page?.title ?? '',
      page?.description ?? '',
      page?.h1 ?? '',
      page?.h2 ?? '',
      page?.canonical ?? '',
      page?.robots ?? '',
      page?.lang ?? '',
      page?.hreflang ?? '',
      page?.words ?? null,
      page?.encoding ?? '',
      page?.notes.join(' ') ?? '',
      outCount,
    )
    if (__PLANT__ === 'commit_split') this.#plantSplitCommit()
    if (redirectTo !== '') this.#links.addRedirect(claim, redirectTo)
    else if (page) this.#links.addAll(claim, page.links)
  }

  pendingSitemaps(): SitemapRow[] {
    return this.#sql.pendingSitemaps.all() as SitemapRow[]
  }

  addSitemap(url: string, foundIn: string, nesting: number): void {
    this.#group.open()
    this.#sql.addSitemap.run(url, foundIn, nesting)
  }

  finishSitemap(id: number, { state, status, reason, file }: SitemapOutcome): void {
    this.#group.open()
    const { type, entries, warnings } = file ?? ({ type: 'none', entries: [], warnings: [] } satisfies SitemapFile)
    this.#sql.finishSitemap.run(state, status, reason, type, entries.length, warnings.join('\n'), this.#now(), id)
  }

  addSitemapEntry(sitemapId: number, url: string): void {
    const id = this.#frontier.idOf({ url, key: url, isPage: true, depth: null, found: 'sitemap' })
    this.#sql.addSitemapEntry.run(sitemapId, id)
  }

  #plantSplitCommit(): void {
    this.#sql.releasePage.run()
    this.#group.commit()
    this.#group.open()
    this.#sql.savepointPage.run()
  }
}

function prepare(db: Database) {
  return {
    finish: db.prepare(
      `UPDATE urls SET state = ?, reason = ?, detail = ?, attempts = attempts + ?, not_before = ?
       WHERE id = ? AND state = 1 AND epoch = ?`,
    ),
    addPage: db.prepare(`INSERT OR REPLACE INTO pages VALUES (${Array(22).fill('?').join(', ')})`),
    addAttempt: db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?)'),
    addEvent: db.prepare('INSERT INTO events(at, kind, url_id, data) VALUES (?, ?, ?, ?)'),
    pendingSitemaps: db.prepare(`SELECT id, url, nesting FROM sitemaps WHERE state = 'pending' ORDER BY id`),
    addSitemap: db.prepare('INSERT INTO sitemaps(url, found_in, nesting) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    finishSitemap: db.prepare(
      `UPDATE sitemaps SET state = ?, status = ?, reason = ?, type = ?, entries = ?, warnings = ?, fetched_at = ? WHERE id = ?`,
    ),
    addSitemapEntry: db.prepare('INSERT INTO sitemap_entries VALUES (?, ?) ON CONFLICT DO NOTHING'),
    releasePage: db.prepare('RELEASE page'),
    savepointPage: db.prepare('SAVEPOINT page'),
  }
}
