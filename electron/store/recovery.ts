import { Failure } from '../../shared/failure.ts'
import { STATE } from '../../shared/frontier-state.ts'
import { readCrawl } from './crawl-store.ts'
import type { Database } from './database.ts'
import { SUSPECT_CRASHES } from './frontier-store.ts'

/** A URL that was in flight at this many unclean ends is given up. */
const HOPELESS_CRASHES = SUSPECT_CRASHES + 3

export interface Recovered {
  epoch: number
  /** The last run did not end in good order. */
  unclean: boolean
  /** URLs that were in flight and wait again. */
  released: number
}

/**
 * Begins a new life of the crawl: whatever was in flight waits again, an unclean end is counted against it, and late
 * results of the former life are fenced off by a new epoch. One transaction, so a kill in the middle counts nothing twice.
 * @throws Failure `damaged_crawl_file` when an unclean end left the file damaged
 */
export function recover(db: Database, file: string, now: number): Recovered {
  const before = readCrawl(db, file)
  const unclean = !before.clean
  if (unclean) assertSound(db, file)
  return db
    .transaction(() => {
      const epoch = before.epoch + 1
      const released = db
        .prepare(`UPDATE urls SET state = ${STATE.pending}, crashes = crashes + ? WHERE state = ${STATE.processing}`)
        .run(unclean ? 1 : 0).changes
      if (unclean) giveUpHopeless(db, epoch, now)
      db.prepare(`UPDATE crawl SET epoch = ?, clean = 0, state = 'running', end_reason = NULL, ended_at = NULL`).run(
        epoch,
      )
      addEvent(db, now, unclean ? 'recovered' : 'opened', { epoch, released })
      return { epoch, unclean, released }
    })
    .immediate()
}

function giveUpHopeless(db: Database, epoch: number, now: number): void {
  const hopeless = db
    .prepare(`SELECT id FROM urls WHERE state = ${STATE.pending} AND crashes >= ${HOPELESS_CRASHES}`)
    .pluck()
    .all() as number[]
  const claim = db.prepare(`UPDATE urls SET state = ${STATE.processing}, epoch = ? WHERE id = ?`)
  const fail = db.prepare(`UPDATE urls SET state = ${STATE.final_failed}, reason = 'crash_suspect' WHERE id = ?`)
  const page = db.prepare(
    'INSERT INTO pages(url_id, attempt, fetched_at) SELECT id, attempts, ? FROM urls WHERE id = ?',
  )
  for (const id of hopeless) {
    claim.run(epoch, id)
    fail.run(id)
    page.run(now, id)
    addEvent(db, now, 'final_failed', null, id)
  }
}

function addEvent(db: Database, at: number, kind: string, data: unknown, urlId: number | null = null): void {
  db.prepare('INSERT INTO events(at, kind, url_id, data) VALUES (?, ?, ?, ?)').run(
    at,
    kind,
    urlId,
    data === null ? null : JSON.stringify(data),
  )
}

/** Statements that hold in every sound file; each query counts the rows that break it. */
const INVARIANTS: readonly (readonly [string, string])[] = [
  [
    'a finished URL has no page row',
    `SELECT count(*) FROM urls LEFT JOIN pages ON url_id = id WHERE state IN (${STATE.done}, ${STATE.final_failed}) AND url_id IS NULL`,
  ],
  [
    'a page row belongs to no finished URL',
    `SELECT count(*) FROM pages JOIN urls ON id = url_id WHERE state NOT IN (${STATE.done}, ${STATE.final_failed}, ${STATE.pending})`,
  ],
]

function assertSound(db: Database, file: string): void {
  const check = db.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') {
    throw new Failure(
      'damaged_crawl_file',
      `${file} is damaged (${String(check)}) and was left as it is: restore it from a copy.`,
    )
  }
  for (const [what, sql] of INVARIANTS) {
    if ((db.prepare(sql).pluck().get() as number) > 0) {
      throw new Failure(
        'damaged_crawl_file',
        `${file} is damaged (${what}) and was left as it is: restore it from a copy.`,
      )
    }
  }
}
