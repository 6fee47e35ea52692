import type { View } from '../../shared/columns.ts'
import { FRONTIER_STATES } from '../../shared/frontier-state.ts'
import { LINK_FLAG, LINK_KINDS, linkKindNumber } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { LinkFacts } from './link-facts.ts'

/**
 * The rows of each view, streamed, in the order of their addresses, so that an interrupted crawl and an uninterrupted one
 * read the same. Values stand in the order of shared/columns.ts; null is an empty cell.
 */

export type Cell = string | number | null
export type Row = Cell[]

const MAX_HOPS = 10
const BY_ADDRESS = 'ORDER BY coalesce(key, url)'
const REDIRECT = linkKindNumber.redirect
const IMAGE_KINDS = `${linkKindNumber.img}, ${linkKindNumber.srcset}`

/** One view of one moment: to be used inside a read transaction. */
export function readView(db: Database, view: View): Iterable<Row> {
  return VIEW_READERS[view](db)
}

const VIEW_READERS: Readonly<Record<View, (db: Database) => Iterable<Row>>> = {
  pages: readPages,
  queue: readQueue,
  links: readLinks,
  redirects: readRedirects,
  errors: readErrors,
  images: readImages,
  sitemaps: readSitemaps,
}

type Raw = Record<string, Cell>
const each = (db: Database, sql: string): IterableIterator<Raw> => db.prepare(sql).iterate() as IterableIterator<Raw>
const stateOf = (row: Raw): string => FRONTIER_STATES[row.state as number]!
const kindOf = (row: Raw): string => (row.is_page === 1 ? 'page' : 'resource')
const orNull = (value: Cell | undefined): Cell => (value === '' || value === undefined ? null : value)
const isoTime = (at: Cell | undefined): Cell => (typeof at === 'number' ? new Date(at).toISOString() : null)

function* readPages(db: Database): Iterable<Row> {
  const facts = new LinkFacts(db)
  const chain = new RedirectChain(db)
  const sql = `SELECT id, url, state, reason, detail, pages.* FROM urls JOIN pages ON url_id = id WHERE is_page = 1 ${BY_ADDRESS}`
  for (const row of each(db, sql)) {
    const id = row.id as number
    yield [
      row.url!,
      chain.follow(id, row.url as string).url,
      row.status!,
      stateOf(row),
      row.reason!,
      ...[row.content_type, row.title, row.description, row.h1, row.canonical, row.robots, row.lang].map(orNull),
      facts.depth(id),
      row.words!,
      row.bytes!,
      row.response_ms!,
      facts.inlinks(id),
      row.out_count!,
      orNull(row.hash),
      isoTime(row.fetched_at),
      orNull(facts.referrer(id)),
      ...[row.detail, row.h2, row.hreflang, row.encoding, row.notes].map(orNull),
    ]
  }
}

const FOUND = ['seed', 'link', 'sitemap']

function* readQueue(db: Database): Iterable<Row> {
  const facts = new LinkFacts(db)
  const sql = `SELECT urls.id, url, state, coalesce(reason, iif(state IN (0, 3), nullif(park_reason, ''), NULL)) AS reason, detail,
    is_page, found, attempts, status, content_type
    FROM urls LEFT JOIN pages ON url_id = urls.id LEFT JOIN sites ON sites.id = site_id ${BY_ADDRESS}`
  for (const row of each(db, sql)) {
    const id = row.id as number
    yield [
      row.url!,
      stateOf(row),
      row.reason!,
      row.detail!,
      kindOf(row),
      FOUND[row.found as number]!,
      facts.depth(id),
      row.attempts!,
      row.status!,
      orNull(row.content_type),
      facts.inlinks(id),
      orNull(facts.referrer(id)),
    ]
  }
}

function* readLinks(db: Database): Iterable<Row> {
  const sources = 'SELECT id, url FROM urls WHERE id IN (SELECT url_id FROM pages WHERE out_count > 0)'
  const linksOf = db.prepare(
    `SELECT kind, flags, text, target.url AS target, target.state, status FROM links
     LEFT JOIN urls AS target ON target.id = dst_id LEFT JOIN pages ON url_id = dst_id WHERE src_id = ? ORDER BY ord`,
  )
  for (const source of each(db, `${sources} ${BY_ADDRESS}`)) {
    for (const row of linksOf.iterate(source.id) as IterableIterator<Raw>) {
      yield [
        source.url!,
        row.target!,
        LINK_KINDS[row.kind as number]!,
        orNull(relOf(row.flags as number)),
        orNull(row.text),
        row.target === null ? null : stateOf(row),
        row.status!,
      ]
    }
  }
}

const relOf = (flags: number): string =>
  Object.entries(LINK_FLAG)
    .filter(([, bit]) => (flags & bit) !== 0)
    .map(([name]) => name)
    .join(' ')

