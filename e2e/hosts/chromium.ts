import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The browser that shows the app in tests. It runs without its own sandbox where the tests run as root. */

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const ARGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Why there is none; null if there is one. */
export const NO_CHROMIUM = existsSync(CHROMIUM)
  ? null
  : `no Chromium at ${CHROMIUM}; set CHROMIUM_PATH to test the app in a browser`

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: ARGS })
