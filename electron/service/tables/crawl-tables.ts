import type { FrontierState } from '../../../shared/frontier-state.ts'
import type { TableCounts, TableQuery, TableRow, TableWindow } from '../../../shared/table-query.ts'
import { TABLE_VIEWS } from '../../../shared/table-query.ts'
import { type Database, openForReading } from '../../store/database.ts'
import { FactReader } from '../../store/url-facts.ts'
import { UrlRows } from '../../store/url-rows.ts'
import { isSearch } from '../../store/url-search.ts'
import { upTo } from './list-maker.ts'
import { Pace, waitAtMost } from './pace.ts'
import { factTest, isOpen } from './packed-facts.ts'
import { RowList } from './row-list.ts'
import type { RowSorter } from './row-sorter.ts'
import { UrlIndex } from './url-index.ts'

/** The tables of one crawl, on a reading connection of their own: a crawl that writes to the file is not held up. */

/** Lists of ids, four bytes a row each. */
const MAX_LISTS = 6
const PATIENCE_MS = 50

export interface WindowRequest {
  query: TableQuery
  start: number
  count: number
  refresh: boolean
}

export class CrawlTables {
  readonly db: Database
  readonly #facts: FactReader
  readonly #rows: UrlRows
  readonly #index: UrlIndex
  readonly #sorter: RowSorter
  readonly #nextEdition: () => number
  /** Latest read last. */
  readonly #lists = new Map<string, RowList>()
  #closed: Error | null = null

  /** @throws Failure when the file is missing or cannot be read */
  constructor(file: string, sorter: RowSorter, nextEdition: () => number) {
    this.db = openForReading(file)
    this.#facts = new FactReader(this.db)
    this.#rows = new UrlRows(this.db)
    this.#index = new UrlIndex(this.#facts, () => this.newPace())
    this.#sorter = sorter
    this.#nextEdition = nextEdition
  }

  /**
   * For work in slices on this crawl's connection.
   * @param check throws when the work is no longer wanted
   */
  newPace(check: () => void = () => {}): Pace {
    return new Pace(() => {
      this.#check()
      check()
    })
  }

  row(id: number): TableRow | null {
    return this.#rows.read(id)
  }

  async window(request: WindowRequest): Promise<TableWindow> {
    return isInOrderOfFinding(request.query) ? this.#growingWindow(request) : this.#listWindow(request)
  }

  /** The ids of a query, in order. */
  async ids(query: TableQuery): Promise<Uint32Array> {
    if (isInOrderOfFinding(query)) return upTo(this.#facts.greatestId())
    return this.#list(query).complete()
  }

  /** The ids of all URLs in some states, as they are now, least first. */
  async inStates(states: FrontierState[]): Promise<Uint32Array> {
    await this.#index.keepUp()
    return this.#index.select(factTest({ states }), this.newPace(), () => {})
  }

  async counts(): Promise<TableCounts> {
    await waitAtMost(this.#index.keepUp(), PATIENCE_MS)
    const { progress } = this.#index
    if (progress !== null) return { counts: null, progress }
    const counts = TABLE_VIEWS.map((view) => [view, this.#index.count(factTest({ view }))])
    return { counts: Object.fromEntries(counts), progress: null }
  }

  /** @param reason thrown by what is under way */
  close(reason: Error): void {
    this.#closed = reason
    this.db.close()
  }

  /** Every id from 1 on: there is nothing to make, and nothing to keep. */
  async #growingWindow({ start, count }: WindowRequest): Promise<TableWindow> {
    const total = this.#facts.greatestId()
    const ids = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, n) => start + n + 1)
    return { total, progress: null, fresh: 0, edition: 1, rows: await this.#read(ids) }
  }

  async #listWindow({ query, start, count, refresh }: WindowRequest): Promise<TableWindow> {
    const list = this.#list(query)
    // For what `fresh` says.
    if (!isOpen(query.filter)) await waitAtMost(this.#index.keepUp(), PATIENCE_MS)
    await list.prepare(refresh)
    this.#check()
    const { ids, progress, fresh, edition } = list
    const rows = ids === null ? [] : await this.#read(ids.subarray(start, start + count))
    return { total: ids?.length ?? null, progress, fresh, edition, rows }
  }

  #list(query: TableQuery): RowList {
    const key = JSON.stringify(query)
    const known = this.#lists.get(key)
    const list = known ?? this.#newList(query)
    this.#lists.delete(key)
    this.#lists.set(key, list)
    const oldest = this.#lists.keys().next().value
    if (this.#lists.size > MAX_LISTS && oldest !== undefined) this.#lists.delete(oldest)
    return list
  }

  #newList(query: TableQuery): RowList {
    for (const other of this.#lists.values()) other.supersede()
    return new RowList(query, {
      db: this.db,
      index: this.#index,
      sorter: this.#sorter,
      greatestId: () => this.#facts.greatestId(),
      version: () => this.#facts.version(),
      check: () => this.#check(),
      nextEdition: this.#nextEdition,
    })
  }

  async #read(ids: Iterable<number>): Promise<TableRow[]> {
    const pace = this.newPace()
    const rows: TableRow[] = []
    for (const id of ids) {
      const row = this.#rows.read(id)
      if (row !== null) rows.push(row)
      await pace.rest()
    }
    return rows
  }

  #check(): void {
    if (this.#closed !== null) throw this.#closed
  }
}

/** Rows in the order of their ids, all of them. */
const isInOrderOfFinding = ({ filter, sort }: TableQuery): boolean =>
  isOpen(filter) && !isSearch(filter) && sort === null
