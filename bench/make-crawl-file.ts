import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CrawlFile } from '../electron/store/crawl-file.ts'
import { type Database, openForWriting } from '../electron/store/database.ts'
import { crawlSettings } from '../shared/crawl-settings.ts'
import { STATE } from '../shared/frontier-state.ts'
import { linkKindNumber } from '../shared/link-kind.ts'

/**
 * Makes up a crawl file of any size, the same one every time: a shop in the middle of being crawled, four fifths done.
 *
 *   node bench/make-crawl-file.ts PATH ROWS
 */

export const ORIGIN = 'https://shop.example'
const STARTED_AT = Date.UTC(2026, 0, 5, 8)
const ROWS_PER_TRANSACTION = 50_000

/** @param onProgress told how many URLs are written, now and then */
export function makeCrawlFile(path: string, rows: number, onProgress: (written: number) => void = () => {}): void {
  rmSync(path, { force: true })
  const settings = crawlSettings.parse({ seeds: [`${ORIGIN}/`] })
  CrawlFile.create(path, settings, () => STARTED_AT, '0.1.0').close()
  const db = openForWriting(path, false)
  try {
    // A file that is lost is made again.
    db.pragma('synchronous = OFF')
    db.pragma('cache_size = -524288')
    fill(db, rows, onProgress)
  } finally {
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
  }
}

function fill(db: Database, rows: number, onProgress: (written: number) => void): void {
  const insert = prepare(db)
  db.prepare('INSERT INTO sites(id, origin, robots_status) VALUES (1, ?, 404)').run(ORIGIN)
  const write = db.transaction((from: number, to: number) => {
    for (let id = from; id <= to; id++) addUrl(insert, id, rows)
  })
  insert.event.run(STARTED_AT, 'opened', null, '{"epoch":1,"released":0}')
  for (let from = 1; from <= rows; from += ROWS_PER_TRANSACTION) {
    const to = Math.min(rows, from + ROWS_PER_TRANSACTION - 1)
    write(from, to)
    onProgress(to)
  }
  db.prepare(`UPDATE crawl SET epoch = 1, clean = 1, state = 'paused', end_reason = 'signal', ended_at = ?`).run(
    STARTED_AT + rows * 25,
  )
}

