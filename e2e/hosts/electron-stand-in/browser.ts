import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { app } from './app.ts'
import { answer, blocked } from './protocol.ts'

/** The one Chromium whose pages are the windows. The spec attaches to it by its DevTools port. */

const ARGS = ['--no-sandbox', '--remote-debugging-port=0', '--disable-background-networking']
let context: BrowserContext | null = null
let opening = 0

export async function startBrowser(): Promise<void> {
  context = await chromium.launchPersistentContext(join(app.getPath('userData'), 'chromium'), {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    handleSIGTERM: false,
    handleSIGINT: false,
    handleSIGHUP: false,
    args: ARGS,
  })
  await context.route('**/*', answer)
  context.on('page', (page) => {
    if (opening > 0) opening--
    else {
      blocked.push(`window ${page.url()}`)
      void page.close()
    }
  })
}

/** Of the Chromium process, for whoever kills this one. */
export const browserPid = async (): Promise<number | null> => {
  const cdp = await context!.browser()!.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

export function newPage(): Promise<Page> {
  opening++
  return context!.newPage()
}
