import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCrawlFile } from '../../bench/make-crawl-file.ts'
import { loopback, type TestHost } from '../hosts/host.ts'

/** Every view by axe, in both themes and both languages: no serious violation. */

const VIEWS: Record<string, (page: Page) => Promise<void>> = {
  library: async (page) => {
    await page.getByRole('row').filter({ hasText: 'shop.example' }).waitFor()
  },
  'row menu of the library': async (page) => {
    await page.locator('.crawls .actions button[aria-haspopup]').click()
    await page.getByRole('menu').waitFor()
  },
  crawl: async (page) => {
    await openCrawl(page)
  },
  'details of a row': async (page) => {
    await openCrawl(page)
    await page.locator('.ag-row .ag-cell').first().click()
    await page.locator('.details-body dl').waitFor()
  },
  'row menu': async (page) => {
    await openCrawl(page)
    await page.locator('.ag-row .ag-cell').first().click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  },
  'a filter': async (page) => {
    await openCrawl(page)
    await page.locator('.filter-bar button[aria-haspopup="dialog"]').first().click()
    await page.getByRole('dialog').waitFor()
  },
  'columns menu': async (page) => {
    await openCrawl(page)
    await page.locator('.filter-bar button[aria-haspopup="menu"]').click()
    await page.getByRole('menu').waitFor()
  },
  sites: async (page) => {
    await openCrawl(page)
    await page.locator('.views .apart button').click()
    await page.locator('.sites table').waitFor()
  },
  export: async (page) => {
    await openCrawl(page)
    await page.keyboard.press('Control+e')
    await page.getByRole('dialog').waitFor()
  },
  'new crawl': async (page) => {
    await page.keyboard.press('Alt+n')
    await page.locator('[data-view="setup"]').waitFor()
    for (const section of await page.locator('[data-view="setup"] [aria-expanded="false"]').all()) await section.click()
  },
  settings: async (page) => {
    await page.keyboard.press('Control+,')
    await page.locator('[data-view="settings"]').waitFor()
  },
  keyboard: async (page) => {
    await page.locator('.toolbar [aria-haspopup="menu"]').click()
    await page.getByRole('menuitem').nth(-2).click()
    await page.getByRole('dialog').waitFor()
  },
  about: async (page) => {
    await page.locator('.toolbar [aria-haspopup="menu"]').click()
    await page.getByRole('menuitem').last().click()
    await page.getByRole('dialog').waitFor()
  },
}

async function openCrawl(page: Page): Promise<void> {
  await page.locator('.crawls .site button').click()
  await page.locator('.ag-row .ag-cell').first().waitFor()
}

describe.skipIf(loopback.missing !== null)('axe', () => {
  let home: string
  let host: TestHost

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-axe-'))
    mkdirSync(join(home, 'crawls'))
    makeCrawlFile(join(home, 'crawls/shop.sandpiper'), 300)
    host = await loopback.start(home)
  })
  afterAll(async () => {
    await host?.kill()
    rmSync(home, { recursive: true, force: true })
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it.each(Object.entries(VIEWS))(`%s, ${colorScheme}`, async (_name, show) => {
      const { page } = host
      await page.emulateMedia({ colorScheme })
      await page.reload()
      await page.locator('.toolbar').waitFor()
      await show(page)
      expect(await seriousViolations(page)).toEqual([])
    })
  }
})

/** One line for each element that breaks a rule. */
async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 300)}`))
}
