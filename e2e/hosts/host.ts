import { type ChildProcess, spawn } from 'node:child_process'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { CLI } from '../cli/run-cli.ts'
import { launchChromium, NO_CHROMIUM } from './chromium.ts'

/** The app running somewhere, as specs use it. */
export interface TestHost {
  /** The window; with what its console complained about. */
  page: Page
  complaints: string[]
  /** Does what ends in a saved export. Returns its path. */
  save(act: () => Promise<void>): Promise<string>
  /** SIGKILL, as a crash or a lost power supply would. */
  kill(): Promise<void>
}

export interface HostKind {
  name: string
  /** Why it cannot run here; null if it can. */
  missing: string | null
  /** @param home the profile folder */
  start(home: string, window?: BrowserContextOptions): Promise<TestHost>
}

const WINDOW = { viewport: { width: 1280, height: 800 }, locale: 'en-US' }

export const loopback: HostKind = {
  name: 'loopback host',
  missing: NO_CHROMIUM,
  start: async (home, window) => {
    const { child, url } = await serve(process.execPath, [CLI, 'serve', '--no-open'], home)
    const browser = await launchChromium()
    const page = await (await browser.newContext({ ...WINDOW, ...window })).newPage()
    const complaints = listen(page)
    await page.goto(url)
    return {
      page,
      complaints,
      save: async (act) => {
        const [download] = await Promise.all([page.waitForEvent('download'), act()])
        return download.path()
      },
      kill: async () => {
        child.removeAllListeners('exit')
        child.kill('SIGKILL')
        await browser.close()
      },
    }
  },
}

/** Starts a program that prints the app's address. */
export function serve(command: string, args: string[], home: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, SANDPIPER_HOME: home }
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the host ended with ${code}`)))
    child.stdout.once('data', (line: Buffer) => resolve({ child, url: /http:\S+/.exec(line.toString())![0] }))
  })
}

/** What a page reports of errors, as it goes on. */
export function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}
