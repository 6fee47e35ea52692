import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCrawlFile } from '../../bench/make-crawl-file.ts'
import { NO_CHROMIUM } from '../hosts/chromium.ts'
import { type DesktopHost, spawnDesktop, startDesktop } from '../hosts/electron-stand-in.ts'
import { startTestSite } from '../site/start-test-site.ts'
import { type HangingSite, startHangingSite } from './hanging-site.ts'

/** The built shell through the stand-in for Electron: who may talk to it, and what it does for the desktop. */

if (NO_CHROMIUM !== null) console.log(`skipped: ${NO_CHROMIUM}`)

describe.skipIf(NO_CHROMIUM !== null)('the shell', () => {
  let home: string
  let host: DesktopHost

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-shell-'))
    host = await startDesktop(home)
    await host.page.getByRole('heading', { name: 'Crawl your first site' }).waitFor()
  })
  afterAll(async () => {
    await host?.kill()
    rmSync(home, { recursive: true, force: true })
  })

  /** As a page would invoke a command. */
  const invoke = (frame: 'none' | 'child' | 'main', url: string, channel = 'sandpiper:invoke') =>
    host.inMain(
      (all, sent) => {
        const mainFrame = { url: sent.url }
        const sender = { mainFrame, id: 99, isDestroyed: () => false }
        const senderFrame = { none: null, child: { url: sent.url }, main: mainFrame }[sent.frame]
        const event = { sender, senderFrame, defaultPrevented: false, preventDefault: () => {} }
        const settings = { seeds: ['http://127.0.0.1:1/'] }
        return all.ipcMain.answer(sent.channel, event, ['crawl.start', { settings }]) as Promise<{ ok: boolean }>
      },
      { frame, url, channel },
    )

  it.each([
    ['none', 'app://sandpiper/'],
    ['child', 'app://sandpiper/'],
    ['main', 'https://sandpiper/'],
    ['main', 'app://sandpiper.evil.test/'],
    ['main', 'app://evil/'],
    ['main', 'about:blank'],
    ['main', ''],
  ] as const)('refuses a command of a stranger: %s frame, %s', async (frame, url) => {
    expect(await invoke(frame, url)).toMatchObject({ ok: false, error: { code: 'bad_input' } })
    expect(await host.page.getByRole('heading', { name: 'Crawl your first site' }).isVisible()).toBe(true)
  })

  it('knows two channels and no other', async () => {
    await expect(invoke('main', 'app://sandpiper/', 'sandpiper:other')).rejects.toThrow('No handler registered')
  })

  it('does not let events go to a stranger', async () => {
    const sent = await host.inMain((all) => {
      let count = 0
      const sender = { mainFrame: { url: 'https://evil.test/' }, id: 98, send: () => count++, isDestroyed: () => false }
      all.ipcMain.emit('sandpiper:subscribe', { sender, senderFrame: sender.mainFrame })
      return count
    })
    expect(sent).toBe(0)
  })

  it('answers app:// with a policy, and with files of its own only', async () => {
    const answers = await host.page.evaluate(`Promise.all(
      ['/', '/nothing', '/../main/main.js', '/%2e%2e/main/main.js', '/assets/..%2f..%2fmain%2fmain.js'].map(async (path) => {
        const response = await fetch(path)
        return [response.status, response.headers.get('content-security-policy')]
      }))`)
    const [[status, policy], ...others] = answers as [number, string | null][] as [
      [number, string],
      ...[number, null][],
    ]
    expect(status).toBe(200)
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+';/)
    expect(others.map(([each]) => each)).toEqual([404, 404, 404, 404])
    expect(await host.page.evaluate(`fetch('/', { method: 'POST' }).then(({ status }) => status)`)).toBe(404)
  })

  it('lets no page leave, and opens windows in the browser only', async () => {
    await host.page.evaluate(`void (location.href = 'https://evil.test/')`)
    await host.page.evaluate(`void window.open('https://example.org/page')`)
    await host.page.evaluate(`void window.open('file:///etc/passwd')`)
    await expect
      .poll(() => host.inMain((all) => all.calls))
      .toEqual([{ what: 'openExternal', args: ['https://example.org/page'] }])
    expect(host.page.url()).toBe('https://sandpiper.app.invalid/')
    expect(await host.page.getByRole('heading', { name: 'Crawl your first site' }).isVisible()).toBe(true)
  })

  it('grants nothing', async () => {
    const granted = await host.inMain((all) => {
      const answers: unknown[] = []
      all.permissions.request!({}, 'media', (answer: unknown) => answers.push(answer))
      return [...answers, all.permissions.check!({}, 'clipboard-read')]
    })
    expect(granted).toEqual([false, false])
  })

  it('shows the page nothing of Node', async () => {
    expect(
      await host.page.evaluate(`[typeof require, typeof process, Object.keys(window.sandpiper).sort().join()]`),
    ).toEqual(['undefined', 'undefined', 'invoke,onWindowCommand,subscribe'])
  })

  it('has a menu that does what the window can', async () => {
    const click = (id: string) =>
      host.inMain((all, item) => all.Menu.getApplicationMenu()!.getMenuItemById(item)!.click(), id)
    await click('settings')
    await host.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await click('new')
    await host.page.getByRole('heading', { name: 'New crawl' }).waitFor()
    await click('about')
    await host.page.getByRole('dialog').waitFor()
    await host.page.keyboard.press('Escape')
    await click('library')
    await host.page.getByRole('heading', { name: 'Crawl your first site' }).waitFor()
    expect(host.complaints.filter((text) => !/404|ERR_|file:/.test(text))).toEqual([])
  })
})

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
    const place = { x: 200, y: 100, width: 900, height: 600 }
    host = await startDesktop(home)
    await host.inMain((all, bounds) => all.BrowserWindow.getAllWindows()[0]!.setBounds(bounds), place)
    const file = join(home, 'window.json')
    await expect
      .poll(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')), { timeout: 5_000 })
      .toEqual(place)
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
