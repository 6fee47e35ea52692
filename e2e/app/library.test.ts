import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI } from '../cli/run-cli.ts'
import { startTestSite, type TestSite } from '../site/start-test-site.ts'

/** The app as a user meets it in a browser: start, watch, stop, have the host killed, carry on. */

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const PAGES = 600
const PER_KILL = 64 + 50

const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser) console.log(`skipped: no Chromium at ${CHROMIUM}; set CHROMIUM_PATH to test the app in a browser`)

describe.skipIf(!hasBrowser)('the library in a browser', () => {
  let home: string
  let site: TestSite
  let browser: Browser
  let host: { process: ChildProcess; url: string }

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'sandpiper-app-'))
    site = await startTestSite({ pages: PAGES, latencyMs: 30 })
    const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
    host = await startHost()
  })
  afterAll(async () => {
    await browser?.close()
    host?.process.kill('SIGKILL')
    await site?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  async function startHost(): Promise<typeof host> {
    const child = spawn(process.execPath, [CLI, 'serve', '--no-open'], {
      env: { ...process.env, SANDPIPER_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`serve ended with ${code}`)))
      child.stdout.once('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())![0]))
    })
    return { process: child, url }
  }

  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(host.url)
    return { page, complaints }
  }

  it('does the whole job, the host killed in the middle', { timeout: 120_000 }, async () => {
    const { page, complaints } = await open()
    await page.getByText('Your crawls will be listed here').waitFor()
    expect(new URL(page.url()).hash).toBe('')

    await page.getByLabel('Address of a site').fill('htp:/x')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('alert').getByText('is not a web address').waitFor()
    expect(await page.getByLabel('Address of a site').inputValue()).toBe('htp:/x')

    await page.getByLabel('Address of a site').fill(site.url)
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: site.url })
    await row.getByText('Running').waitFor()
    const done = async (): Promise<number> =>
      Number(((await row.getByRole('cell').nth(1).textContent()) ?? '').replace(/\D/g, ''))
    await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(20)

    await row.getByRole('button', { name: 'Stop' }).click()
    await row.getByText('Stopped').waitFor()
    const stopped = (await site.stats()).requests
    await page.waitForTimeout(500)
    expect((await site.stats()).requests).toBe(stopped)

    await row.getByRole('button', { name: 'Resume' }).click()
    await row.getByText('Running').waitFor()
    await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(60)
    host.process.removeAllListeners('exit')
    host.process.kill('SIGKILL')
    await page.close()

    host = await startHost()
    const again = await open()
    const interrupted = again.page.getByRole('row').filter({ hasText: site.url })
    await interrupted.getByText('Interrupted').waitFor()
    await interrupted.getByRole('button', { name: 'Resume' }).click()
    await interrupted.getByText('Finished').waitFor({ timeout: 60_000 })
    const [saved] = await Promise.all([
      again.page.waitForEvent('download'),
      interrupted.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^127\.0\.0\.1-.*-pages\.csv$/)
    const csv = readFileSync(await saved.path(), 'utf8')
    expect(csv.startsWith('\ufeffurl,final_url,status')).toBe(true)
    expect(csv).toContain(`${site.url}section-1/page-1.html,`)

    const repeats = Object.values((await site.stats()).repeats).reduce((sum, each) => sum + each, 0)
    expect(repeats).toBeLessThanOrEqual(2 * PER_KILL)

    await interrupted.getByRole('button', { name: 'Delete…' }).click()
    await interrupted.getByRole('button', { name: 'to the trash' }).click()
    await again.page.getByText('Your crawls will be listed here').waitFor()
    // The mistyped address was refused by the host: the browser notes every answer that is no success.
    expect([...complaints, ...again.complaints].filter((text) => !text.includes('422'))).toEqual([])
  })
})
