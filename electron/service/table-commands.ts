import type { Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { guarded } from '../store/database.ts'
import { readDetails } from '../store/url-details.ts'
import type { Library } from './library.ts'
import { CrawlTables } from './tables/crawl-tables.ts'
import { linksIn, linksOut } from './tables/link-lists.ts'
import { RowSorter } from './tables/row-sorter.ts'

/** What tables and the details pane ask for. */

/** Crawls whose tables are held in memory. */
const MAX_CRAWLS = 3
const IDLE_MS = 5 * 60_000

interface Held {
  tables: CrawlTables
  idle: NodeJS.Timeout
}

export class TableCommands {
  readonly #library: Library
  readonly #sorter: RowSorter
  /** Latest used last. */
  readonly #held = new Map<string, Held>()
  #edition = 1

  /** @param sortWorker the sort worker's built file */
  constructor(library: Library, sortWorker: URL | string) {
    this.#library = library
    this.#sorter = new RowSorter(sortWorker)
  }

  readonly handlers: Handlers<'table.counts' | 'table.read' | 'url.read' | 'url.links'> = {
    'table.counts': ({ id }) => this.use(id, (tables) => tables.counts()),
    'table.read': ({ id, ...request }) => this.use(id, (tables) => tables.window(request)),
    'url.read': ({ id, urlId }) => this.use(id, ({ db }) => readDetails(db, urlId) ?? missing(urlId, id)),
    'url.links': ({ id, urlId, direction, limit }) =>
      this.use(id, (tables) => (direction === 'in' ? linksIn : linksOut)(tables, urlId, limit)),
  }

  /**
   * Runs something on a crawl's tables, opening them if need be.
   * @throws Failure when the file is missing or cannot be read
   */
  async use<T>(id: string, run: (tables: CrawlTables) => T | Promise<T>): Promise<T> {
    const path = this.#library.path(id)
    try {
      return await run(this.#hold(id, path))
    } catch (error) {
      return guarded(path, () => {
        throw error
      })
    }
  }

  /** Lets go of a crawl's file, before it is moved or deleted. */
  forget(id: string): void {
    this.#letGo(id, new Failure('file_missing', `${id} was closed while it was read: read it again.`))
  }

  /** Lets go of everything. */
  close(): void {
    for (const id of [...this.#held.keys()]) this.forget(id)
    this.#sorter.close()
  }

  #hold(id: string, path: string): CrawlTables {
    const held = this.#held.get(id)
    clearTimeout(held?.idle)
    const tables = held?.tables ?? new CrawlTables(path, this.#sorter, () => ++this.#edition)
    this.#held.delete(id)
    this.#held.set(id, { tables, idle: setTimeout(() => this.forget(id), IDLE_MS).unref() })
    const oldest = this.#held.keys().next().value
    if (this.#held.size > MAX_CRAWLS && oldest !== undefined) this.forget(oldest)
    return tables
  }

  #letGo(id: string, reason: Failure): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    clearTimeout(held.idle)
    this.#held.delete(id)
    held.tables.close(reason)
  }
}

function missing(urlId: number, id: string): never {
  throw new Failure('bad_input', `${id} has no URL ${urlId}: read the table again.`)
}
