import { type CrawlSettings, crawlSettings } from '../../shared/crawl-settings.ts'
import type { CrawlState, EndReason } from '../../shared/crawl-state.ts'
import { Failure } from '../../shared/failure.ts'
import type { Database } from './database.ts'

/** The one row about the crawl as a whole. Its state word is for people: what is left to do follows from the URL rows. */
export interface CrawlRow {
  createdAt: number
  settings: CrawlSettings
  state: CrawlState
  endReason: EndReason | null
  epoch: number
  clean: boolean
}

interface StoredRow {
  created_at: number
  settings: string
  state: CrawlState
  end_reason: EndReason | null
  epoch: number
  clean: number
}

export function insertCrawl(db: Database, settings: CrawlSettings, now: number, appVersion: string): void {
  db.prepare(`INSERT INTO crawl(id, created_at, app_version, settings, state) VALUES (1, ?, ?, ?, 'idle')`).run(
    now,
    appVersion,
    JSON.stringify(settings),
  )
}

/** @throws Failure `damaged_crawl_file` when the row is missing or its settings cannot be read */
export function readCrawl(db: Database, file: string): CrawlRow {
  const row = db.prepare('SELECT * FROM crawl').get() as StoredRow | undefined
  const settings = row && crawlSettings.safeParse(parseJson(row.settings))
  if (!row || !settings?.success) {
    throw new Failure('damaged_crawl_file', `${file} holds no readable crawl settings: restore it from a copy.`)
  }
  return {
    createdAt: row.created_at,
    settings: settings.data,
    state: row.state,
    endReason: row.end_reason,
    epoch: row.epoch,
    clean: row.clean === 1,
  }
}

export function saveSettings(db: Database, settings: CrawlSettings): void {
  db.prepare('UPDATE crawl SET settings = ?').run(JSON.stringify(settings))
}

/** Marks the crawl as ended in good order: no URL is in flight. */
export function saveEnd(db: Database, state: CrawlState, reason: EndReason, now: number): void {
  db.prepare('UPDATE crawl SET state = ?, end_reason = ?, ended_at = ?, clean = 1').run(state, reason, now)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
