import { create, type StoreApi, type UseBoundStore } from 'zustand'
import {
  type TableFilter,
  type TableRow,
  type TableSort,
  type TableView,
  tableFilter,
} from '../../shared/table-query.ts'

/** What the table of one crawl shows, and what is selected in it. */
export interface TableState {
  /** `sites` shows no table of URLs. */
  pane: TableView | 'sites'
  filter: TableFilter
  sort: TableSort | null
  /** Rows of the list; null while it is made. */
  total: number | null
  /** 0 to 1 while a list is made. */
  progress: number | null
  /** Rows that a new list would have more or less. */
  fresh: number
  /** Grows when a new list is wanted. */
  wanted: number
  selected: TableRow | null
  detailsOpen: boolean
  choosePane(pane: TableView | 'sites'): void
  narrow(changes: Partial<TableFilter>): void
  refresh(): void
  select(row: TableRow | null): void
  openDetails(open: boolean): void
}

export type TableStore = UseBoundStore<StoreApi<TableState>>

const EVERYTHING = tableFilter.parse({})

export const createTableStore = (): TableStore =>
  create<TableState>((set) => ({
    pane: 'all',
    filter: EVERYTHING,
    sort: null,
    total: null,
    progress: null,
    fresh: 0,
    wanted: 0,
    selected: null,
    detailsOpen: true,
    choosePane: (pane) =>
      set(({ filter }) => (pane === 'sites' ? { pane } : { pane, filter: { ...filter, view: pane }, fresh: 0 })),
    narrow: (changes) => set(({ filter }) => ({ filter: { ...filter, ...changes }, fresh: 0 })),
    refresh: () => set(({ wanted }) => ({ wanted: wanted + 1, fresh: 0 })),
    select: (selected) => set({ selected }),
    openDetails: (detailsOpen) => set({ detailsOpen }),
  }))

/** Is anything but the view narrowed? */
export const isNarrowed = ({ text, states, statuses, types, minDepth, maxDepth }: TableFilter): boolean =>
  text !== '' || states.length + statuses.length + types.length > 0 || minDepth !== null || maxDepth !== null

/** Everything of the view again. */
export const WIDE: Partial<TableFilter> = {
  text: '',
  states: [],
  statuses: [],
  types: [],
  minDepth: null,
  maxDepth: null,
}
