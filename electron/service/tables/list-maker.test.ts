import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TableQueryInput, tableQuery } from '../../../shared/table-query.ts'
import { SortKeys } from '../../store/sort-keys.ts'
import { UrlSearch } from '../../store/url-search.ts'
import { CrawlTables } from './crawl-tables.ts'
import { Pace } from './pace.ts'
import { RowSorter } from './row-sorter.ts'
import { TestCrawl } from './test-crawl.ts'

/** Lists of so many rows that each step takes many batches. */

const ROWS = 30_000
/** Every so many rows one is a picture. */
const PICTURES = 7
let folder: string
let crawl: TestCrawl
let sorter: RowSorter
let tables: CrawlTables

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-lists-'))
  crawl = new TestCrawl(join(folder, 'a.sandpiper'))
  for (let n = 1; n <= ROWS; n++) crawl.add(`${(n * 7_919) % ROWS}`, { depth: n % PICTURES === 0 ? 4 : 2 })
  crawl.commit()
  sorter = new RowSorter(new URL('./sort-worker.ts', import.meta.url))
  tables = new CrawlTables(crawl.path, sorter, () => 1)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  tables.close(new Error('closed'))
  sorter.close()
  crawl.end()
  rmSync(folder, { recursive: true, force: true })
})

const ids = async (query: TableQueryInput): Promise<number[]> => [...(await tables.ids(tableQuery.parse(query)))]
const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1)
/** What is too deep is skipped, of which one in seven is. */
const skipped = (): number[] => upTo(ROWS).filter((id) => id % PICTURES === 0)
const address = (id: number): string => String((id * 7_919) % ROWS)
const byAddress = (a: number, b: number): number => (address(a) < address(b) ? -1 : 1)

describe('a long list', () => {
  it('holds every row that a filter lets in, whatever comes after the filter', async () => {
    const filter = { states: ['skipped' as const] }
    expect(await ids({ filter })).toEqual(skipped())
    expect(await ids({ filter, sort: { column: 'url' } })).toEqual(skipped().sort(byAddress))
    expect(await ids({ filter, sort: { column: 'reason' } })).toEqual(skipped())
    expect(await ids({ filter, sort: { column: 'depth', descending: true } })).toEqual(skipped())
    expect(await ids({ filter: { ...filter, text: '/1' } })).toEqual(skipped().filter((id) => address(id)[0] === '1'))
  })

  it('is sorted whole', async () => {
    expect(await ids({ sort: { column: 'url', descending: true } })).toEqual(upTo(ROWS).sort(byAddress).reverse())
    const [deep, other] = [skipped(), upTo(ROWS).filter((id) => id % PICTURES !== 0)]
    expect(await ids({ sort: { column: 'depth' } })).toEqual([...other, ...deep])
    expect(await ids({ sort: { column: 'reason' } })).toEqual([...deep, ...other])
  })

  it.each([
    ['sorted', SortKeys, { filter: { states: ['pending' as const] }, sort: { column: 'attempts' as const } }],
    ['searched', UrlSearch, { filter: { states: ['pending' as const], text: 'nowhere' } }],
  ])(
    'is %s in batches that begin small, though the filter before it went through thousands at a time',
    async (_how, Reader, query) => {
      const asked: number[] = []
      vi.spyOn(Reader.prototype, 'range').mockImplementation(function (this: SortKeys | UrlSearch, from, to) {
        asked.push(to - from + 1)
        return []
      })
      await ids(query)
      expect(asked.length).toBeGreaterThan(1)
      expect(asked[0]).toBeLessThan(1_000)
    },
  )
})

describe('work of another thread', () => {
  it('is waited for', async () => {
    expect(await new Pace(() => {}).waitFor(Promise.resolve(7))).toBe(7)
    await expect(new Pace(() => {}).waitFor(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('is let go when it is no longer wanted', async () => {
    const pace = new Pace(() => {
      throw new Error('not wanted')
    })
    await expect(pace.waitFor(new Promise(() => {}))).rejects.toThrow('not wanted')
  })
})

describe('a sort', () => {
  const many = Uint32Array.from(upTo(ROWS))
  const keys = (): Float64Array<ArrayBuffer> => Float64Array.from(many, (id) => -id)

  it('that is given up takes no other one along', async () => {
    const [first, second] = [sorter.begin(ROWS), sorter.begin(ROWS)]
    const givenUp = first.byNumber(many.slice(), keys(), false)
    const sorted = second.byNumber(many.slice(), keys(), false)
    first.cancel()
    await expect(givenUp).rejects.toThrow('could not be sorted')
    expect([...(await sorted)]).toEqual(upTo(ROWS).reverse())
  })

  it('begins with nothing of the one before', async () => {
    for (const word of ['b', 'a']) {
      const sort = sorter.begin(ROWS)
      sort.addTexts(Array(ROWS - 1).fill(word))
      sort.addTexts(['aa'])
      const [first, last] = word === 'b' ? [ROWS, ROWS - 1] : [1, ROWS]
      const sorted = await sort.byText(many.slice(), false)
      expect([sorted.length, sorted[0], sorted.at(-1)]).toEqual([ROWS, first, last])
    }
  })
})
