import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../cli/run-cli.ts'
import { NO_CHROMIUM } from '../hosts/chromium.ts'
import { type DesktopHost, startDesktop } from '../hosts/electron-stand-in.ts'
import { type HangingSite, startHangingSite } from './hanging-site.ts'

/** How the built app ends: through the stand-in for Electron, in both ways in which microtasks may run. */

const HANGING = 64
const ANSWERING = 30
/** The system kills after five seconds. */
const LATEST_MS = 4_500
const AT_ONCE_MS = 1_000

if (NO_CHROMIUM !== null) console.log(`skipped: ${NO_CHROMIUM}`)

describe.skipIf(NO_CHROMIUM !== null).each(['inside', 'after'])('microtasks %s an emit', (microtasks) => {
  let home: string
  let site: HangingSite
  let host: DesktopHost

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-quit-'))
    site = await startHangingSite(HANGING, ANSWERING)
    host = await startDesktop(home, [], { SANDPIPER_MICROTASKS: microtasks })
    await host.page.getByRole('heading', { name: 'Crawl your first site' }).waitFor()
    await host.inMain(
      (all, path) => {
        const { appendFileSync } = process.getBuiltinModule('node:fs')
        for (const name of ['before-quit', 'window-all-closed', 'will-quit', 'quit']) {
          all.app.prependListener(name, () => appendFileSync(path, `${name}\n`))
        }
      },
      join(home, 'order'),
    )
  })
  afterEach(async () => {
    await host.kill()
    await site.stop()
    rmSync(home, { recursive: true, force: true })
  })

  const order = (): string[] => readFileSync(join(home, 'order'), 'utf8').trim().split('\n')
  /** Milliseconds until the process has ended. */
  async function quit(how: () => Promise<unknown> | undefined): Promise<number> {
    const began = performance.now()
    void how()?.catch(() => {})
    expect(await host.ended).toEqual({ code: 0, signal: null })
    return Math.round(performance.now() - began)
  }

  async function crawlUntilItHangs(): Promise<void> {
    const settings = { seeds: [site.url], politeness: { perHost: HANGING, concurrency: HANGING } }
    await host.page.evaluate(
      (input) =>
        (globalThis as unknown as { sandpiper: { invoke(...args: unknown[]): unknown } }).sandpiper.invoke(
          'crawl.start',
          input,
        ),
      { settings },
    )
    await expect.poll(() => [site.hanging(), site.answered()], { timeout: 20_000 }).toEqual([HANGING, 1 + ANSWERING])
  }

  async function stored(): Promise<{ state: string; counts: Record<string, number> }> {
    const [file] = readdirSync(join(home, 'crawls')).filter((name) => name.endsWith('.sandpiper'))
    return JSON.parse((await runCli(['status', join(home, 'crawls', file!), '--json'])).stdout)
  }

  it('with nothing to do ends at once', async () => {
    const took = await quit(() => host.inMain((all) => all.app.quit()))
    console.log(`microtasks ${microtasks}: quit when idle took ${took} ms`)
    expect(order()).toEqual(['before-quit', 'before-quit', 'will-quit', 'quit'])
    expect(took).toBeLessThanOrEqual(AT_ONCE_MS)
  })

  it('while 64 requests hang says what it waits for, and keeps everything that arrived', async () => {
    await crawlUntilItHangs()
    const note = host.page.getByRole('alertdialog').getByText('64').waitFor()
    const took = await quit(() => host.inMain((all) => all.app.quit()))
    console.log(`microtasks ${microtasks}: quit with ${HANGING} hanging requests took ${took} ms`)
    await note
    expect(took).toBeGreaterThan(AT_ONCE_MS)
    expect(took).toBeLessThanOrEqual(LATEST_MS)
    expect(order()).toEqual(['before-quit', 'before-quit', 'will-quit', 'quit'])
    const { state, counts } = await stored()
    expect(state).toBe('stopped')
    expect(counts).toMatchObject({ done: 1 + ANSWERING, pending: HANGING, processing: 0, failed: 0 })
  })

  it('is hurried by Quit now', async () => {
    await crawlUntilItHangs()
    void host.inMain((all) => all.app.quit()).catch(() => {})
    const button = host.page.getByRole('button', { name: 'Quit now' })
    await button.waitFor()
    // Meanwhile nothing new begins.
    await host.inMain((all) => all.Menu.getApplicationMenu()!.getMenuItemById('settings')!.click())
    await host.page.waitForTimeout(200)
    expect(await host.page.getByRole('heading', { name: 'Settings', includeHidden: true }).count()).toBe(0)
    const took = await quit(() => button.click({ noWaitAfter: true }))
    console.log(`microtasks ${microtasks}: Quit now took ${took} ms`)
    expect(took).toBeLessThanOrEqual(AT_ONCE_MS)
    expect((await stored()).counts).toMatchObject({ done: 1 + ANSWERING, pending: HANGING, processing: 0 })
  })

  it('joins a second quit, and a signal does the same', async () => {
    await crawlUntilItHangs()
    const took = await quit(async () => {
      await host.inMain((all) => {
        all.app.quit()
        all.app.quit()
      })
      host.signal('SIGTERM')
    })
    expect(took).toBeLessThanOrEqual(LATEST_MS)
    expect(order().filter((name) => name === 'will-quit')).toHaveLength(1)
    expect((await stored()).counts).toMatchObject({ done: 1 + ANSWERING, pending: HANGING, processing: 0 })
  })

  it('by the last window waits all the same, in that window', async () => {
    await crawlUntilItHangs()
    const note = host.page.getByRole('alertdialog').getByText('64').waitFor()
    const took = await quit(() => host.inMain((all) => all.BrowserWindow.getAllWindows()[0]!.close()))
    expect(took).toBeLessThanOrEqual(LATEST_MS)
    await note
    expect(order()).toEqual(['before-quit', 'before-quit', 'will-quit', 'quit'])
    expect((await stored()).counts).toMatchObject({ done: 1 + ANSWERING, pending: HANGING, processing: 0 })
  })

  it.each([
    ['powerMonitor', 'shutdown'],
    ['window', 'query-session-end'],
    ['window', 'session-end'],
  ] as const)('of the system (%s: %s) is not held up, and loses nothing that was complete', async (from, name) => {
    await crawlUntilItHangs()
    const took = await quit(() =>
      host.inMain(
        (all, event) => {
          const [window] = all.BrowserWindow.getAllWindows()
          if (event.from === 'window') window!.emit(event.name)
          else all.powerMonitor.emit(event.name)
          all.app.quit()
        },
        { from, name },
      ),
    )
    expect(took).toBeLessThanOrEqual(AT_ONCE_MS)
    const { state, counts } = await stored()
    expect(state).toBe('interrupted')
    expect(counts).toMatchObject({ done: 1 + ANSWERING, processing: HANGING })
  })

  it('by an error that nobody caught keeps what was complete, and says so', async () => {
    await crawlUntilItHangs()
    await host.inMain(
      (all, path) => {
        const { writeFileSync } = process.getBuiltinModule('node:fs')
        all.dialog.showErrorBox = (title, text) => writeFileSync(path, `${title}\n${text}`)
        setTimeout(() => {
          throw new Error('planted')
        }, 0)
      },
      join(home, 'said'),
    )
    expect(await host.ended).toEqual({ code: 1, signal: null })
    expect(readFileSync(join(home, 'said'), 'utf8')).toMatch(/^Sandpiper has to close\n.*saved.*\n\nplanted$/s)
    const { state, counts } = await stored()
    expect(state).toBe('interrupted')
    expect(counts).toMatchObject({ done: 1 + ANSWERING, processing: HANGING })
  })
})
