import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FRONTIER_STATES } from '../../../shared/frontier-state.ts'
import {
  CONTENT_CLASSES,
  SORT_COLUMNS,
  STATUS_CLASSES,
  TABLE_VIEWS,
  type TableQuery,
  type TableRow,
  tableQuery,
} from '../../../shared/table-query.ts'
import type { Outcome } from '../../engine/page-sink.ts'
import { openForReading } from '../../store/database.ts'
import { FactReader } from '../../store/url-facts.ts'
import { contentClass } from './content-class.ts'
import { CrawlTables } from './crawl-tables.ts'
import { Pace } from './pace.ts'
import { RowSorter } from './row-sorter.ts'
import { type MadeUpAnswer, madeUpAnswer, TestCrawl } from './test-crawl.ts'
import { UrlIndex } from './url-index.ts'

/** Whatever happens to a small crawl: what is kept up equals what is read anew, and lists equal a plain filter and sort. */

type Step =
  | { do: 'add'; n: number; isPage: boolean; depth: number | null }
  | { do: 'claim'; limit: number }
  | { do: 'finish'; which: number; how: Outcome['state']; answer: MadeUpAnswer }
  | { do: 'reopen'; retry: boolean }
  | { do: 'promote' | 'commit' | 'rollback' | 'look' }

const title = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', 'Ä', 'é', '%', '_', '日'), maxLength: 4 })
const answer = fc
  .record({
    status: fc.constantFrom(200, 200, 204, 301, 404, 503, 999),
    contentType: fc.constantFrom('text/html; charset=utf-8', 'image/png', 'application/pdf', 'TEXT/CSS', 'x/y', ''),
    title,
    bytes: fc.nat(20),
    links: fc.array(fc.nat(30).map(String), { maxLength: 5 }),
    kinds: fc.array(fc.constantFrom('a' as const, 'img' as const), { maxLength: 5 }),
  })
  .map(madeUpAnswer)
const HOW = ['done', 'failed', 'final_failed', 'skipped', 'pending'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      n: fc.nat(30),
      isPage: fc.boolean(),
      depth: fc.constantFrom(null, 0, 1, 3, 4, 5),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      which: fc.nat(),
      how: fc.constantFrom(...HOW, 'done'),
      answer,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), retry: fc.boolean() }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constantFrom('commit', 'commit', 'look', 'look', 'promote') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rollback' as const) }) },
) as fc.Arbitrary<Step>

const some = <T>(from: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...from], { minLength: 0, maxLength: 3 })
const query: fc.Arbitrary<TableQuery> = fc
  .record({
    filter: fc.record({
      view: fc.constantFrom('all', ...TABLE_VIEWS),
      text: fc.constantFrom('', '', 'a', 'B', 'ÄB', 'é', '%', '_', '日', 'SITE.test/1', '\0'),
      states: fc.oneof(fc.constant([]), some(FRONTIER_STATES)),
      statuses: fc.oneof(fc.constant([]), some(STATUS_CLASSES)),
      types: fc.oneof(fc.constant([]), some(CONTENT_CLASSES)),
      minDepth: fc.constantFrom(null, null, 0, 1, 2),
      maxDepth: fc.constantFrom(null, null, 1, 3),
    }),
    sort: fc.option(fc.record({ column: fc.constantFrom(...SORT_COLUMNS), descending: fc.boolean() })),
  })
  .map((input) => tableQuery.parse(input))

function take(crawl: TestCrawl, each: Step): void {
  if (each.do === 'add') crawl.add(each.n, { isPage: each.isPage, depth: each.depth })
  else if (each.do === 'claim') crawl.claim(each.limit)
  else if (each.do === 'finish') crawl.finish(each.which, each.how, each.answer)
  else if (each.do === 'reopen') crawl.reopen(each.retry)
  else if (each.do === 'promote') crawl.promote()
  else if (each.do === 'commit') crawl.commit()
  else if (each.do === 'rollback') crawl.rollback()
}

