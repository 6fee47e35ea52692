import type { GridApi, IDatasource, IGetRowsParams, SortModelItem } from 'ag-grid-community'
import {
  MAX_WINDOW,
  type SortColumn,
  type TableFilter,
  type TableRow,
  type TableWindow,
} from '../../../shared/table-query.ts'
import type { App } from '../../state/app-context.tsx'
import type { TableStore } from '../../state/table-store.ts'

/**
 * Feeds the grid with windows of one list of rows. A list that is being made is asked for again until it is there; a list
 * never changes under the user: rows are shown as they are now, but new ones come only when they are asked for, except at
 * the end of the list of everything in the order of finding.
 */

const ASK_AGAIN_MS = 120

export class TableSource implements IDatasource {
  readonly #app: App
  readonly #id: string
  readonly #useTable: TableStore
  readonly #filter: TableFilter
  #sort: { column: SortColumn; descending: boolean } | null = null
  #edition: number | null = null
  #isLive = true

  constructor(app: App, id: string, useTable: TableStore, filter: TableFilter) {
    this.#app = app
    this.#id = id
    this.#useTable = useTable
    this.#filter = filter
  }

  getRows({ startRow, endRow, sortModel, successCallback, failCallback }: IGetRowsParams<TableRow>): void {
    this.#sortBy(sortModel)
    void this.#await(startRow, endRow - startRow).then((window) => {
      if (window === null) failCallback()
      else successCallback(window.rows, window.total ?? 0)
    })
  }

  /** Another list is wanted. Not called `destroy`: the grid would, also when it is given the same source twice. */
  retire(): void {
    this.#isLive = false
  }

  /** The rows on the screen as they are now, and how many there are. */
  async refreshShown(api: GridApi<TableRow>): Promise<void> {
    const first = Math.max(0, api.getFirstDisplayedRowIndex())
    const count = Math.min(MAX_WINDOW, Math.max(1, api.getLastDisplayedRowIndex() - first + 1))
    const window = await this.#ask(first, count, false)
    if (window === null || api.isDestroyed() || window.total === null) return
    const known = this.#useTable.getState()
    if (known.total !== window.total || known.fresh !== window.fresh) this.#note(window)
    const wasEmpty = api.getDisplayedRowCount() === 0
    if (api.getDisplayedRowCount() !== window.total) api.setRowCount(window.total, true)
    if (wasEmpty && window.total > 0) api.refreshInfiniteCache()
    for (const [index, row] of window.rows.entries()) {
      const node = api.getDisplayedRowAtIndex(first + index)
      if (node?.data === undefined) continue
      if (node.data.id !== row.id) return api.refreshInfiniteCache()
      if (!isSame(node.data, row)) node.updateData(row)
    }
    // The last block ends where the list ended; the rows after it are asked for like those of any other block.
    if (window.rows.length > 0 && hasHoles(api, first, window.rows.length)) api.refreshInfiniteCache()
  }

  /** Makes the list anew; the old one stays until it is there. */
  async renew(api: GridApi<TableRow>): Promise<void> {
    const before = this.#edition
    for (let window = await this.#ask(0, 0, true); window !== null; window = await this.#ask(0, 0, false)) {
      if (window.progress === null || (before !== null && window.edition > before)) break
      await pause()
    }
    if (api.isDestroyed() || !this.#isLive) return
    const window = await this.#ask(0, 0, false)
    if (window?.total != null) api.setRowCount(window.total, true)
    api.refreshInfiniteCache()
  }

  /** Asks until the list is there; null when it failed or nobody wants it any more. */
  async #await(start: number, count: number): Promise<TableWindow | null> {
    while (this.#isLive) {
      const window = await this.#ask(start, count, false)
      if (window === null || window.total !== null) return window
      await pause()
    }
    return null
  }

  async #ask(start: number, count: number, refresh: boolean): Promise<TableWindow | null> {
    const query = { filter: this.#filter, sort: this.#sort }
    const result = await this.#app.invoke('table.read', { id: this.#id, query, start, count, refresh })
    if (!this.#isLive || !this.#app.store.getState().tell(result) || !result.ok) return null
    this.#edition = result.value.edition
    this.#note(result.value)
    return result.value
  }

  #sortBy([wanted]: readonly SortModelItem[]): void {
    const sort = wanted ? { column: wanted.colId as SortColumn, descending: wanted.sort === 'desc' } : null
    if (sort?.column === this.#sort?.column && sort?.descending === this.#sort?.descending) return
    this.#sort = sort
    this.#useTable.setState({ sort })
  }

  #note({ total, progress, fresh }: TableWindow): void {
    const known = this.#useTable.getState()
    if (known.total === total && known.progress === progress && known.fresh === fresh) return
    this.#useTable.setState({ total, progress, fresh })
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))

function hasHoles(api: GridApi<TableRow>, first: number, count: number): boolean {
  const last = api.getDisplayedRowAtIndex(first + count - 1)
  return last !== undefined && last.data === undefined && !last.stub
}

const isSame = (a: TableRow, b: TableRow): boolean =>
  (Object.keys(b) as (keyof TableRow)[]).every((key) => a[key] === b[key])
