import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandInput, type CommandName, type CommandOutput, commands } from '../../shared/contract.ts'
import { type Application, compose } from './compose.ts'

/** Crawls of a real server whose answers the test holds back. */

let home: string
let server: Server
let origin: string
let app: Application
/** Requests by path, in the order in which they came; answers that are held back. */
let asked: string[]
let held: Map<string, ServerResponse>
let links: string[]
let isHeld: (path: string) => boolean

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sandpiper-control-'))
  asked = []
  held = new Map()
  links = []
  isHeld = () => false
  server = createServer((request, response) => {
    const path = request.url!
    if (path === '/robots.txt' || path === '/sitemap.xml') return response.writeHead(404).end()
    asked.push(path)
    if (isHeld(path)) held.set(path, response)
    else answer(path, response)
    return response
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = start()
})
afterEach(async () => {
  app.crawls.abortAll()
  await app.crawls.stopAll()
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true, force: true })
})

function start(): Application {
  const workers = {
    parseWorker: new URL('../parse/parse-worker.ts', import.meta.url),
    parseThreads: 1,
    sortWorker: new URL('./tables/sort-worker.ts', import.meta.url),
  }
  return compose(join(home, 'crawls'), { ...workers, sampleSite: '', isOwnAddress: () => false }, null)
}

function answer(path: string, response: ServerResponse): void {
  const page = path === '/' ? links.map((link) => `<a href="${link}">x</a>`).join('') : `<h1>${path}</h1>`
  response.writeHead(path.startsWith('/broken') ? 500 : 200, { 'content-type': 'text/html' }).end(page)
}

async function run<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
  const handler = app.handlers[name] as (input: unknown) => unknown
  return commands[name].output.parse(await handler(commands[name].input.parse(input))) as CommandOutput<N>
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not come about')
}

const begin = async (settings: object = {}): Promise<string> => {
  const result = await run('crawl.start', {
    settings: { seeds: [`${origin}/`], requests: { retries: 0 }, ...settings },
  })
  return result.id
}
const stateOf = async (id: string) => (await run('crawl.read', { id })).state
const countsOf = async (id: string) => (await run('library.list', {})).find((crawl) => crawl.id === id)!.counts!
const rows = async (id: string) => (await run('table.read', { id, start: 0, count: 100 })).rows
const idsOf = async (id: string, ...paths: string[]): Promise<number[]> => {
  const all = await rows(id)
  return paths.map((path) => all.find(({ url }) => url === `${origin}${path}`)!.id)
}
const paths = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `/p${from + n}`)

describe('pause', () => {
  it('lets running requests finish, sends no more, and carries on with exactly the rest', async () => {
    links = paths(0, 20)
    isHeld = (path) => path === '/p0' || path === '/p1'
    const id = await begin({ politeness: { perHost: 2 } })
    await until(() => held.size === 2)
    await run('crawl.pause', { id })
    expect(await stateOf(id)).toBe('pausing')
    for (const [path, response] of held) answer(path, response)
    await until(async () => (await stateOf(id)) === 'paused')
    expect(asked).toEqual(['/', '/p0', '/p1'])
    expect(await countsOf(id)).toMatchObject({ done: 3, pending: 18, processing: 0, failed: 0 })
    isHeld = () => false
    await run('crawl.resume', { id })
    await until(async () => (await stateOf(id)) === 'finished')
    expect([...asked].sort()).toEqual(['/', ...paths(0, 20)].sort())
  })

  it('is taken back while requests still run', async () => {
    links = paths(0, 5)
    isHeld = (path) => path === '/p0'
    const id = await begin({ politeness: { perHost: 1 } })
    await until(() => held.size === 1)
    await run('crawl.pause', { id })
    await run('crawl.resume', { id })
    expect(await stateOf(id)).toBe('running')
    answer('/p0', held.get('/p0')!)
    await until(async () => (await stateOf(id)) === 'finished')
    expect([...asked].sort()).toEqual(['/', ...paths(0, 5)].sort())
  })
})