function* readRedirects(db: Database): Iterable<Row> {
  const facts = new LinkFacts(db)
  const chain = new RedirectChain(db)
  const sql = `SELECT id, url, status FROM urls JOIN pages ON url_id = id
    WHERE EXISTS (SELECT 1 FROM links WHERE src_id = id AND ord = 0 AND kind = ${REDIRECT}) ${BY_ADDRESS}`
  for (const row of each(db, sql)) {
    const id = row.id as number
    const end = chain.follow(id, row.url as string)
    yield [row.url!, row.status!, end.first, end.url, end.status, end.hops, facts.inlinks(id)]
  }
}

/** One row for each page that links to what is broken, so that it can be mended there. */
function* readErrors(db: Database): Iterable<Row> {
  const broken = `SELECT id, url, is_page, status, state, reason, detail FROM urls JOIN pages ON url_id = id
    WHERE status >= 400 OR state = 4 ${BY_ADDRESS}`
  const rows = [...each(db, broken)]
  const referrers = new Map<number, Raw[]>(rows.map((row) => [row.id as number, []]))
  const links = db.prepare('SELECT src_id, dst_id, kind, text FROM links WHERE dst_id IS NOT NULL').raw()
  const urlOf = db.prepare('SELECT url FROM urls WHERE id = ?').pluck()
  for (const [source, target, kind, text] of links.iterate() as IterableIterator<[number, number, number, string]>) {
    referrers.get(target)?.push({ source: urlOf.get(source) as string, kind, text })
  }
  for (const row of rows) {
    const facts = [row.url!, kindOf(row), row.status!, stateOf(row), row.reason!, row.detail!]
    const from = referrers
      .get(row.id as number)!
      .sort((a, b) => (a.source! < b.source! ? -1 : a.source! > b.source! ? 1 : 0))
    if (from.length === 0) yield [...facts, null, null, null]
    for (const { source, kind, text } of from) yield [...facts, source!, LINK_KINDS[kind as number]!, orNull(text)]
  }
}

function* readImages(db: Database): Iterable<Row> {
  const facts = new LinkFacts(db)
  const alts = readAlts(db)
  const sql = `SELECT id, url, status, state, content_type, bytes FROM urls LEFT JOIN pages ON url_id = id ${BY_ADDRESS}`
  for (const row of each(db, sql)) {
    const id = row.id as number
    const alt = alts.get(id)
    if (alt === undefined) continue
    yield [
      row.url!,
      row.status!,
      stateOf(row),
      orNull(row.content_type),
      row.bytes!,
      orNull(alt.least),
      facts.inlinks(id),
      alt.missing,
      orNull(facts.referrer(id)),
    ]
  }
}

/** For each image, the least of its alternative texts and how many times it has none. */
function readAlts(db: Database): Map<number, { least: string; missing: number }> {
  const alts = new Map<number, { least: string; missing: number }>()
  const sql = `SELECT dst_id, kind, text FROM links WHERE kind IN (${IMAGE_KINDS}) AND dst_id IS NOT NULL`
  for (const [id, kind, text] of db.prepare(sql).raw().iterate() as IterableIterator<[number, number, string]>) {
    const alt = alts.get(id) ?? { least: '', missing: 0 }
    alts.set(id, alt)
    if (text !== '' && (alt.least === '' || text < alt.least)) alt.least = text
    if (text === '' && kind === linkKindNumber.img) alt.missing++
  }
  return alts
}

function* readSitemaps(db: Database): Iterable<Row> {
  for (const row of each(db, 'SELECT * FROM sitemaps ORDER BY url')) {
    yield [
      row.url!,
      orNull(row.found_in),
      row.state!,
      row.status!,
      orNull(row.reason),
      orNull(row.type),
      row.entries!,
      orNull(row.warnings),
      isoTime(row.fetched_at),
    ]
  }
}

/** Follows redirects row by row. */
class RedirectChain {
  readonly #next
  readonly #statusOf

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT dst_id AS id, url FROM links JOIN urls ON id = dst_id WHERE src_id = ? AND ord = 0 AND kind = ${REDIRECT}`,
    )
    this.#statusOf = db.prepare('SELECT status FROM pages WHERE url_id = ?').pluck()
  }

  /** Where a URL leads after at most ten hops: itself if it redirects nowhere. */
  follow(id: number, url: string): { url: string; status: Cell; hops: number; first: Cell } {
    let at = { id, url }
    let first: Cell = null
    let hops = 0
    for (; hops < MAX_HOPS; hops++) {
      const next = this.#next.get(at.id) as typeof at | undefined
      if (next === undefined) break
      first ??= next.url
      at = next
    }
    return {
      url: at.url,
      status: hops === 0 ? null : ((this.#statusOf.get(at.id) as Cell | undefined) ?? null),
      hops,
      first,
    }
  }
}