function prepare(db: Database) {
  return {
    url: db.prepare(
      `INSERT INTO urls(id, url, site_id, is_page, found, depth, priority, state, reason, detail, attempts, epoch, not_before)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
    ),
    page: db.prepare(
      `INSERT INTO pages(url_id, attempt, fetched_at, status, content_type, headers, response_ms, wire_bytes, bytes, hash,
         title, description, h1, h2, canonical, robots, lang, hreflang, words, encoding, notes, out_count)
       VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 'en', '', ?, 'utf-8', '', ?)`,
    ),
    link: db.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)'),
    attempt: db.prepare('INSERT INTO attempts VALUES (?, 1, ?, ?, ?, ?)'),
    event: db.prepare('INSERT INTO events(at, kind, url_id, data) VALUES (?, ?, ?, ?)'),
  }
}
type Insert = ReturnType<typeof prepare>

/** A number from 0 to 2^32 - 1 that `n` and `salt` decide (the finaliser of MurmurHash3). */
function dice(n: number, salt: number): number {
  let hash = Math.imul(n ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
const pick = <T>(from: readonly T[], n: number, salt: number): T => from[dice(n, salt) % from.length]!

const ADJECTIVES = ['Blue', 'Quiet', 'Folding', 'Waxed', 'Light', 'Small', 'Grün', 'Éclair', 'Warm', 'Plain', 'Ärmel']
const THINGS = ['lamp', 'chair', 'kettle', 'notebook', 'jacket', 'tent', 'bicycle', 'shelf', 'harbour map', 'teapot']
const CATEGORIES = ['kitchen', 'garden', 'outdoor', 'office', 'travel', 'books', 'lighting', 'bikes']
const SKIPS = ['robots', 'external', 'excluded', 'max_depth'] as const
const FAULTS = ['timeout_headers', 'connection_reset', 'dns_failed', 'server_error'] as const

/** What a URL is, by its number: of a hundred, 70 pages and 10 pictures are done, the rest is what it is. */
function addUrl(insert: Insert, id: number, rows: number): void {
  const part = id === 1 ? 0 : dice(id, 1) % 100
  const isImage = part >= 70 && part < 80
  const url = id === 1 ? `${ORIGIN}/` : addressOf(id, isImage)
  const depth = Math.min(9, Math.ceil(Math.log2(id) / 2.2))
  const addAs = (state: number, reason: string | null = null, detail: string | null = null, notBefore = 0): void => {
    const attempts = state === STATE.pending || state === STATE.skipped ? 0 : state === STATE.final_failed ? 3 : 1
    const site = state === STATE.skipped ? null : 1
    const priority = depth * 2 + (isImage ? 1 : 0)
    const found = id === 1 ? 0 : 1
    insert.url.run(id, url, site, isImage ? 0 : 1, found, depth, priority, state, reason, detail, attempts, notBefore)
  }
  if (part < 80) {
    addAs(STATE.done)
    addFetched(insert, id, rows, isImage ? 'image' : statusOf(part))
  } else if (part < 93) addAs(STATE.pending)
  else if (part < 97) addAs(STATE.skipped, pick(SKIPS, id, 2), part === 94 ? 'line 4: Disallow: /private/' : null)
  else if (part < 98) {
    addAs(STATE.failed, pick(FAULTS, id, 3), null, STARTED_AT + 86_400_000)
    finish(insert, id, 'failed', pick(FAULTS, id, 3), null)
  } else {
    addAs(STATE.final_failed, pick(FAULTS, id, 3))
    insert.page.run(id, startOf(id), null, '', '', null, null, null, '', '', '', '', '', '', null, 0)
    finish(insert, id, 'final_failed', pick(FAULTS, id, 3), null)
  }
}

function addressOf(id: number, isImage: boolean): string {
  const category = pick(CATEGORIES, id, 4)
  const thing = pick(THINGS, id, 5).replace(' ', '-')
  return isImage ? `${ORIGIN}/media/${category}/${thing}-${id}.jpg` : `${ORIGIN}/${category}/${thing}-${id}/`
}

const statusOf = (part: number): 'page' | 'redirect' | 'gone' => (part < 3 ? 'redirect' : part < 6 ? 'gone' : 'page')
const startOf = (id: number): number => STARTED_AT + id * 25

function addFetched(insert: Insert, id: number, rows: number, what: 'page' | 'redirect' | 'gone' | 'image'): void {
  const isHome = id === 1
  const kind = isHome ? 'page' : what
  const status = kind === 'redirect' ? 301 : kind === 'gone' ? 404 : 200
  const type = kind === 'image' ? 'image/jpeg' : 'text/html; charset=utf-8'
  const links = kind === 'redirect' ? 1 : kind === 'page' ? Math.min(rows, isHome ? 50 : 3 + (dice(id, 6) % 3)) : 0
  const isRead = kind === 'page' || kind === 'gone'
  const title = kind === 'page' ? titleOf(id) : kind === 'gone' ? 'Page not found' : ''
  const bytes = 2_000 + (dice(id, 7) % 90_000)
  const responseMs = 20 + (dice(id, 8) % 400)
  insert.page.run(
    id,
    startOf(id),
    status,
    type,
    headersOf(id, type, bytes),
    responseMs,
    Math.round(bytes / 4),
    bytes,
    `${dice(id, 9).toString(16).padStart(8, '0')}${dice(id, 10).toString(16).padStart(8, '0')}`.repeat(2),
    title,
    isRead ? `${title}: in stock, sent within two days, thirty days to change your mind.` : '',
    title,
    isRead ? 'Others also looked at' : '',
    isRead ? `${ORIGIN}/` : '',
    isRead ? 80 + (dice(id, 11) % 1_500) : null,
    links,
  )
  for (let ord = 0; ord < links; ord++) addLink(insert, id, ord, rows, kind === 'redirect')
  finish(insert, id, 'done', 'done', status, responseMs)
}

const titleOf = (id: number): string =>
  `${pick(ADJECTIVES, id, 12)} ${pick(THINGS, id, 5)} no. ${id} for the ${pick(CATEGORIES, id, 4)} – Example Shop`

function addLink(insert: Insert, id: number, ord: number, rows: number, isRedirect: boolean): void {
  const target = 1 + (dice(id * 64 + ord, 13) % rows)
  const kind = isRedirect ? linkKindNumber.redirect : ord === 0 ? linkKindNumber.canonical : linkKindNumber.a
  insert.link.run(id, ord, target, kind, dice(id + ord, 14) % 20 === 0 ? 1 : 0, isRedirect ? '' : pick(THINGS, id, ord))
}

function finish(insert: Insert, id: number, state: string, outcome: string, status: number | null, tookMs = 0): void {
  insert.attempt.run(id, startOf(id), startOf(id) + tookMs, outcome, status)
  insert.event.run(startOf(id) + tookMs, state, id, null)
}

/** Some 400 bytes, like those of most servers. */
const headersOf = (id: number, type: string, bytes: number): string =>
  JSON.stringify({
    date: new Date(startOf(id)).toUTCString(),
    'content-type': type,
    'content-length': String(bytes),
    'cache-control': 'public, max-age=600, stale-while-revalidate=60',
    etag: `"${dice(id, 15).toString(16)}"`,
    server: 'nginx/1.27.4',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding, Cookie',
    'set-cookie': [`visit=${dice(id, 16).toString(36)}; Path=/; Secure; HttpOnly`],
  })

if (import.meta.main) {
  const [path, rows] = parseArgs({ allowPositionals: true }).positionals
  if (path === undefined || !Number.isInteger(Number(rows)) || Number(rows) < 1) {
    console.error('node bench/make-crawl-file.ts PATH ROWS')
    process.exit(2)
  }
  makeCrawlFile(path, Number(rows), (written) => console.log(`${written.toLocaleString('en-US')} of ${rows} URLs`))
}