describe('while the computer sleeps', () => {
  it('nothing starts; afterwards requests on dead connections are sent anew and cost no try', async () => {
    links = paths(0, 6)
    isHeld = (path) => path === '/p0'
    const id = await begin({ politeness: { perHost: 2 } })
    await until(() => held.size === 1 && asked.length === 7)
    app.crawls.holdAll()
    isHeld = () => false
    app.crawls.releaseAll()
    await until(async () => (await stateOf(id)) === 'finished')
    expect(asked.filter((path) => path === '/p0')).toHaveLength(2)
    const row = (await rows(id)).find(({ url }) => url.endsWith('/p0'))
    expect(row).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('a held crawl starts nothing', async () => {
    links = paths(0, 6)
    isHeld = (path) => path === '/p0'
    const id = await begin({ politeness: { perHost: 1 } })
    await until(() => held.size === 1)
    app.crawls.holdAll()
    answer('/p0', held.get('/p0')!)
    await until(async () => (await run('table.counts', { id })).counts?.done === 2)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(asked).toEqual(['/', '/p0'])
    app.crawls.releaseAll()
    await until(async () => (await stateOf(id)) === 'finished')
  })
})

describe('the line of crawls', () => {
  it('waits for a place, in order; a place more begins the next', async () => {
    await run('app.save', { maxRunning: 1 })
    isHeld = () => true
    const ids = [await begin(), await begin(), await begin()]
    await until(() => held.size === 1)
    expect(await Promise.all(ids.map(stateOf))).toEqual(['running', 'queued', 'queued'])
    await run('crawl.pause', { id: ids[1]! })
    expect(await stateOf(ids[1]!)).toBe('idle')
    await run('crawl.resume', { id: ids[1]! })
    await expect(run('crawl.resume', { id: ids[1]! })).rejects.toMatchObject({ code: 'bad_input' })
    await run('app.save', { maxRunning: 2 })
    expect(await Promise.all(ids.map(stateOf))).toEqual(['running', 'queued', 'running'])
    isHeld = () => false
    for (const [path, response] of held) answer(path, response)
    await until(async () => (await stateOf(ids[0]!)) === 'finished')
    await until(async () => (await stateOf(ids[1]!)) === 'finished')
  })

  it('leaves a crawl that never began to be resumed after a restart', async () => {
    await run('app.save', { maxRunning: 1 })
    isHeld = () => true
    await begin()
    const waiting = await begin()
    await app.crawls.stopAll()
    await app.close()
    app = start()
    isHeld = () => false
    expect(await run('crawl.read', { id: waiting })).toMatchObject({ state: 'idle', resumable: true })
    await run('crawl.resume', { id: waiting })
    await until(async () => (await stateOf(waiting)) === 'finished')
  })
})

describe('what a user changes by hand', () => {
  /** A crawl of / with some pages that wait behind one that is held. */
  async function runningCrawl(): Promise<string> {
    links = ['/held', '/broken', '/a', '/b', '/private/1', '/private/2', '/c']
    isHeld = (path) => path === '/held'
    const id = await begin({ politeness: { perHost: 1 } })
    await until(() => held.size === 1)
    return id
  }
  const finish = async (id: string): Promise<void> => {
    isHeld = () => false
    answer('/held', held.get('/held')!)
    await until(async () => (await stateOf(id)) === 'finished')
  }

  it('excludes a pattern from now on, after showing what that removes', async () => {
    const id = await runningCrawl()
    expect(await run('exclude.preview', { id, pattern: '/private/*' })).toEqual({
      waiting: 2,
      examples: [`${origin}/private/1`, `${origin}/private/2`],
    })
    expect(await run('exclude.add', { id, pattern: '/private/*' })).toEqual({ changed: 2 })
    expect(await run('exclude.preview', { id, pattern: '/private/*' })).toEqual({ waiting: 0, examples: [] })
    await finish(id)
    expect(asked.filter((path) => path.startsWith('/private'))).toEqual([])
    expect((await rows(id)).filter(({ reason }) => reason === 'excluded')).toHaveLength(2)
    expect((await run('crawl.settings', { id })).scope.exclude).toEqual(['/private/*'])
  })

  it('moves waiting URLs to the front', async () => {
    const id = await runningCrawl()
    expect(await run('url.moveToFront', { id, urlIds: await idsOf(id, '/c', '/private/2') })).toEqual({ changed: 2 })
    expect(await run('url.moveToFront', { id, urlIds: await idsOf(id, '/') })).toEqual({ changed: 0 })
    await finish(id)
    const [first, second] = asked.filter((path) => !['/', '/held', '/broken'].includes(path)).slice(0, 2)
    expect([first, second]).toEqual(['/private/2', '/c'])
  })

  it('retries failed and finished URLs, in a running crawl and in one that does not run', async () => {
    const id = await runningCrawl()
    await finish(id)
    expect(await countsOf(id)).toMatchObject({ done: 7, final_failed: 1 })
    expect(await run('crawl.retryFailed', { id })).toEqual({ changed: 1 })
    expect(await run('url.retry', { id, urlIds: await idsOf(id, '/a') })).toEqual({ changed: 1 })
    expect(await countsOf(id)).toMatchObject({ pending: 2, done: 6, final_failed: 0 })
    isHeld = (path) => path === '/a'
    held.clear()
    await run('crawl.resume', { id })
    await until(() => held.size === 1)
    expect(await run('url.retry', { id, urlIds: await idsOf(id, '/b', '/a') })).toEqual({ changed: 1 })
    isHeld = () => false
    answer('/a', held.get('/a')!)
    await until(async () => (await stateOf(id)) === 'finished')
    expect(asked.filter((path) => path === '/a' || path === '/b' || path === '/broken').sort()).toEqual(
      ['/a', '/a', '/b', '/b', '/broken', '/broken'].sort(),
    )
    expect(await countsOf(id)).toMatchObject({ pending: 0, done: 7, final_failed: 1 })
  })

  it('counts pages that are retried only once against the page limit', async () => {
    links = paths(0, 10)
    const id = await begin({ limits: { maxPages: 4 } })
    await until(async () => (await stateOf(id)) === 'stopped')
    await run('url.retry', { id, urlIds: await idsOf(id, '/p0') })
    await run('crawl.resume', { id })
    await until(async () => (await stateOf(id)) === 'stopped')
    expect(asked).toHaveLength(5)
    expect(await countsOf(id)).toMatchObject({ done: 4, pending: 7 })
  })

  it('begins nothing while the app ends', async () => {
    const id = await begin()
    await app.crawls.stopAll()
    for (const begins of [
      () => begin(),
      () => run('crawl.resume', { id, retryFailed: false }),
      () => run('crawl.sample', {}),
    ]) {
      await expect(begins()).rejects.toMatchObject({ code: 'closing' })
    }
    expect(await run('library.list', {})).toHaveLength(1)
  })

  it('refuses a crawl that is not there', async () => {
    await expect(run('url.retry', { id: 'no.sandpiper', urlIds: [1] })).rejects.toMatchObject({ code: 'file_missing' })
  })
})

it('says how each site is doing', async () => {
  links = paths(0, 4)
  isHeld = (path) => path === '/p0'
  const id = await begin({ politeness: { perHost: 1 } })
  await until(() => held.size === 1)
  const [site] = await run('crawl.sites', { id })
  expect(site).toMatchObject({ origin, inFlight: 1, waiting: 4, done: 1, failed: 0, robotsStatus: 404 })
})
