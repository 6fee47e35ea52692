import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { makeCrawlFile } from '../../bench/make-crawl-file.ts'
import { launchChromium } from '../hosts/chromium.ts'

/**
 * Opens a large made-up crawl in the real window (Chromium, the built page, the real service) and prints how long its user
 * waits. The main loop's delay is that of this process, which holds the service and drives the browser.
 *
 *   npm run bench:large-ui -- [--rows 1000000]
 */

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const ROWS = Number(values.rows)
const ROW_PX = 28
const JUMPS = 100
const OUT = join(import.meta.dirname, '../../out')

Object.assign(globalThis, { __VERSION__: 'bench', __PLANT__: '' })
const { compose } = await import('../../electron/service/compose.ts')
const { hostFacts } = await import('../../electron/service/crawl-run.ts')
const { StaticAssets } = await import('../../electron/service/static-assets.ts')
const { HttpHost } = await import('../../electron/node/http-host.ts')

const home = mkdtempSync(join(tmpdir(), 'sandpiper-large-'))
mkdirSync(join(home, 'crawls'))
console.log(`making ${ROWS.toLocaleString('en')} rows…`)
makeCrawlFile(join(home, 'crawls/shop.sandpiper'), ROWS)
const facts = hostFacts(join(OUT, 'main'))
const application = compose(join(home, 'crawls'), facts, null)
const host = await HttpHost.listen({ application, assets: new StaticAssets(join(OUT, 'renderer')) }, 0)
const browser = await launchChromium()
const loop = monitorEventLoopDelay({ resolution: 1 })
const figures: Record<string, string> = {}

try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const cdp = await page.context().newCDPSession(page)
  await page.goto(host.url)
  await page.locator('.crawls .site button').waitFor()
  loop.enable()
  await watchLongTasks(page)
  figures.opens = `${await timed(async () => {
    await page.locator('.crawls .site button').click()
    await page.locator('.ag-row .ag-cell').first().waitFor()
  })} ms`
  await page.waitForTimeout(2_000)
  await measureScrolling(page, cdp)
  for (const view of ['Waiting', 'Done', 'Redirects', 'Broken', 'Skipped', 'Images', 'All']) {
    await measureAnswer(page, `view ${view}`, () => page.locator('.views button', { hasText: view }).click())
  }
  await measureAnswer(page, 'text "teapot-9"', () => page.locator('.text-filter input').fill('teapot-9'))
  await measureAnswer(page, 'no text', () => page.locator('.text-filter input').fill(''))
  for (const column of ['url', 'title', 'bytes', 'status']) {
    await measureAnswer(page, `sort by ${column}`, () => page.locator(`.ag-header-cell[col-id="${column}"]`).click())
  }
  const tasks = (await page.evaluate('window.longTasks')) as number[]
  tasks.sort((a, b) => a - b)
  figures['long tasks in the page'] =
    `${tasks.length}, p95 ${tasks[Math.floor(tasks.length * 0.95)] ?? 0} ms, longest ${tasks.at(-1) ?? 0} ms`
  figures['main loop delay'] =
    `p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, longest ${(loop.max / 1e6).toFixed(0)} ms`
} finally {
  await browser.close()
  await host.close()
  await application.close()
  rmSync(home, { recursive: true, force: true })
}
console.log(`${ROWS.toLocaleString('en')} rows, ${availableParallelism()} cores, Node ${process.version}`)
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(28)} ${figure}`)
process.exit()

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}

async function measureScrolling(page: Page, cdp: CDPSession): Promise<void> {
  const heaps = [await heapMegabytes(cdp)]
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    for (let jump = 0; jump < JUMPS; jump++) {
      const row = (jump * 7919 * 131 + round) % (ROWS - 50)
      waits.push((await page.evaluate(`(${jumpTo})(${row}, ${ROW_PX})`)) as number)
    }
    heaps.push(await heapMegabytes(cdp))
  }
  waits.sort((a, b) => a - b)
  const at = (part: number): number => Math.round(waits[Math.floor(waits.length * part)]!)
  figures[`${waits.length} jumps to any row`] =
    `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${Math.round(waits.at(-1)!)} ms`
  figures[`page heap every ${JUMPS} jumps`] = `${heaps.join(', ')} MB`
  const last = await page.evaluate(`(${jumpTo})(${ROWS - 1}, ${ROW_PX})`)
  figures['the last row'] = `${Math.round(last as number)} ms`
}

/** Runs in the page: milliseconds until the row shows an address. */
function jumpTo(row: number, rowPx: number): Promise<number> {
  const scope = globalThis as unknown as {
    document: { querySelector(selector: string): { scrollTop: number; textContent: string } | null }
    requestAnimationFrame(work: () => void): void
  }
  const began = performance.now()
  scope.document.querySelector('.ag-grid-viewport')!.scrollTop = row * rowPx
  return new Promise((resolve) => {
    const look = (): void => {
      const cell = scope.document.querySelector(`.ag-row[row-index="${row}"] .ag-cell[col-id="url"]`)
      if (cell?.textContent.startsWith('http')) resolve(performance.now() - began)
      else if (performance.now() - began > 10_000) resolve(10_000)
      else scope.requestAnimationFrame(look)
    }
    look()
  })
}

/** Until the table is there, or says how far it is. */
async function measureAnswer(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  const note = page.waitForResponse((response) => response.url().endsWith('/command/table.read'))
  const began = performance.now()
  await act()
  await note
  const first = Math.round(performance.now() - began)
  await page.waitForFunction(hasRows)
  const whole = Math.round(performance.now() - began)
  figures[name] = `first answer ${first} ms, rows ${whole} ms`
  await page.waitForTimeout(300)
}

/** Runs in the page: rows are shown, and no list is being made. */
function hasRows(): boolean {
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): object | null } }
  const row = document.querySelector('.ag-row .ag-cell[col-id="url"]')
  return row !== null && document.querySelector('[role="progressbar"]') === null
}

async function heapMegabytes(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return Math.round(usedSize / 1e6)
}

async function watchLongTasks(page: Page): Promise<void> {
  await page.evaluate(`window.longTasks = []
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration)) })
      .observe({ entryTypes: ['longtask'] })`)
}
