import type { Handlers } from '../../shared/contract.ts'
import type { SiteLine } from '../../shared/site-line.ts'
import type { SiteProgress } from '../engine/crawl.ts'
import { countBySite, readSites, type SiteCounts, type SiteFacts } from '../store/site-facts.ts'
import type { CrawlService } from './crawl-service.ts'
import type { TableCommands } from './table-commands.ts'
import type { CrawlTables } from './tables/crawl-tables.ts'

/** How each site of a crawl is doing. Its URLs are counted from their rows; of a large crawl, that is done seldom. */

/** Counting takes at most one part in so many of the time. */
const SHARE = 20

interface Counted {
  bySite: Map<number, SiteCounts>
  /** When they may be counted again, monotonic milliseconds. */
  againAt: number
}

const NONE: SiteCounts = { waiting: 0, done: 0, failed: 0 }

export class SiteCommands {
  readonly #crawls: CrawlService
  readonly #tables: TableCommands
  readonly #counted = new WeakMap<CrawlTables, Counted>()

  constructor(crawls: CrawlService, tables: TableCommands) {
    this.#crawls = crawls
    this.#tables = tables
  }

  readonly handlers: Handlers<'crawl.sites'> = {
    'crawl.sites': ({ id }) =>
      this.#tables.use(id, async (tables) => {
        const bySite = await this.#count(tables)
        const running = new Map(
          this.#crawls
            .runOf(id)
            ?.sites()
            .map((site) => [site.id, site]),
        )
        return readSites(tables.db).map((site) => lineOf(site, running.get(site.id), bySite.get(site.id) ?? NONE))
      }),
  }

  async #count(tables: CrawlTables): Promise<Map<number, SiteCounts>> {
    const known = this.#counted.get(tables)
    const began = performance.now()
    if (known !== undefined && began < known.againAt) return known.bySite
    const pace = tables.newPace()
    const bySite = await countBySite(tables.db, () => pace.next())
    const ended = performance.now()
    this.#counted.set(tables, { bySite, againAt: ended + (ended - began) * SHARE })
    return bySite
  }
}

function lineOf(stored: SiteFacts, running: SiteProgress | undefined, counts: SiteCounts): SiteLine {
  const { origin, nextAllowedAt, parkedUntil, parkReason, robotsStatus } = running ?? stored
  return {
    origin,
    ...counts,
    inFlight: running?.inFlight ?? 0,
    nextAllowedAt: nextAllowedAt === 0 ? null : nextAllowedAt,
    parkedUntil: parkedUntil === 0 ? null : parkedUntil,
    parkReason,
    delayMs: running?.delayMs ?? 0,
    robotsStatus,
  }
}
