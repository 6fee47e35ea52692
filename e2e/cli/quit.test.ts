import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../site/start-test-site.ts'
import { RunningCli } from './run-cli.ts'

/** Quitting with 64 requests that never answer: saved, soon, and nothing left in flight. */

let folder: string
let site: TestSite

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-quit-'))
  site = await startTestSite({ pages: 50 })
})
afterAll(async () => {
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function crawlHanging(name: string): Promise<{ cli: RunningCli; file: string }> {
  const file = join(folder, `${name}.sandpiper`)
  const cli = new RunningCli([
    'crawl',
    `${site.url}hang`,
    '--file',
    file,
    '--per-host',
    '64',
    '--json',
    '--no-sitemaps',
  ])
  for (let tries = 0; tries < 200; tries++) {
    if ((await site.inFlight()) >= 64) return { cli, file }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the crawl never had 64 requests in flight')
}

function readRows(file: string): { processing: number; attempts: number; crashes: number; clean: number } {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db
      .prepare(
        `SELECT count(*) FILTER (WHERE state = 1) AS processing, sum(attempts) - count(*) FILTER (WHERE state = 2) AS attempts,
         sum(crashes) AS crashes, (SELECT clean FROM crawl) AS clean FROM urls`,
      )
      .get() as ReturnType<typeof readRows>
  } finally {
    db.close()
  }
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s with 64 requests in flight', (signal, exitCode) => {
  it('saves everything, says how to resume, and ends within 4.5 s', async () => {
    const { cli, file } = await crawlHanging(`one-${signal}`)
    const asked = performance.now()
    cli.process.kill(signal)
    const { code, stdout, stderr } = await cli.result
    expect(performance.now() - asked).toBeLessThan(4_500)
    expect(code).toBe(exitCode)
    expect(stderr).toContain('sandpiper resume')
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'stopped',
      exitReason: 'signal',
      pages: { done: 1, pending: 200 },
    })
    expect(readRows(file)).toEqual({ processing: 0, attempts: 0, crashes: 0, clean: 1 })
  })

  it('ends within a second of the second signal', async () => {
    const { cli, file } = await crawlHanging(`two-${signal}`)
    cli.process.kill(signal)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const asked = performance.now()
    cli.process.kill(signal)
    const { code } = await cli.result
    expect(performance.now() - asked).toBeLessThan(1_000)
    expect(code).toBe(exitCode)
    expect(readRows(file)).toEqual({ processing: 0, attempts: 0, crashes: 0, clean: 1 })
  })
})
