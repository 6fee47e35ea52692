import { type FrontierState, STATE } from '../../shared/frontier-state.ts'
import type {
  Admit,
  Candidate,
  Changed,
  Claim,
  Frontier,
  FrontierCounts,
  SiteRow,
  UrlChange,
} from '../engine/frontier.ts'
import type { Database } from './database.ts'
import { UNREACHED, walkDepths } from './depths.ts'
import type { Group } from './group.ts'
import { type KnownUrl, KnownUrls } from './known-urls.ts'
import { readCounts } from './overview.ts'
import { SiteStore } from './site-store.ts'
import { type Applied, UrlChanges } from './url-changes.ts'

/** From this many unclean ends in flight on, a URL is run alone, after all others. */
export const SUSPECT_CRASHES = 3
/** What only a sitemap names comes after everything that links lead to. */
const SITEMAP_PRIORITY = 1_000_000
export const FOUND = { seed: 0, link: 1, sitemap: 2 } as const

interface UrlRow {
  id: number
  is_page: number
  depth: number | null
}

interface ClaimRow {
  id: number
  url: string
  site_id: number
  is_page: number
  depth: number | null
  attempts: number
  crashes: number
  priority: number
}

const CLAIMED = 'id, url, site_id, is_page, depth, attempts, crashes, priority'

export class FrontierStore implements Frontier {
  readonly #admit: Admit
  readonly #epoch: number
  readonly #group: Group
  readonly #known = new KnownUrls()
  readonly #sites: SiteStore
  readonly #changes: UrlChanges
  readonly #woken = new Set<number>()
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #now: () => number
  tally: FrontierCounts

  constructor(db: Database, group: Group, epoch: number, admit: Admit, now: () => number) {
    this.#db = db
    this.#group = group
    this.#epoch = epoch
    this.#admit = admit
    this.#now = now
    this.#sites = new SiteStore(db)
    this.#changes = new UrlChanges(db, now)
    this.#sql = prepare(db)
    this.tally = readCounts(this.#db)
  }

  claim(siteId: number, limit: number, which: 'all' | 'resources'): Claim[] {
    this.#group.open()
    const statement = which === 'all' ? this.#sql.claim : this.#sql.claimResources
    const rows = statement.all(this.#epoch, siteId, limit) as ClaimRow[]
    this.#move('pending', 'processing', rows.length)
    return rows.sort((a, b) => a.priority - b.priority || a.id - b.id).map(toClaim)
  }

  claimSuspect(): Claim | null {
    this.#group.open()
    const row = this.#sql.claimSuspect.get(this.#epoch) as ClaimRow | undefined
    if (!row) return null
    this.#move('pending', 'processing', 1)
    return toClaim(row)
  }

  promoteDue(nowMs: number): number[] {
    this.#group.open()
    const rows = this.#sql.promote.all(nowMs) as { site_id: number }[]
    this.#move('failed', 'pending', rows.length)
    return [...new Set(rows.map((row) => row.site_id))]
  }

  nextDueAt(): number | null {
    return this.#sql.nextDue.pluck().get() as number | null
  }

  sitesWithWaiting(): number[] {
    return this.#sql.waitingSites.pluck().all() as number[]
  }

  takeWoken(): number[] {
    const woken = [...this.#woken]
    this.#woken.clear()
    return woken
  }

  site(id: number): SiteRow {
    return this.#sites.read(id)
  }

  hasWaiting(): boolean {
    return this.#sql.hasWaiting.pluck().get() === 1
  }

  saveSite(site: SiteRow): void {
    this.#group.open()
    this.#sites.save(site)
  }

  add(candidate: Candidate): void {
    this.idOf(candidate)
  }

  /** The id of a URL, adding it if it is new and improving what is known of it if this way to it is better. */
  idOf(candidate: Candidate): number {
    const known = this.#known.get(candidate.key)
    if (known === undefined) return this.#findOrInsert(candidate)
    if ((candidate.isPage && !known.isPage) || (candidate.depth ?? Number.POSITIVE_INFINITY) < known.depth) {
      this.#improve(candidate, known)
    }
    return known.id
  }

  #findOrInsert(candidate: Candidate): number {
    this.#group.open()
    const found = this.#sql.find.get(candidate.key) as UrlRow | undefined
    if (found === undefined) return this.#insert(candidate)
    const known = { id: found.id, isPage: found.is_page === 1, depth: found.depth ?? Number.POSITIVE_INFINITY }
    this.#known.set(candidate.key, known)
    return this.idOf(candidate)
  }

  #insert(candidate: Candidate): number {
    const { url, key, isPage, depth, found } = candidate
    const decision = this.#admit(candidate)
    const siteId = decision.admitted ? this.#sites.idOf(decision.origin) : null
    if (siteId !== null) this.#woken.add(siteId)
    const { lastInsertRowid } = this.#sql.insert.run(
      url,
      key === url ? null : key,
      siteId,
      isPage ? 1 : 0,
      FOUND[found],
      depth,
      priorityOf(depth, isPage),
      decision.admitted ? STATE.pending : STATE.skipped,
      decision.admitted ? null : decision.reason,
      decision.admitted || decision.detail === '' ? null : decision.detail,
    )
    this.tally[decision.admitted ? 'pending' : 'skipped']++
    const id = Number(lastInsertRowid)
    this.#known.set(key, { id, isPage, depth: depth ?? Number.POSITIVE_INFINITY })
    return id
  }

