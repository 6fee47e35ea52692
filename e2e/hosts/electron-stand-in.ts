import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { NO_CHROMIUM } from './chromium.ts'
import type { Everything } from './electron-stand-in/electron.ts'
import { type HostKind, listen, type TestHost } from './host.ts'

/** The built desktop app, run in Node on the stand-in for Electron. */

const ROOT = join(import.meta.dirname, '../..')
const REGISTER = join(import.meta.dirname, 'electron-stand-in/register.ts')
const PATIENCE_MS = 20_000

export interface DesktopHost extends TestHost {
  /** Runs a function in the main process; it must stand for itself. */
  inMain<R, A = undefined>(work: (all: Everything, arg: A) => R | Promise<R>, arg?: A): Promise<R>
  /** The window's page now: after a crash it is another one. */
  pageNow(): Promise<Page>
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  signal(signal: NodeJS.Signals): void
}

export const spawnDesktop = (home: string, args: string[] = [], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ['--import', REGISTER, 'out/main/main.js', '.', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, SANDPIPER_HOME: home },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

export async function startDesktop(home: string, args: string[] = [], env = {}): Promise<DesktopHost> {
  const child = spawnDesktop(home, args, env)
  const ended: DesktopHost['ended'] = new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  const page = await attach(home, child)
  const complaints = listen(page)
  const inMain = callsOf(child)
  return {
    page,
    complaints,
    inMain,
    ended,
    pageNow: () => pageOf(page.context().browser()!),
    signal: (signal) => void child.kill(signal),
    save: async (act) => {
      const path = join(mkdtempSync(join(tmpdir(), 'sandpiper-saved-')), 'export.csv')
      await inMain((all, filePath) => {
        all.answers.push({ what: 'showSaveDialog', answer: { canceled: false, filePath } })
      }, path)
      await act()
      await until(() => existsSync(path))
      return path
    },
    kill: async () => {
      const chromiumPid = child.pid === undefined ? null : await inMain((all) => all.browserPid()).catch(() => null)
      child.kill('SIGKILL')
      await ended
      if (chromiumPid !== null) endProcess(chromiumPid)
    },
  }
}

export const electronStandIn: HostKind = {
  name: 'stand-in for Electron',
  missing: NO_CHROMIUM,
  start: (home) => startDesktop(home),
}

/** The window's page, through the DevTools port of the stand-in's Chromium. */
async function attach(home: string, child: ChildProcess): Promise<Page> {
  const file = join(home, 'window/chromium/DevToolsActivePort')
  const began = Date.now()
  const isFresh = (): boolean => existsSync(file) && readFileSync(file, 'utf8').includes('\n')
  await until(() => child.exitCode !== null || isFresh())
  for (;;) {
    if (child.exitCode !== null || Date.now() - began > PATIENCE_MS) throw new Error('the app did not come up')
    try {
      const [port] = readFileSync(file, 'utf8').split('\n')
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
      const page = ownPage(browser)
      if (page !== undefined) return page
      await browser.close()
    } catch {
      // A port file of an earlier start, or no page yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const ownPage = (browser: Browser): Page | undefined =>
  browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((each) => each.url().startsWith('https://sandpiper.'))

async function pageOf(browser: Browser): Promise<Page> {
  await until(() => ownPage(browser) !== undefined)
  return ownPage(browser)!
}

function callsOf(child: ChildProcess): DesktopHost['inMain'] {
  let last = 0
  // Each call waits for an answer or the end.
  child.setMaxListeners(0)
  return (work, arg) =>
    new Promise((resolve, reject) => {
      const id = ++last
      const onMessage = (message: { id: number; value: never; error?: string }): void => {
        if (message.id !== id) return
        child.off('message', onMessage)
        if (message.error === undefined) resolve(message.value)
        else reject(new Error(message.error))
      }
      child.on('message', onMessage)
      if (child.exitCode !== null) reject(new Error('the app has ended'))
      child.once('exit', () => reject(new Error('the app has ended')))
      child.send({ id, source: String(work), arg }, (error) => error && reject(error))
    })
}

async function until(condition: () => boolean): Promise<void> {
  for (const began = Date.now(); !condition(); ) {
    if (Date.now() - began > PATIENCE_MS) throw new Error('it did not come about')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended with its parent.
  }
}
