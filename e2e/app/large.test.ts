import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCrawlFile } from '../../bench/make-crawl-file.ts'
import { loopback, type TestHost } from '../hosts/host.ts'

/** The table of a large crawl against its file. How fast it is: `npm run bench:large-ui`. */

const ROWS = 100_000
const ROW_PX = 28

if (loopback.missing !== null) console.log(`skipped: ${loopback.missing}`)

describe.skipIf(loopback.missing !== null)('a crawl of 100,000 rows', () => {
  let home: string
  let file: Database.Database
  let host: TestHost

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-large-'))
    mkdirSync(join(home, 'crawls'))
    makeCrawlFile(join(home, 'crawls/shop.sandpiper'), ROWS)
    host = await loopback.start(home)
    file = new Database(join(home, 'crawls/shop.sandpiper'), { readonly: true })
    await host.page.locator('.crawls .site button').click()
    await host.page.getByText('100,000 rows').waitFor()
  }, 120_000)
  afterAll(async () => {
    file?.close()
    await host?.kill()
    rmSync(home, { recursive: true, force: true })
  })

  const cell = (row: number, column: string) => host.page.locator(`.ag-row[row-index="${row}"] [col-id="${column}"]`)
  const value = (sql: string): string | number => file.prepare<[], string | number>(sql).pluck().get()!
  const urlAt = (row: number): string | number => value(`SELECT url FROM urls ORDER BY id LIMIT 1 OFFSET ${row}`)
  const scrollTo = (row: number): Promise<void> =>
    host.page
      .locator('.ag-grid-viewport')
      .evaluate((viewport, top) => Object.assign(viewport, { scrollTop: top }), row * ROW_PX)
      .then(() => {})

  const isInSight = async (locator: Locator): Promise<boolean> => {
    const row = (await locator.boundingBox())!
    const grid = (await host.page.locator('.ag-grid-viewport').boundingBox())!
    return row.y >= grid.y && row.y + row.height <= grid.y + grid.height
  }

  it('regression: the scrollbar lay over the last column', async () => {
    const viewport = host.page.locator('.ag-grid-viewport')
    const free = await viewport.evaluate((grid) => grid.getBoundingClientRect().left + grid.clientWidth)
    const last = (await cell(0, 'responseMs').boundingBox())!
    expect(last.x + last.width).toBeLessThanOrEqual(Math.ceil(free))
  })

  it('shows every row that is scrolled to, the last one too', async () => {
    for (const row of [ROWS / 2, 7, ROWS - 30, 12_345, ROWS - 1, 0]) {
      await scrollTo(row)
      await expect.poll(() => cell(row, 'url').textContent()).toBe(urlAt(row))
    }
  })

  it('by key goes to the last row, whose details open without covering it', async () => {
    await scrollTo(0)
    const lastInSight = cell(15, 'url')
    await lastInSight.click()
    await host.page.locator('.details-body dl').waitFor()
    await expect.poll(() => isInSight(lastInSight)).toBe(true)
    await host.page.keyboard.press('End')
    const last = cell(ROWS - 1, 'url')
    await expect.poll(() => last.textContent()).toBe(urlAt(ROWS - 1))
    await host.page
      .locator('[data-pane="details"]')
      .getByText(String(urlAt(ROWS - 1)))
      .first()
      .waitFor()
    expect(await isInSight(last)).toBe(true)
  })

  it('shows every row while the wheel turns as fast as it can', async () => {
    await scrollTo(0)
    await host.page.locator('.ag-grid-viewport').hover()
    for (let turn = 0; turn < 100; turn++) await host.page.mouse.wheel(0, 1_000)
    await expect
      .poll(async () => {
        const rows = await host.page.locator('.ag-row [col-id="url"]').allTextContents()
        return rows.length > 10 && rows.every((url) => url.startsWith('http'))
      })
      .toBe(true)
  })

  it('sorts and filters all of them, and the row in the middle is the right one', async () => {
    await host.page.locator('.text-filter input').fill('teapot-9')
    const found = Number(value(`SELECT count(*) FROM urls WHERE url LIKE '%teapot-9%'`))
    expect(found).toBeGreaterThan(100)
    await host.page
      .getByText(`${found.toLocaleString('en')} `)
      .first()
      .waitFor()
    const header = host.page.locator('.ag-header-cell[col-id="url"]')
    await header.click()
    const nth = (row: number) =>
      value(`SELECT url FROM urls WHERE url LIKE '%teapot-9%' ORDER BY url LIMIT 1 OFFSET ${row}`)
    await expect.poll(() => cell(0, 'url').textContent()).toBe(nth(0))
    await scrollTo(found >> 1)
    await expect.poll(() => cell(found >> 1, 'url').textContent()).toBe(nth(found >> 1))
    expect(host.complaints).toEqual([])
  })
})
