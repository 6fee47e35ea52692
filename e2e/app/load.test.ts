import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, NO_CHROMIUM } from '../hosts/chromium.ts'
import { listen, serve } from '../hosts/host.ts'

/** The window while a crawl behind the engine's ports finishes 1,500 pages a second. */

const PAGES_PER_SECOND = 1_500
const WATCH_MS = 10_000
/** How long the page may be deaf to its user. */
const BUSY_P95_MS = 50
const LONGEST_BUSY_MS = 200

if (NO_CHROMIUM !== null) console.log(`skipped: ${NO_CHROMIUM}`)

describe.skipIf(NO_CHROMIUM !== null)('under load', () => {
  let home: string
  let browser: Browser
  let host: Awaited<ReturnType<typeof serve>>

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-load-'))
    const script = join(import.meta.dirname, 'busy-host.ts')
    host = await serve(process.execPath, [script, home, String(PAGES_PER_SECOND)], home)
    browser = await launchChromium()
  })
  afterAll(async () => {
    host?.child.removeAllListeners('exit')
    host?.child.kill('SIGKILL')
    await browser?.close()
    rmSync(home, { recursive: true, force: true })
  })

  it('the window gets ten events a second and stays responsive', { timeout: 60_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const complaints = listen(page)
    await page.goto(host.url)
    await page.locator('.crawls .site button').click()
    await page.locator('.ag-row .ag-cell').first().waitFor()
    const { events, delays, finished } = await watch(page, host.url)
    const p95 = delays[Math.floor(delays.length * 0.95)]!
    const longest = delays.at(-1)!
    console.log(`${finished} pages/s shown, ${events} events/s, page busy p95 ${p95} ms, longest ${longest} ms`)
    expect(finished).toBeGreaterThan(PAGES_PER_SECOND * 0.7)
    expect(events).toBeGreaterThan(5)
    expect(events).toBeLessThanOrEqual(10)
    expect(p95).toBeLessThan(BUSY_P95_MS)
    expect(longest).toBeLessThanOrEqual(LONGEST_BUSY_MS)
    expect(complaints).toEqual([])
  })
})

async function watch(page: Page, url: string): Promise<{ events: number; delays: number[]; finished: number }> {
  const before = await shown(page)
  const [events, delays] = await Promise.all([countEvents(url), page.evaluate(probe, WATCH_MS)])
  const seconds = WATCH_MS / 1_000
  return { events: (events - 1) / seconds, delays, finished: Math.round(((await shown(page)) - before) / seconds) }
}

/** How late a timer of 10 ms comes, again and again: as long as the page was busy. And tasks that the browser calls long. */
function probe(forMs: number): Promise<number[]> {
  return new Promise((resolve) => {
    const delays: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) delays.push(Math.round(duration))
    })
    observer.observe({ entryTypes: ['longtask' as 'function'] })
    const end = performance.now() + forMs
    const turn = (due: number): void => {
      const now = performance.now()
      delays.push(Math.round(Math.max(0, now - due)))
      if (now < end) setTimeout(turn, 10, now + 10)
      else {
        observer.disconnect()
        resolve(delays.sort((a, b) => a - b))
      }
    }
    setTimeout(turn, 10, performance.now() + 10)
  })
}

/** Batches that a second window of the same host gets meanwhile. */
async function countEvents(url: string): Promise<number> {
  const { origin, hash } = new URL(url)
  const headers = { 'x-sandpiper-token': hash.slice(1) }
  const response = await fetch(`${origin}/events`, { headers, signal: AbortSignal.timeout(WATCH_MS) })
  let batches = 0
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()))
      batches += chunk.split('id: ').length - 1
  } catch {
    // The time is over.
  }
  return batches
}

async function shown(page: Page): Promise<number> {
  const text = await page
    .getByLabel('Status', { exact: true })
    .getByText(/ done$/)
    .textContent()
  return Number((text ?? '').replace(/\D/g, ''))
}