let folder: string
let sorter: RowSorter
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-tables-'))
  sorter = new RowSorter(new URL('./sort-worker.ts', import.meta.url))
})
afterAll(() => {
  sorter.close()
  rmSync(folder, { recursive: true, force: true })
})

let serial = 0
const newCrawl = (): TestCrawl => new TestCrawl(join(folder, `${serial++}.sandpiper`))
const newPace = (): Pace => new Pace(() => {})

it('an index that is kept up equals one that is read anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 200, size: 'max' }), async (steps) => {
      const crawl = newCrawl()
      const db = openForReading(crawl.path)
      try {
        const index = new UrlIndex(new FactReader(db), newPace)
        for (const each of [...steps, { do: 'look' as const }]) {
          take(crawl, each)
          if (each.do !== 'look') continue
          const anew = new UrlIndex(new FactReader(db), newPace)
          await Promise.all([index.keepUp(), anew.keepUp()])
          expect(contents(index)).toEqual(contents(anew))
        }
      } finally {
        db.close()
        crawl.end()
      }
    }),
    { numRuns: 100 },
  )
})

const contents = (index: UrlIndex) => Array.from({ length: index.size }, (_, n) => index.packedFacts(n + 1))

it('counts and lists equal a plain filter and sort of all rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
      fc.array(query, { minLength: 1, maxLength: 8 }),
      async (steps, queries) => {
        const crawl = newCrawl()
        for (const each of steps) take(crawl, each)
        crawl.commit()
        const tables = new CrawlTables(crawl.path, sorter, () => 1)
        try {
          const rows = allRows(tables)
          const { counts } = await tables.counts()
          for (const view of TABLE_VIEWS) expect(counts![view], view).toBe(rows.filter((row) => isIn(view, row)).length)
          for (const each of queries) {
            expect([...(await tables.ids(each))]).toEqual(plainly(rows, each).map(({ id }) => id))
          }
        } finally {
          tables.close(new Error('closed'))
          crawl.end()
        }
      },
    ),
    { numRuns: 150 },
  )
})

function allRows(tables: CrawlTables): TableRow[] {
  const rows: TableRow[] = []
  for (let row = tables.row(1); row !== null; row = tables.row(rows.length + 1)) rows.push(row)
  return rows
}

function plainly(rows: readonly TableRow[], { filter, sort }: TableQuery): TableRow[] {
  const found = rows.filter((row) => {
    const { text, states, statuses, types, minDepth, maxDepth } = filter
    const statusClass = STATUS_CLASSES.find((each) =>
      each === 'none' ? row.status === null : each[0] === String(row.status).slice(0, -2),
    )
    return (
      isIn(filter.view, row) &&
      [row.url, row.title].some((each) => each.toLowerCase().includes(text.toLowerCase())) &&
      (states.length === 0 || states.includes(row.state)) &&
      (statuses.length === 0 || (statusClass !== undefined && statuses.includes(statusClass))) &&
      (types.length === 0 || types.includes(contentClass(row.type))) &&
      (minDepth === null || (row.depth !== null && row.depth >= minDepth)) &&
      (maxDepth === null || (row.depth !== null && row.depth <= maxDepth))
    )
  })
  if (sort === null) return found
  const keyOf = (row: TableRow): string | number | null => {
    const value = row[sort.column]
    if (sort.column === 'state') return FRONTIER_STATES.indexOf(row.state)
    if (sort.column === 'url') return row.url
    return typeof value === 'string' ? value.toLowerCase() || null : value
  }
  const sign = sort.descending ? -1 : 1
  return found.sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null) || one.id - other.id
    return a < b ? -sign : a > b ? sign : one.id - other.id
  })
}

function isIn(view: TableQuery['filter']['view'], { state, status, type }: TableRow): boolean {
  const isFinished = state === 'done' || state === 'final_failed'
  if (view === 'waiting') return ['pending', 'processing', 'failed'].includes(state)
  if (view === 'redirects') return isFinished && status !== null && status >= 300 && status < 400
  if (view === 'broken') return state === 'final_failed' || (state === 'done' && status !== null && status >= 400)
  if (view === 'images') return type.startsWith('image/')
  return view === 'all' || state === view
}
