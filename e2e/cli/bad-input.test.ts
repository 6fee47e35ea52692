import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI, type CliResult, RunningCli, runCli } from './run-cli.ts'

/** Every mistake gets one sentence that names the field and the fix, the right exit code, and damages nothing. */

let folder: string
let site: Server
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-input-'))
  chmodSync(folder, 0o755)
  site = createServer((request, response) => {
    if (request.url === '/slow') return void setTimeout(() => response.end('late'), 20_000).unref()
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? '<title>t</title><a href="/slow">x</a>' : '')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
})

afterAll(() => {
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

function expectOneSentence({ code, stdout, stderr }: CliResult, exit: number, words: RegExp): void {
  expect(stderr).toMatch(words)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
  expect(stdout).toBe('')
  expect(code).toBe(exit)
}

describe('usage mistakes end with 2', () => {
  it.each<[string, string[], RegExp]>([
    ['no URL', ['crawl'], /crawl needs an address/],
    ['a mistyped scheme', ['crawl', 'htp:/x'], /htp:\/x.*https?:\/\//],
    ['a scheme that is not the web', ['crawl', 'ftp://example.org/'], /ftp:\/\/example\.org/],
    ['an unknown command', ['crwal', 'http://x/'], /"crwal" is not a command/],
    ['an unknown flag', ['crawl', 'http://x/', '--max-page', '3'], /--max-page is not an option.*--max-pages/],
    ['a flag without its value', ['crawl', 'http://x/', '--max-pages'], /--max-pages needs a value/],
    [
      'a number that is none',
      ['crawl', 'http://x/', '--concurrency', 'many'],
      /--concurrency must be a whole number.*many/,
    ],
    ['a number out of range', ['crawl', 'http://x/', '--concurrency', '0'], /--concurrency/],
    ['a header without a colon', ['crawl', 'http://x/', '--header', 'oops'], /--header/],
    ['a header with a line break', ['crawl', 'http://x/', '--header', 'A: b\r\nC: d'], /--header/],
    ['no crawl file', ['resume'], /resume needs a crawl file/],
    ['no view', ['export', 'x.sandpiper'], /--view/],
    [
      'an export that cannot be written',
      ['crawl', 'http://x/', '--export', 'no/such/out.csv'],
      /--export no\/such\/out\.csv/,
    ],
    ['an unknown view', ['export', 'x.sandpiper', '--view', 'page'], /--view must be one of pages/],
  ])('%s', async (_name, args, words) => {
    expectOneSentence(await runCli([...args], { cwd: folder }), 2, words)
  })

  it('a settings file with a misspelt key', async () => {
    const settings = join(folder, 'settings.json')
    writeFileSync(settings, JSON.stringify({ limits: { maxPagez: 3 } }))
    expectOneSentence(
      await runCli(['crawl', url, '--settings', settings]),
      2,
      /"limits\.maxPagez" in .*settings\.json.*"maxPages"/,
    )
  })

  it('a settings file that is not JSON, or is missing', async () => {
    const settings = join(folder, 'broken.json')
    writeFileSync(settings, '{nope')
    expectOneSentence(await runCli(['crawl', url, '--settings', settings]), 2, /broken\.json is not valid JSON/)
    expectOneSentence(await runCli(['crawl', url, '--settings', join(folder, 'no.json')]), 2, /no\.json cannot be read/)
  })

  it('an existing --file is not touched', async () => {
    const file = join(folder, 'precious.txt')
    writeFileSync(file, 'precious')
    expectOneSentence(await runCli(['crawl', url, '--file', file, '--quiet']), 2, /already exists.*--file/)
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })
})

describe('what went wrong outside the command line ends with 1', () => {
  it('a host that refuses', async () => {
    const file = join(folder, 'dead.sandpiper')
    const result = await runCli(['crawl', 'http://127.0.0.1:9/', '--file', file, '--retries', '0', '--quiet'])
    expectOneSentence(result, 1, /http:\/\/127\.0\.0\.1:9\/ did not answer: the server refused the connection/)
  })

  it('a host that does not exist', async () => {
    const file = join(folder, 'nohost.sandpiper')
    const result = await runCli(['crawl', 'http://no-such-host.invalid/', '--file', file, '--retries', '0', '--quiet'])
    expectOneSentence(result, 1, /no-such-host\.invalid\/ did not answer: the host name/)
  })

  it.each<[string, (path: string) => void, RegExp]>([
    ['a text file', (path) => writeFileSync(path, 'hello, I am no crawl file'), /is not a Sandpiper crawl file/],
    [
      'a database of another program',
      (path) => {
        const db = new Sqlite(path)
        db.exec('CREATE TABLE t(x)')
        db.close()
      },
      /is not a Sandpiper crawl file/,
    ],
    ['no file', () => {}, /There is no crawl file at/],
  ])('resume, status and export of %s', async (name, prepare, words) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.bin`)
    prepare(file)
    expectOneSentence(await runCli(['resume', file]), 1, words)
    expectOneSentence(await runCli(['status', file]), 1, words)
    expectOneSentence(await runCli(['export', file, '--view', 'pages']), 1, words)
  })

  it('a crawl file of a newer version', async () => {
    const file = join(folder, 'newer.sandpiper')
    await runCli(['crawl', url, '--file', file, '--max-pages', '1', '--quiet'])
    const db = new Sqlite(file)
    db.pragma('user_version = 999')
    db.close()
    expectOneSentence(await runCli(['resume', file]), 1, /newer version of Sandpiper.*update/)
    expectOneSentence(await runCli(['status', file]), 1, /newer version of Sandpiper.*update/)
  })

  it('a folder that may not be written', async () => {
    const locked = join(folder, 'locked')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(locked, { mode: 0o555 })
    chmodSync(locked, 0o555)
    const wrapper = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const args = ['crawl', url, '--file', join(locked, 'x.sandpiper'), '--quiet']
    expectOneSentence(await runCli(args, { wrapper, cwd: '/' }), 1, /cannot be written.*--file/)
    expectOneSentence(
      await runCli(['crawl', url, '--file', join(folder, 'no', 'x.sandpiper')]),
      1,
      /does not exist.*--file/,
    )
  })

  it('a second process on the same file', async () => {
    const file = join(folder, 'busy.sandpiper')
    const first = new RunningCli(['crawl', url, '--file', file, '--quiet'])
    await until(async () => (await runCli(['status', file, '--json'])).stdout.includes('"owner":{'))
    const second = await runCli(['resume', file])
    expectOneSentence(second, 1, new RegExp(`already being crawled by process ${first.process.pid}`))
    first.process.kill('SIGKILL')
    await first.result
    const { stdout } = await runCli(['status', file, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ state: 'interrupted', resumable: true, owner: null })
  })
})

it('the entry says in one sentence that Node is too old, before loading anything', async () => {
  const entry = readFileSync(CLI, 'utf8')
  expect(entry).not.toMatch(/^import\s/m)
  expect(entry).toMatch(/22\.19/)
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('waited too long')
}