  /** A shorter way to a known URL, or a page link to what was known as a resource. */
  #improve(candidate: Candidate, known: KnownUrl): void {
    this.#group.open()
    const depth = Math.min(known.depth, candidate.depth ?? Number.POSITIVE_INFINITY)
    const isPage = known.isPage || candidate.isPage
    known.depth = depth
    const becamePage = isPage && !known.isPage
    known.isPage = isPage
    const storedDepth = depth === Number.POSITIVE_INFINITY ? null : depth
    this.#sql.improve.run(storedDepth, isPage ? 1 : 0, priorityOf(storedDepth, isPage), known.id)
    if (becamePage) this.rereadAsPage(known.id)
    this.#revive(candidate, known.id)
  }

  /** What was fetched as a resource, answered HTML and is linked as a page has never been parsed: it waits again. */
  rereadAsPage(id: number): void {
    const siteId = this.#sql.rereadAsPage.pluck().get(id) as number | undefined
    if (siteId === undefined) return
    this.#sql.dropPage.run(id)
    this.#sql.waitsAgain.run(this.#now(), id)
    this.#move('done', 'pending', 1)
    this.#woken.add(siteId)
  }

  /** A URL that the depth limit left out comes back when a way within the limit is found. */
  #revive(candidate: Candidate, id: number): boolean {
    const decision = this.#admit(candidate)
    if (!decision.admitted) return false
    const siteId = this.#sites.idOf(decision.origin)
    this.#woken.add(siteId)
    const { changes } = this.#sql.revive.run(siteId, id)
    if (changes > 0) this.#sql.waitsAgain.run(this.#now(), id)
    this.#move('skipped', 'pending', changes)
    return changes > 0
  }

  countFetchedPages(): number {
    return this.#sql.fetchedPages.pluck().get() as number
  }

  reviewDepths(): boolean {
    this.#group.open()
    const depths = walkDepths(this.#db)
    let revived = false
    for (const row of this.#sql.tooDeep.all() as { id: number; url: string; key: string | null; is_page: number }[]) {
      const depth = depths[row.id]!
      const candidate = {
        url: row.url,
        key: row.key ?? row.url,
        isPage: row.is_page === 1,
        depth: depth === UNREACHED ? null : depth,
        found: 'link' as const,
      }
      if (this.#revive(candidate, row.id)) {
        this.#sql.improve.run(candidate.depth, row.is_page, priorityOf(candidate.depth, candidate.isPage), row.id)
        revived = true
      }
    }
    return revived
  }

  change(change: UrlChange): Changed {
    let applied!: Applied
    this.#group.savepoint(() => {
      applied = this.#changes.apply(change)
    })
    for (const [from, to] of applied.moves) this.#move(from, to, 1)
    for (const id of applied.sites) this.#woken.add(id)
    return applied
  }

  /** A URL has left `processing`. */
  finished(state: FrontierState): void {
    this.#move('processing', state, 1)
  }

  #move(from: FrontierState, to: FrontierState, count: number): void {
    this.tally[from] -= count
    this.tally[to] += count
  }

  /** After a rolled back group. */
  forget(): void {
    this.tally = readCounts(this.#db)
    this.#known.clear()
    this.#sites.forget()
  }
}

