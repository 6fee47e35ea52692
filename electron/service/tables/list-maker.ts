import type { TableQuery } from '../../../shared/table-query.ts'
import type { Database } from '../../store/database.ts'
import { AddressWalk, isTextColumn, type Key, SortKeys } from '../../store/sort-keys.ts'
import { isSearch, UrlSearch } from '../../store/url-search.ts'
import type { Pace } from './pace.ts'
import { FactTest, isOpen, stateOf, statusOf } from './packed-facts.ts'
import type { RowSorter, Sort } from './row-sorter.ts'
import type { UrlIndex } from './url-index.ts'

/** Makes the list of row ids that a query names: filtered, then sorted, in slices. */

export interface MakerTools {
  db: Database
  index: UrlIndex
  sorter: RowSorter
  /** Each step has one of its own: what it does to a row takes another time. */
  newPace(): Pace
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
  onProgress: OnProgress,
): Promise<Ids> {
  const { db, index, newPace } = tools
  const { filter, sort } = query
  const step = steps(query, onProgress)
  const chosen = isOpen(filter) ? upTo(size) : await index.select(new FactTest(filter), newPace(), step('index'))
  const found = isSearch(filter) ? await search(new UrlSearch(db, filter), chosen, newPace(), step('search')) : chosen
  return sort === null ? found : sorted(tools, found, sort, size, step('sort'))
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

/** Reading a row that is not wanted takes about a third of the time of looking one up. */
const FEW_OF_RANGE = 3

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
  onProgress: OnProgress,
): Promise<Ids> {
  const pace = tools.newPace()
  if (column === 'url') {
    const isWanted = await marked(ids, size, tools.newPace())
    return byAddress(new AddressWalk(tools.db), ids, isWanted, descending, pace, onProgress)
  }
  const sort = tools.sorter.begin(ids.length)
  try {
    if (column === 'state' || column === 'status') {
      const keys = await facts(tools.index, ids, column, pace)
      return await pace.waitFor(sort.byNumber(ids, keys, descending))
    }
    const reader = new SortKeys(tools.db, column)
    if (isTextColumn(column)) {
      // Sorting texts takes as long as reading them.
      await addTexts(sort, ids, reader, pace, (part) => onProgress(part / 2))
      return await pace.waitFor(sort.byText(ids, descending))
    }
    const keys = await numbers(ids, reader, pace, onProgress)
    return await pace.waitFor(sort.byNumber(ids, keys, descending))
  } catch (error) {
    sort.cancel()
    throw error
  }
}

async function byAddress(
  walk: AddressWalk,
  ids: Ids,
  isWanted: Uint8Array,
  descending: boolean,
  pace: Pace,
  onProgress: OnProgress,
): Promise<Ids> {
  let [seen, count] = [0, 0]
  for (;;) {
    const batch = walk.next(pace.batch)
    if (batch.length === 0) break
    for (const id of batch) if (isWanted[id] === 1) ids[count++] = id
    seen += batch.length
    onProgress(Math.min(1, seen / isWanted.length))
    await pace.rest()
  }
  return descending ? ids.reverse() : ids
}

/** A one for each id that is among them. */
async function marked(ids: Ids, size: number, pace: Pace): Promise<Uint8Array> {
  const marks = new Uint8Array(size + 1)
  if (ids.length === size) return marks.fill(1)
  for (let at = 0; at < ids.length; ) {
    const end = Math.min(ids.length, at + pace.batch)
    for (; at < end; at++) marks[ids[at]!] = 1
    await pace.rest()
  }
  return marks
}

type Numbers = Float64Array<ArrayBuffer>

/** States in the order of the diagram in shared/frontier-state.ts. */
async function facts(index: UrlIndex, ids: Ids, column: 'state' | 'status', pace: Pace): Promise<Numbers> {
  const keys = new Float64Array(ids.length)
  for (let at = 0; at < ids.length; ) {
    const end = Math.min(ids.length, at + pace.batch)
    for (; at < end; at++) {
      const packed = index.packedFacts(ids[at]!)
      keys[at] = column === 'state' ? stateOf(packed) : statusOf(packed) || Number.NaN
    }
    await pace.rest()
  }
  return keys
}

async function numbers(ids: Ids, reader: SortKeys, pace: Pace, onProgress: OnProgress): Promise<Numbers> {
  const keys = new Float64Array(ids.length)
  let at = 0
  const take = (rows: Key[], batch: Ids): void => {
    eachKey(rows, batch, (value) => {
      keys[at++] = typeof value === 'number' ? value : Number.NaN
    })
  }
  await readAll(ids, reader, take, pace, onProgress)
  return keys
}

async function addTexts(sort: Sort, ids: Ids, reader: SortKeys, pace: Pace, onProgress: OnProgress): Promise<void> {
  const take = (rows: Key[], batch: Ids): void => {
    const texts: string[] = []
    eachKey(rows, batch, (value) => {
      texts.push(typeof value === 'string' ? value : '')
    })
    sort.addTexts(texts)
  }
  await readAll(ids, reader, take, pace, onProgress)
}

/** The key of each id, in their order; null for an id that has none. Both come in ascending. */
function eachKey(rows: readonly Key[], ids: Ids, take: (value: Key[1]) => void): void {
  let at = 0
  for (const id of ids) {
    while (at < rows.length && rows[at]![0] < id) at++
    take(rows[at]?.[0] === id ? rows[at]![1] : null)
  }
}
