import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../cli/run-cli.ts'
import type { TestHost } from '../hosts/host.ts'
import { HOSTS } from '../hosts/hosts.ts'
import { startTestSite, type TestSite } from '../site/start-test-site.ts'

/** The whole job as a user does it: set up, start, watch, pause, filter, export, have the power cut, carry on. */

const PAGES = 900
/** Requests in flight, and finished ones not committed: what a kill may cost. */
const PER_KILL = 64 + 50

describe.each(HOSTS)('the whole job in the $name', ({ missing, start }) => {
  let home: string
  let site: TestSite
  let host: TestHost

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-app-'))
    site = await startTestSite({ pages: PAGES, latencyMs: 25 })
  })
  afterEach(async () => {
    await host?.kill()
    await site?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it.skipIf(missing !== null)('is done, the host killed in the middle', { timeout: 180_000 }, async () => {
    host = await start(home)
    const { page, complaints } = host
    await page.getByRole('heading', { name: 'Crawl your first site' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')

    // A mistake is told, and nothing typed is lost.
    await page.getByLabel('Address of a site').fill('htp:/x')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('is not a web address').waitFor()
    expect(await page.getByLabel('Address of a site').inputValue()).toBe('htp:/x')
    await page.getByRole('button', { name: 'Dismiss' }).click()

    // A setting is changed, then Start.
    await page.getByLabel('Address of a site').fill(site.url)
    await page.getByRole('button', { name: 'Options…' }).click()
    await page.locator('summary', { hasText: /^Limits/ }).click()
    await page.getByLabel('Pages, at most').fill('800')
    await page.getByRole('button', { name: 'Start', exact: true }).click()

    // Rows arrive and are counted.
    await state(page, 'Running').waitFor()
    await page
      .getByRole('gridcell', { name: /section-\d\/page-\d+\.html/ })
      .first()
      .waitFor()
    await expect.poll(() => done(page), { timeout: 20_000 }).toBeGreaterThan(50)

    // Pause: nothing leaves any more.
    await page.getByRole('button', { name: 'Pause' }).click()
    await state(page, 'Paused').waitFor()
    const paused = (await site.stats()).requests
    await page.waitForTimeout(1_000)
    expect((await site.stats()).requests).toBe(paused)

    await page.getByRole('button', { name: 'Resume' }).click()
    await state(page, 'Running').waitFor()
    const before = await done(page)
    await expect.poll(() => done(page), { timeout: 20_000 }).toBeGreaterThan(before + 50)

    // Power cut. The page's complaints about that do not count.
    const beforeCut = [...complaints]
    await host.kill()
    const [file] = readdirSync(join(home, 'crawls')).filter((name) => name.endsWith('.sandpiper'))
    const { stdout } = await runCli(['status', join(home, 'crawls', file!), '--json'])
    const { counts, state: stored } = JSON.parse(stdout)
    expect(stored).toBe('interrupted')
    const left = counts.pending + counts.processing + counts.failed

    host = await start(home)
    const row = host.page.getByRole('row').filter({ hasText: new URL(site.url).host })
    await row.getByText(/Interrupted$/).waitFor()
    await row.getByRole('button', { name: `Resume (${left.toLocaleString('en-US')} left)` }).click()
    await row.getByRole('button', { name: new URL(site.url).host, exact: true }).click()
    await state(host.page, 'Stopped').waitFor({ timeout: 90_000 })
    await host.page.getByText('The page limit was reached.').waitFor()
    expect(await done(host.page)).toBeGreaterThanOrEqual(700)
    const repeats = Object.values((await site.stats()).repeats).reduce((sum, each) => sum + each, 0)
    expect(repeats).toBeLessThanOrEqual(2 * PER_KILL)

    // Broken links, as a spreadsheet.
    await host.page.getByRole('button', { name: /^Broken/ }).click()
    await host.page.getByRole('gridcell', { name: '404' }).first().waitFor()
    const rows = await shownRows(host.page)
    expect(rows).toBeGreaterThan(0)
    await host.page.getByRole('button', { name: 'Export' }).click()
    await host.page.getByRole('radio', { name: /The table as shown/ }).check()
    const csv = await host.save(() => host.page.getByRole('button', { name: /^(Download|Save…)$/ }).click())
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^\ufeffurl,state,/)
    expect(lines).toHaveLength(1 + rows)
    for (const line of lines.slice(1)) expect(line).toContain(',404,')

    // The mistyped address was refused by the host: a browser notes every answer that is no success.
    expect([...beforeCut, ...host.complaints].filter((text) => !text.includes('422'))).toEqual([])
  })
})

/** In words, after a sign that only repeats them. */
const state = (page: Page, word: string) => page.getByRole('banner').getByText(new RegExp(`^\\W*${word}$`))

async function done(page: Page): Promise<number> {
  const text = await page
    .getByLabel('Status', { exact: true })
    .getByText(/ done$/)
    .textContent()
  return Number((text ?? '').replace(/\D/g, ''))
}

async function shownRows(page: Page): Promise<number> {
  const text = await page
    .getByRole('search')
    .getByText(/ rows?$/)
    .textContent()
  return Number((text ?? '').replace(/\D/g, ''))
}
