import type { TableQuery } from '../../../shared/table-query.ts'
import type { Database } from '../../store/database.ts'
import { AddressWalk, isTextColumn, type Key, type KeyColumn, SortKeys } from '../../store/sort-keys.ts'
import { isSearch, UrlSearch } from '../../store/url-search.ts'
import type { Pace } from './pace.ts'
import { FactTest, isOpen, stateOf, statusOf } from './packed-facts.ts'
import type { RowSorter } from './row-sorter.ts'
import type { UrlIndex } from './url-index.ts'

/** Makes the list of row ids that a query names: filtered, then sorted, in slices. */

export interface MakerTools {
  db: Database
  index: UrlIndex
  sorter: RowSorter
}

type Ids = Uint32Array<ArrayBuffer>
type OnProgress = (part: number) => void

/** A list that is one long read: about how much of the work each step is. */
const STEPS = { index: 0.1, search: 0.3, sort: 0.6 } as const

/** Whether the index must be there first. */
export const needsIndex = ({ filter, sort }: TableQuery): boolean =>
  !isOpen(filter) || sort?.column === 'state' || sort?.column === 'status'

/** @param size the greatest id; the list holds no later ones */
export async function makeList(
  tools: MakerTools,
  query: TableQuery,
  size: number,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  const { filter, sort } = query
  const step = steps(query, onProgress)
  const chosen = isOpen(filter) ? upTo(size) : await tools.index.select(new FactTest(filter), pace, step('index'))
  const found = isSearch(filter) ? await search(new UrlSearch(tools.db, filter), chosen, pace, step('search')) : chosen
  return sort === null ? found : sorted(tools, found, sort, size, pace, step('sort'))
}

/** The ids from 1 on. */
export function upTo(size: number): Ids {
  const ids = new Uint32Array(size)
  for (let n = 0; n < size; n++) ids[n] = n + 1
  return ids
}

/** Turns the progress of a step into that of the whole. */
function steps({ filter, sort }: TableQuery, onProgress: OnProgress): (name: keyof typeof STEPS) => OnProgress {
  const taken = [
    ...(isOpen(filter) ? [] : (['index'] as const)),
    ...(isSearch(filter) ? (['search'] as const) : []),
    ...(sort === null ? [] : (['sort'] as const)),
  ]
  const all = taken.reduce((sum, name) => sum + STEPS[name], 0)
  let before = 0
  return (name) => {
    const from = before
    before += STEPS[name] / all
    return (part) => onProgress(from + (part * STEPS[name]) / all)
  }
}

/** Rows read by id: as a range where most of its ids are wanted, else one by one. */
interface ById<Row> {
  range(from: number, to: number): Row[]
  of(ids: readonly number[]): Row[]
}

const FEW_OF_RANGE = 8

async function readAll<Row>(
  ids: Ids,
  reader: ById<Row>,
  take: (rows: Row[], batch: Ids) => void,
  pace: Pace,
  onProgress: OnProgress,
): Promise<void> {
  for (let at = 0; at < ids.length; ) {
    const batch = ids.subarray(at, at + pace.batch)
    const [first, last] = [batch[0]!, batch.at(-1)!]
    const isDense = last - first < batch.length * FEW_OF_RANGE
    take(isDense ? reader.range(first, last) : reader.of([...batch]), batch)
    at += batch.length
    onProgress(at / ids.length)
    await pace.rest()
  }
}

async function search(reader: UrlSearch, ids: Ids, pace: Pace, onProgress: OnProgress): Promise<Ids> {
  const found = new Uint32Array(ids.length)
  let count = 0
  const take = (matches: number[], batch: Ids): void => {
    let at = 0
    for (const id of matches) {
      while (at < batch.length && batch[at]! < id) at++
      if (batch[at] === id) found[count++] = id
    }
  }
  await readAll(ids, reader, take, pace, onProgress)
  return found.slice(0, count)
}

async function sorted(
  tools: MakerTools,
  ids: Ids,
  { column, descending }: NonNullable<TableQuery['sort']>,
  size: number,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  if (column === 'url') return byAddress(new AddressWalk(tools.db), ids, descending, size, pace, onProgress)
  if (column === 'state' || column === 'status') return byFact(tools, ids, column, descending, pace)
  const keys = new SortKeys(tools.db, column)
  return isTextColumn(column as KeyColumn)
    ? byText(tools, ids, keys, descending, pace, onProgress)
    : byNumber(tools, ids, keys, descending, pace, onProgress)
}

async function byAddress(
  walk: AddressWalk,
  ids: Ids,
  descending: boolean,
  size: number,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  const isWanted = new Uint8Array(size + 1)
  for (const id of ids) isWanted[id] = 1
  let [seen, count] = [0, 0]
  for (;;) {
    const batch = walk.next(pace.batch)
    if (batch.length === 0) break
    for (const id of batch) if (isWanted[id] === 1) ids[count++] = id
    seen += batch.length
    onProgress(Math.min(1, seen / size))
    await pace.rest()
  }
  return descending ? ids.reverse() : ids
}

/** States in the order of the diagram in shared/frontier-state.ts. */
async function byFact(
  { index, sorter }: MakerTools,
  ids: Ids,
  column: 'state' | 'status',
  descending: boolean,
  pace: Pace,
): Promise<Ids> {
  const keys = new Float64Array(ids.length)
  for (let at = 0; at < ids.length; ) {
    const end = Math.min(ids.length, at + pace.batch)
    for (; at < end; at++) {
      const packed = index.packedFacts(ids[at]!)
      keys[at] = column === 'state' ? stateOf(packed) : statusOf(packed) || Number.NaN
    }
    await pace.rest()
  }
  return sorter.byNumber(ids, keys, descending)
}

async function byNumber(
  { sorter }: MakerTools,
  ids: Ids,
  reader: SortKeys,
  descending: boolean,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  const keys = new Float64Array(ids.length)
  let at = 0
  const take = (rows: Key[], batch: Ids): void => {
    eachKey(rows, batch, (value) => {
      keys[at++] = typeof value === 'number' ? value : Number.NaN
    })
  }
  await readAll(ids, reader, take, pace, onProgress)
  return sorter.byNumber(ids, keys, descending)
}

async function byText(
  { sorter }: MakerTools,
  ids: Ids,
  reader: SortKeys,
  descending: boolean,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  const sort = sorter.byText(ids.length)
  const take = (rows: Key[], batch: Ids): void => {
    const texts: string[] = []
    eachKey(rows, batch, (value) => {
      texts.push(typeof value === 'string' ? value : '')
    })
    sort.add(texts)
  }
  try {
    // Sorting texts takes as long as reading them.
    await readAll(ids, reader, take, pace, (part) => onProgress(part / 2))
  } catch (error) {
    sort.cancel()
    throw error
  }
  return sort.finish(ids, descending)
}

/** The key of each id, in their order; null for an id that has none. Both come in ascending. */
function eachKey(rows: readonly Key[], ids: Ids, take: (value: Key[1]) => void): void {
  let at = 0
  for (const id of ids) {
    while (at < rows.length && rows[at]![0] < id) at++
    take(rows[at]?.[0] === id ? rows[at]![1] : null)
  }
}
