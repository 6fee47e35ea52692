import { FRONTIER_STATES } from '../../shared/frontier-state.ts'
import { LINK_FLAG } from '../../shared/link-kind.ts'

/** What stands in the cells of a view: stored values as words. */

export type Cell = string | number | null
export type Row = Cell[]

/** The rows of a view as they come; null is a pause without a row, for whoever must let others have a turn. */
export type Rows = Generator<Row | null, void>

export type Raw = Record<string, Cell>

/** No two URLs are equal in it and an index keeps it: nothing is sorted, and the order of discovery does not show. */
export const BY_ADDRESS = 'ORDER BY coalesce(urls.key, urls.url)'

/** URLs that are finished; a resource that waits to be read again as a page has kept its row in `pages`. */
export const IS_FINISHED = 'urls.state IN (2, 4)'

export const stateWord = (state: Cell): string => FRONTIER_STATES[state as number]!
export const kindWord = (isPage: Cell): string => (isPage === 1 ? 'page' : 'resource')
export const orNull = (value: Cell | undefined): Cell => (value === '' || value === undefined ? null : value)
export const isoTime = (at: Cell | undefined): Cell => (typeof at === 'number' ? new Date(at).toISOString() : null)

const FLAGS = Object.entries(LINK_FLAG)
const REL_WORDS = Array.from({ length: 2 ** FLAGS.length }, (_, flags) =>
  FLAGS.filter(([, bit]) => (flags & bit) !== 0)
    .map(([name]) => name)
    .join(' '),
)
export const relWords = (flags: number): Cell => orNull(REL_WORDS[flags])

const ROWS_BETWEEN_PAUSES = 1000

/** Takes every row and pauses now and then. */
export function* scan<T>(rows: Iterable<unknown>, take: (row: T) => void): Generator<null, void> {
  let count = 0
  for (const row of rows) {
    take(row as T)
    if (++count % ROWS_BETWEEN_PAUSES === 0) yield null
  }
}
