import { create } from 'zustand'
import { SORT_COLUMNS, type SortColumn } from '../../../shared/table-query.ts'

/** Which columns the table shows: the same for every crawl, and kept. */

const KEPT_AS = 'sandpiper-columns'
export const COLUMN_NAMES = SORT_COLUMNS
const DEFAULT: readonly SortColumn[] = [
  'url',
  'state',
  'reason',
  'status',
  'type',
  'title',
  'depth',
  'bytes',
  'responseMs',
]

interface Columns {
  shown: readonly SortColumn[]
  toggle(name: SortColumn): void
  reset(): void
}

export const useColumns = create<Columns>((set, get) => {
  const show = (shown: readonly SortColumn[]): void => {
    localStorage.setItem(KEPT_AS, JSON.stringify(shown))
    set({ shown })
  }
  return {
    shown: readKept(),
    toggle: (name) => {
      const { shown } = get()
      show(COLUMN_NAMES.filter((each) => (each === name ? !shown.includes(name) : shown.includes(each))))
    },
    reset: () => show(DEFAULT),
  }
})

function readKept(): readonly SortColumn[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null')
    if (!Array.isArray(kept)) return DEFAULT
    return COLUMN_NAMES.filter((name) => name === 'url' || kept.includes(name))
  } catch {
    return DEFAULT
  }
}
