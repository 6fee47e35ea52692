import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCrawlFile } from '../../bench/make-crawl-file.ts'
import { NO_CHROMIUM } from '../hosts/chromium.ts'
import { type DesktopHost, spawnDesktop, startDesktop } from '../hosts/electron-stand-in.ts'
import { startTestSite } from '../site/start-test-site.ts'
import { type HangingSite, startHangingSite } from './hanging-site.ts'

/** What the built shell does for the desktop, and the desktop to it, through the stand-in for Electron. */

if (NO_CHROMIUM !== null) console.log(`skipped: ${NO_CHROMIUM}`)

/** As a window's own background is given. */
const pageBackground = `'#' + getComputedStyle(document.body).backgroundColor
  .match(/\\d+/g).map((each) => Number(each).toString(16).padStart(2, '0')).join('')`

describe.skipIf(NO_CHROMIUM !== null)('the desktop', () => {
  let home: string
  let site: HangingSite
  let host: DesktopHost

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-desktop-'))
    site = await startHangingSite(4, 3)
  })
  afterEach(async () => {
    await host.kill()
    await site.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it('stays awake while a crawl runs, and is told of its end behind another window', async () => {
    host = await startDesktop(home)
    const { page } = host
    await page.getByLabel('Address of a site').fill(site.url)
    await page.keyboard.press('Enter')
    await expect.poll(() => host.inMain((all) => all.awake())).toEqual(['prevent-app-suspension'])
    await expect.poll(() => site.answered()).toBe(4)
    await host.inMain((all) => {
      all.BrowserWindow.isFocused = false
    })
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect
      .poll(() => host.inMain((all) => all.notifications.map(({ options }) => options)), { timeout: 10_000 })
      .toEqual([{ title: `${new URL(site.url).host}: Stopped`, body: '4 done, 0 failed' }])
    expect(await host.inMain((all) => [all.awake(), all.BrowserWindow.getAllWindows()[0]!.bar])).toEqual([[], -1])
    await page.getByRole('button', { name: 'Library' }).click()
    await host.inMain((all) => all.notifications[0]!.emit('click'))
    await page
      .getByRole('banner')
      .getByText(/Stopped$/)
      .waitFor()
  })

  it('opens where it was, and files from outside in the one window', async () => {
    const place = { x: 300, y: 120, width: 1100, height: 700 }
    host = await startDesktop(home)
    await host.inMain((all, bounds) => all.BrowserWindow.getAllWindows()[0]!.setBounds(bounds), place)
    await host.page.evaluate(`sandpiper.invoke('app.save', { theme: 'dark' })`)
    void host.inMain((all) => all.app.quit()).catch(() => {})
    await host.ended
    const other = join(home, 'elsewhere')
    mkdirSync(other)
    makeCrawlFile(join(other, 'shop.sandpiper'), 50)
    host = await startDesktop(home, [join(other, 'shop.sandpiper')])
    expect(await host.inMain((all) => all.BrowserWindow.getAllWindows()[0]!.getNormalBounds())).toEqual(place)
    await host.page.getByRole('heading', { name: 'shop.example' }).waitFor()
    const background = await host.inMain((all) => all.BrowserWindow.getAllWindows()[0]!.background)
    await expect.poll(() => host.page.evaluate(pageBackground)).toBe(background)
    await host.page.getByRole('button', { name: 'Library' }).click()
    const focused = (): Promise<number[]> =>
      host.inMain((all) => all.BrowserWindow.getAllWindows().map(({ focusCount }) => focusCount))
    const [before] = await focused()
    const second = spawnDesktop(home, [join(other, 'shop.sandpiper')])
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
    await host.page.getByRole('heading', { name: 'shop.example' }).waitFor()
    expect(await focused()).toEqual([before! + 1])

    // As a Mac hands a file over.
    makeCrawlFile(join(other, 'club.sandpiper'), 20)
    await host.page.getByRole('button', { name: 'Library' }).click()
    const prevented = await host.inMain(
      (all, path) => {
        let count = 0
        all.app.emit('open-file', { preventDefault: () => count++ }, path)
        return count
      },
      join(other, 'club.sandpiper'),
    )
    expect(prevented).toBe(1)
    await host.page.getByRole('heading', { name: 'shop.example' }).waitFor()
    expect(await host.page.evaluate(`sandpiper.invoke('library.list', {}).then(({ value }) => value.length)`)).toBe(2)
  })

  it('starts nothing while the computer sleeps, and goes on when it wakes', async () => {
    const pages = await startTestSite({ pages: 5_000, latencyMs: 30 })
    try {
      host = await startDesktop(home)
      await host.page.getByLabel('Address of a site').fill(pages.url)
      await host.page.keyboard.press('Enter')
      const asked = async (): Promise<number> => (await pages.stats()).requests
      await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(20)
      await host.inMain((all) => void all.powerMonitor.emit('suspend'))
      await host.page.waitForTimeout(500)
      const asleep = await asked()
      await host.page.waitForTimeout(500)
      expect(await asked()).toBe(asleep)
      await host.inMain((all) => void all.powerMonitor.emit('resume'))
      await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(asleep + 20)
    } finally {
      await pages.stop()
    }
  })

  it('keeps the place of a window at rest: it need not be closed', async () => {
    host = await startDesktop(home)
    const file = join(home, 'window.json')
    const moved = { x: 200, y: 100, width: 1280, height: 800 }
    for (const place of [moved, { ...moved, width: 900 }]) {
      await host.inMain((all, bounds) => all.BrowserWindow.getAllWindows()[0]!.setBounds(bounds), place)
      await expect
        .poll(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')), { timeout: 5_000 })
        .toEqual(place)
    }
  })

  it('loads a page that died anew, then says that it will not; crawls go on, and it can be quit', async () => {
    host = await startDesktop(home)
    await host.page.getByLabel('Address of a site').fill(site.url)
    await host.page.keyboard.press('Enter')
    await expect.poll(() => site.answered()).toBe(4)
    const row = new URL(site.url).host
    for (let time = 1; time <= 3; time++) {
      await crash()
      const page = await host.pageNow()
      await page.getByRole('row').filter({ hasText: row }).getByText('Running').waitFor()
    }
    await crash()
    const page = await host.pageNow()
    await page.getByRole('heading', { name: 'This window stopped working' }).waitFor()
    expect(await page.evaluate(`getComputedStyle(document.body).maxWidth`)).toBe('480px')
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('row').filter({ hasText: row }).getByText('Running').waitFor()
    expect(site.hanging()).toBe(4)

    // A page that ends as it should is not loaded again.
    await page.evaluate(`window.mark = 1`)
    await host.inMain((all) => {
      const [window] = all.BrowserWindow.getAllWindows()
      window!.webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 })
    })
    await page.waitForTimeout(300)
    expect(await page.evaluate(`window.mark`)).toBe(1)
    void host.inMain((all) => all.app.quit()).catch(() => {})
    expect(await host.ended).toEqual({ code: 0, signal: null })
  })

  async function crash(): Promise<void> {
    const page = await host.pageNow()
    const died = new Promise((resolve) => page.once('close', resolve))
    await host.inMain((all) => all.BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer())
    await died
  }
})
