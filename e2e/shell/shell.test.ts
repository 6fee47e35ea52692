import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../hosts/chromium.ts'
import { type DesktopHost, startDesktop } from '../hosts/electron-stand-in.ts'

/** The built shell through the stand-in for Electron: who may talk to it, and what its menu does. */

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
