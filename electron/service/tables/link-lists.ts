import type { LinkRow, LinkWindow } from '../../../shared/url-details.ts'
import { LinksIn, LinksOut } from '../../store/link-search.ts'
import type { CrawlTables } from './crawl-tables.ts'

/** @param limit links out are in the order of the page, links in by the id of the page they stand on */
export async function linksOut(tables: CrawlTables, urlId: number, limit: number): Promise<LinkWindow> {
  const links = new LinksOut(tables.db, urlId)
  return collect(
    tables,
    (batch) => {
      const some = links.next(batch)
      return some.length === 0 ? null : some
    },
    limit,
  )
}

/** Reads all links of the crawl until there are enough. */
export async function linksIn(tables: CrawlTables, urlId: number, limit: number): Promise<LinkWindow> {
  const links = new LinksIn(tables.db, urlId)
  return collect(tables, (batch) => links.next(batch), limit)
}

async function collect(
  tables: CrawlTables,
  next: (batch: number) => LinkRow[] | null,
  limit: number,
): Promise<LinkWindow> {
  const pace = tables.newPace()
  const rows: LinkRow[] = []
  for (let some = next(pace.batch); some !== null; some = next(pace.batch)) {
    rows.push(...some)
    if (rows.length > limit) return { rows: rows.slice(0, limit), complete: false }
    await pace.rest()
  }
  return { rows, complete: true }
}
