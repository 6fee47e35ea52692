import type { View } from '../../shared/columns.ts'
import type { Database } from './database.ts'
import { LinkFacts } from './link-facts.ts'
import {
  BY_ADDRESS,
  type Cell,
  IS_FINISHED,
  isoTime,
  kindWord,
  orNull,
  type Raw,
  type Rows,
  stateWord,
} from './view-cells.ts'
import { readErrors } from './view-errors.ts'
import { readImages } from './view-images.ts'
import { readLinks } from './view-links.ts'
import { RedirectChain, readRedirects } from './view-redirects.ts'

/**
 * The rows of a view, streamed in the order of their addresses, so that an interrupted crawl and an uninterrupted one read
 * the same. Cells stand in the order of shared/columns.ts; a cell that is null is empty, a row that is null is a pause.
 * To be used inside one read transaction: the rows are then of one moment.
 */
export const readView = (db: Database, view: View): Rows => VIEW_READERS[view](db)

const VIEW_READERS: Readonly<Record<View, (db: Database) => Rows>> = {
  pages: readPages,
  queue: readQueue,
  links: readLinks,
  redirects: readRedirects,
  errors: (db) => readErrors(db),
  images: readImages,
  sitemaps: readSitemaps,
}

const PAGE_COLUMNS = `id, url, state, reason, detail, is_page, status, content_type, title, description, h1, canonical,
  robots, lang, words, bytes, response_ms, out_count, hash, fetched_at, h2, hreflang, encoding, notes`

function* readPages(db: Database): Rows {
  const facts = yield* LinkFacts.read(db)
  const chain = new RedirectChain(db)
  const sql = `SELECT ${PAGE_COLUMNS} FROM urls JOIN pages ON url_id = id WHERE ${IS_FINISHED} ${BY_ADDRESS}`
  for (const row of db.prepare(sql).iterate() as Iterable<Raw>) {
    const id = row.id as number
    if (row.is_page !== 1) {
      yield null
      continue
    }
    yield [
      row.url!,
      chain.follow(id, row.url as string).url,
      row.status!,
      stateWord(row.state!),
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

function* readQueue(db: Database): Rows {
  const facts = yield* LinkFacts.read(db)
  const sql = `SELECT urls.id, url, state, coalesce(reason, iif(state IN (0, 3), nullif(park_reason, ''), NULL)) AS reason, detail,
    is_page, found, attempts, status, content_type
    FROM urls LEFT JOIN pages ON url_id = urls.id LEFT JOIN sites ON sites.id = site_id ${BY_ADDRESS}`
  for (const row of db.prepare(sql).iterate() as Iterable<Raw>) {
    const id = row.id as number
    const depth = facts.depth(id)
    yield [
      row.url!,
      stateWord(row.state!),
      row.reason!,
      row.detail!,
      kindWord(row.is_page!),
      foundBy(row.found!, depth),
      depth,
      row.attempts!,
      row.status!,
      orNull(row.content_type),
      facts.inlinks(id),
      orNull(facts.referrer(id)),
    ]
  }
}

/** `sitemap` is what no links from a seed lead to. Which of the two came first is chance, so it does not count. */
function foundBy(found: Cell, depth: number | null): string {
  if (found === 0) return 'seed'
  return depth === null ? 'sitemap' : 'link'
}

function* readSitemaps(db: Database): Rows {
  const sql = `SELECT url, found_in, state, status, reason, type, entries, warnings, fetched_at FROM sitemaps ORDER BY url`
  for (const row of db.prepare(sql).iterate() as Iterable<Raw>) {
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
