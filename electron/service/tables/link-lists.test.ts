import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CrawlTables } from './crawl-tables.ts'
import { linksIn, linksOut } from './link-lists.ts'
import type { Pace } from './pace.ts'
import { RowSorter } from './row-sorter.ts'
import { TestCrawl } from './test-crawl.ts'

const PAGES = 20
const LINKS = 30
let folder: string
let crawl: TestCrawl
let sorter: RowSorter
let tables: CrawlTables

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-links-'))
  crawl = new TestCrawl(join(folder, 'a.sandpiper'))
  for (let page = 0; page < PAGES; page++) crawl.add(`page-${page}`)
  crawl.commit()
  // The first page is linked to once from each, the last not at all.
  const links = Array.from({ length: LINKS }, (_, n) => (n === 7 ? 'page-0' : `other-${n}`))
  for (let page = 0; page < PAGES; page++) crawl.visit(`page-${page}`, { links })
  sorter = new RowSorter('')
  tables = new CrawlTables(crawl.path, sorter, () => 1)
  // Batches of ten, and a turn of the loop after each.
  vi.spyOn(tables, 'newPace').mockImplementation((check = () => {}) => {
    const rest = async (): Promise<void> => {
      await setImmediate()
      check()
    }
    return { batch: 10, rest } as Pace
  })
})
afterEach(() => {
  tables.close(new Error('closed'))
  crawl.end()
  rmSync(folder, { recursive: true, force: true })
})

it('finds the links into a URL, up to a limit', async () => {
  const { rows, complete } = await linksIn(tables, 1, 100)
  expect([rows.map(({ id }) => id), complete]).toEqual([Array.from({ length: PAGES }, (_, n) => n + 1), true])
  expect((await linksIn(tables, 1, PAGES)).complete).toBe(true)
  expect(await linksIn(tables, 1, 5)).toMatchObject({ rows: { length: 5 }, complete: false })
  expect(await linksIn(tables, PAGES, 5)).toEqual({ rows: [], complete: true })
})

it('lists the links out of a URL, up to a limit', async () => {
  expect(await linksOut(tables, 1, 100)).toMatchObject({ rows: { length: LINKS }, complete: true })
  expect(await linksOut(tables, 1, LINKS)).toMatchObject({ rows: { length: LINKS }, complete: true })
  const { rows, complete } = await linksOut(tables, 1, 9)
  expect([rows.length, rows[7]!.text, complete]).toEqual([9, 'to page-0', false])
})

it('gives a search up for the two that came after it', async () => {
  const first = linksIn(tables, 1, 100)
  const [second, third] = [linksIn(tables, 1, 100), linksIn(tables, PAGES, 100)]
  await expect(first).rejects.toThrow('ask for these again')
  expect((await second).rows).toHaveLength(PAGES)
  expect((await third).rows).toHaveLength(0)
  expect((await linksIn(tables, 1, 100)).rows).toHaveLength(PAGES)
})
