import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { Failure } from '../../shared/failure.ts'
import { linkKindNumber } from '../../shared/link-kind.ts'
import type { Admit, UrlChange } from '../engine/frontier.ts'
import { insertCrawl, readCrawl, saveEnd, saveSettings } from './crawl-store.ts'
import { type Database, guarded, isBlank, openForWriting } from './database.ts'
import { FrontierStore } from './frontier-store.ts'
import { Group } from './group.ts'
import { acquireLock, type Lock } from './lock.ts'
import { migrate } from './migrate.ts'
import { type CrawlOverview, readPageTotals } from './overview.ts'
import { PageStore } from './page-store.ts'
import { type Recovered, recover } from './recovery.ts'
import { UrlChanges } from './url-changes.ts'

export interface SeedTrouble {
  url: string
  reason: string
}

/**
 * One crawl = one SQLite file, open for writing by exactly one process. Opening is: lock, open, check after an unclean
 * end, migrate, recover. Whoever opens it closes it.
 */
export class CrawlFile {
  readonly path: string
  #settings: CrawlSettings
  readonly #db: Database
  readonly #lock: Lock
  readonly #now: () => number

  private constructor(path: string, db: Database, lock: Lock, now: () => number) {
    this.path = path
    this.#db = db
    this.#lock = lock
    this.#now = now
    this.#settings = readCrawl(db, path).settings
  }

  /** @throws Failure `file_exists`, `folder_not_writable`, `crawl_file_busy` */
  static create(path: string, settings: CrawlSettings, now: () => number, appVersion: string): CrawlFile {
    assertFolder(path)
    return CrawlFile.#locked(path, now, () => {
      if (!isBlank(path)) {
        throw new Failure(
          'file_exists',
          `${path} already exists: carry on with "sandpiper resume", or choose another name with --file.`,
        )
      }
      const db = openForWriting(path, true)
      try {
        guarded(path, () => migrate(db, path, () => insertCrawl(db, settings, now(), appVersion)))
      } catch (error) {
        db.close()
        throw error
      }
      return db
    })
  }

  /** @throws Failure `file_missing`, `not_a_crawl_file`, `newer_crawl_file`, `damaged_crawl_file`, `crawl_file_busy` */
  static open(path: string, now: () => number): CrawlFile {
    if (!existsSync(path)) throw new Failure('file_missing', `There is no crawl file at ${path}: check the path.`)
    return CrawlFile.#locked(path, now, () => {
      const db = openForWriting(path, false)
      try {
        migrate(db, path)
      } catch (error) {
        db.close()
        throw error
      }
      return db
    })
  }

  static #locked(path: string, now: () => number, open: () => Database): CrawlFile {
    const lock = acquireLock(path, new Date(now()))
    try {
      return new CrawlFile(path, open(), lock, now)
    } catch (error) {
      lock.release()
      throw error
    }
  }

  get settings(): CrawlSettings {
    return this.#settings
  }

  /** Begins a life of the crawl. Called once, before any URL is claimed. */
  begin(admit: Admit): Recovered & { frontier: FrontierStore; sink: PageStore } {
    const recovered = guarded(this.path, () => recover(this.#db, this.path, this.#now()))
    const group = new Group(this.#db)
    const frontier = new FrontierStore(this.#db, group, recovered.epoch, admit, this.#now)
    const sink = new PageStore(this.#db, group, frontier, recovered.epoch, this.#now)
    return { ...recovered, frontier, sink }
  }

  /** Replaces the stored settings; the URLs already decided on keep their decision. */
  saveSettings(settings: CrawlSettings): void {
    saveSettings(this.#db, settings)
    this.#settings = settings
  }

  /** Adds an exclude pattern to the settings, once. */
  exclude(pattern: string): void {
    const { scope } = this.#settings
    if (scope.exclude.includes(pattern)) return
    this.saveSettings({ ...this.#settings, scope: { ...scope, exclude: [...scope.exclude, pattern] } })
  }

  /** Lets every final_failed URL wait again, its counters reset. Returns how many. */
  retryFailed(): number {
    const ids = this.#db.prepare('SELECT id FROM urls WHERE state = 4').pluck().all() as number[]
    return this.change({ kind: 'retry', ids })
  }

  /** Changes URLs while the crawl does not run. Returns how many. */
  change(change: UrlChange): number {
    const changes = new UrlChanges(this.#db, this.#now)
    return guarded(this.path, () => this.#db.transaction(() => changes.apply(change).changed).immediate())
  }

  /** Whether anything is left to do, or the last life did not end in good order, or there was none yet. */
  isResumable(): boolean {
    const { clean, epoch } = readCrawl(this.#db, this.path)
    if (!clean || epoch === 0) return true
    const left = this.#db.prepare('SELECT EXISTS (SELECT 1 FROM urls WHERE state IN (0, 1, 3))').pluck().get()
    const sitemaps = this.#db.prepare(`SELECT EXISTS (SELECT 1 FROM sitemaps WHERE state = 'pending')`).pluck().get()
    return left === 1 || sitemaps === 1
  }

  /** Whether the depth limit has left anything out. */
  hasTooDeep(): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM urls WHERE state = 5 AND reason = 'max_depth')`
    return this.#db.prepare(sql).pluck().get() === 1
  }

  /** A seed from which no answer ever came; null if all gave one. */
  deadSeed(): SeedTrouble | null {
    const sql = `SELECT url, reason FROM urls JOIN pages ON url_id = id
      WHERE found = 0 AND state = 4 AND status IS NULL ORDER BY id LIMIT 1`
    return (this.#db.prepare(sql).get() as SeedTrouble | undefined) ?? null
  }

  pageTotals(): CrawlOverview['pages'] {
    return readPageTotals(this.#db)
  }

  /** Where the seeds were redirected to. */
  seedRedirects(): string[] {
    return this.#db
      .prepare(
        `SELECT target.url FROM urls AS seed JOIN links ON src_id = seed.id AND links.kind = ${linkKindNumber.redirect}
         JOIN urls AS target ON target.id = dst_id WHERE seed.found = 0`,
      )
      .pluck()
      .all() as string[]
  }

  /** Marks a good end. */
  end(state: CrawlState, reason: EndReason): void {
    saveEnd(this.#db, state, reason, this.#now())
  }

  /** Forgets what was not committed, checkpoints, closes and unlocks. */
  close(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      this.#db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      this.#db.close()
      this.#lock.release()
    }
  }
}

function assertFolder(path: string): void {
  const folder = dirname(path)
  if (existsSync(folder)) return
  throw new Failure(
    'folder_not_writable',
    `The folder ${folder} does not exist: create it, or choose another with --file.`,
  )
}
