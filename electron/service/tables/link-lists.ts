import { Failure } from '../../../shared/failure.ts'
import type { LinkRow, LinkWindow } from '../../../shared/url-details.ts'
import { LinksIn, LinksOut } from '../../store/link-search.ts'
import type { CrawlTables } from './crawl-tables.ts'
import type { Pace } from './pace.ts'

/** More at a time are not searched for in one crawl: the newest two, of two windows, say. */
const MAX_SEARCHES = 2
/** Oldest first. */
const searches = new WeakMap<CrawlTables, Set<symbol>>()

/** @param limit in the order of the page */
export async function linksOut(tables: CrawlTables, urlId: number, limit: number): Promise<LinkWindow> {
  const links = new LinksOut(tables.db, urlId)
  const pace = tables.newPace()
  const rows: LinkRow[] = []
  while (rows.length <= limit) {
    const some = links.next(Math.min(pace.batch, limit + 1 - rows.length))
    if (some.length === 0) return { rows, complete: true }
    rows.push(...some)
    await pace.rest()
  }
  return { rows: rows.slice(0, limit), complete: false }
}

/**
 * Reads all links of the crawl until there are enough.
 * @param limit by the id of the page they stand on
 * @throws Failure `bad_input` when newer searches took its place
 */
export async function linksIn(tables: CrawlTables, urlId: number, limit: number): Promise<LinkWindow> {
  const search = Symbol()
  const running = searches.get(tables) ?? new Set()
  searches.set(tables, running.add(search))
  const [oldest] = running
  if (running.size > MAX_SEARCHES) running.delete(oldest!)
  const newPace = (): Pace =>
    tables.newPace(() => {
      if (!running.has(search)) throw new Failure('bad_input', 'Other links were asked for: ask for these again.')
    })
  try {
    return await findAll(new LinksIn(tables.db, urlId), limit, newPace)
  } finally {
    running.delete(search)
  }
}

async function findAll(links: LinksIn, limit: number, newPace: () => Pace): Promise<LinkWindow> {
  const [searching, reading] = [newPace(), newPace()]
  const rows: LinkRow[] = []
  for (let found = links.next(searching.batch); found !== null; found = links.next(searching.batch)) {
    await searching.rest()
    // A few links, or nearly all of the batch: each takes longer to read than many to look at.
    for (const place of found) {
      if (rows.length === limit) return { rows, complete: false }
      rows.push(links.read(place))
      await reading.rest()
    }
  }
  return { rows, complete: true }
}