const priorityOf = (depth: number | null, isPage: boolean): number => (depth ?? SITEMAP_PRIORITY) * 2 + (isPage ? 0 : 1)

const toClaim = (row: ClaimRow): Claim => ({
  id: row.id,
  url: row.url,
  siteId: row.site_id,
  isPage: row.is_page === 1,
  depth: row.depth,
  attempts: row.attempts,
  crashes: row.crashes,
})

function prepare(db: Database) {
  return {
    claim: db.prepare(
      `UPDATE urls SET state = 1, epoch = ? WHERE id IN (
         SELECT id FROM urls WHERE state = 0 AND site_id = ? AND crashes < ${SUSPECT_CRASHES} ORDER BY priority, id LIMIT ?
       ) RETURNING ${CLAIMED}`,
    ),
    claimResources: db.prepare(
      `UPDATE urls SET state = 1, epoch = ? WHERE id IN (
         SELECT id FROM urls WHERE state = 0 AND site_id = ? AND crashes < ${SUSPECT_CRASHES} AND is_page = 0
         ORDER BY priority, id LIMIT ?
       ) RETURNING ${CLAIMED}`,
    ),
    claimSuspect: db.prepare(
      `UPDATE urls SET state = 1, epoch = ? WHERE id = (
         SELECT id FROM urls WHERE state = 0 AND crashes >= ${SUSPECT_CRASHES} ORDER BY crashes, id LIMIT 1
       ) RETURNING ${CLAIMED}`,
    ),
    promote: db.prepare('UPDATE urls SET state = 0 WHERE state = 3 AND not_before <= ? RETURNING site_id'),
    nextDue: db.prepare('SELECT min(not_before) FROM urls WHERE state = 3'),
    waitingSites: db.prepare(
      'SELECT id FROM sites WHERE EXISTS (SELECT 1 FROM urls WHERE urls.site_id = sites.id AND urls.state = 0)',
    ),
    fetchedPages: db.prepare('SELECT count(*) FROM urls WHERE state IN (2, 4) AND is_page = 1'),
    tooDeep: db.prepare(`SELECT id, url, key, is_page FROM urls WHERE state = 5 AND reason = 'max_depth'`),
    hasWaiting: db.prepare(
      'SELECT EXISTS (SELECT 1 FROM urls WHERE state = 0) OR EXISTS (SELECT 1 FROM urls WHERE state = 3)',
    ),
    find: db.prepare('SELECT id, is_page, depth FROM urls WHERE coalesce(key, url) = ?'),
    insert: db.prepare(
      `INSERT INTO urls(url, key, site_id, is_page, found, depth, priority, state, reason, detail)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    improve: db.prepare('UPDATE urls SET depth = ?, is_page = ?, priority = min(priority, ?) WHERE id = ?'),
    dropPage: db.prepare('DELETE FROM pages WHERE url_id = ?'),
    waitsAgain: db.prepare(`INSERT INTO events(at, kind, url_id) VALUES (?, 'pending', ?)`),
    rereadAsPage: db.prepare(
      `UPDATE urls SET state = 0 WHERE id = ? AND state = 2 AND is_page = 1 AND EXISTS (
         SELECT 1 FROM pages WHERE url_id = urls.id AND status BETWEEN 200 AND 299
           AND (content_type LIKE 'text/html%' OR content_type LIKE 'application/xhtml%')
       ) RETURNING site_id`,
    ),
    revive: db.prepare(
      `UPDATE urls SET state = 0, site_id = ?, reason = NULL, detail = NULL WHERE id = ? AND state = 5 AND reason = 'max_depth'`,
    ),
  }
}
