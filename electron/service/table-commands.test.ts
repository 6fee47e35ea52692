import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandInput, type CommandOutput, commands } from '../../shared/contract.ts'
import { Library } from './library.ts'
import { TableCommands } from './table-commands.ts'
import { TestCrawl, testUrl } from './tables/test-crawl.ts'

const ID = 'a.sandpiper'
let folder: string
let crawl: TestCrawl
let tables: TableCommands

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-tables-'))
  crawl = new TestCrawl(join(folder, ID))
  tables = new TableCommands(new Library(folder, () => {}), new URL('./tables/sort-worker.ts', import.meta.url))
})
afterEach(() => {
  tables.close()
  crawl.end()
  rmSync(folder, { recursive: true, force: true })
})

type Name = 'table.read' | 'table.counts' | 'url.read' | 'url.links'
async function ask<N extends Name>(name: N, input: Omit<CommandInput<N>, 'id'>): Promise<CommandOutput<N>> {
  const handler = tables.handlers[name] as (input: unknown) => unknown
  const output = await handler(commands[name].input.parse({ id: ID, ...input }))
  return commands[name].output.parse(output) as CommandOutput<N>
}
const read = (input: Partial<CommandInput<'table.read'>>) => ask('table.read', { start: 0, count: 100, ...input })
const addMany = (from: number, to: number): void => {
  for (let n = from; n < to; n++) crawl.add(n)
  crawl.commit()
}

describe('a table', () => {
  it('in the order of finding grows by itself', async () => {
    addMany(0, 5)
    const { total, fresh, rows } = await read({ start: 3, count: 10 })
    expect([total, fresh, rows.map(({ id }) => id)]).toEqual([5, 0, [4, 5]])
    addMany(5, 8)
    expect(await read({ start: 3, count: 2 })).toMatchObject({ total: 8, fresh: 0, rows: [{ id: 4 }, { id: 5 }] })
    expect((await read({ start: 100 })).rows).toEqual([])
  })

  it('that is filtered stays as it was until it is asked for anew, but shows rows as they are', async () => {
    addMany(0, 3)
    const query = { filter: { view: 'waiting' as const } }
    const first = await read({ query })
    expect(first).toMatchObject({ total: 3, fresh: 0 })
    crawl.visit(0, { title: 'Read' })
    addMany(10, 14)
    const second = await read({ query })
    expect(second).toMatchObject({
      total: 3,
      fresh: 3,
      edition: first.edition,
      rows: [{ state: 'done', title: 'Read' }, {}, {}],
    })
    const third = await read({ query, refresh: true })
    expect(third).toMatchObject({ total: 6, fresh: 0 })
    expect(third.edition).toBeGreaterThan(first.edition)
    expect((await read({ query, refresh: true })).edition).toBe(third.edition)
  })

  it('that is sorted tells how many rows came since; one that is searched, how many match', async () => {
    addMany(0, 20)
    const sorted = { sort: { column: 'url' as const } }
    const searched = { filter: { text: '/1' } }
    expect((await read({ query: sorted })).total).toBe(20)
    expect((await read({ query: searched })).total).toBe(11)
    addMany(195, 205)
    expect((await read({ query: sorted })).fresh).toBe(10)
    expect((await read({ query: searched })).fresh).toBe(5)
    expect((await read({ query: searched })).fresh).toBe(5)
  })

  it('of many rows is sorted in the worker, and told of meanwhile', async () => {
    addMany(0, 5_000)
    const query = { sort: { column: 'reason' as const, descending: true } }
    let window = await read({ query, start: 4_998 })
    while (window.total === null) {
      expect(window.progress).not.toBeNull()
      expect(window.rows).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 5))
      window = await read({ query, start: 4_998 })
    }
    expect(window).toMatchObject({ total: 5_000, progress: null, rows: [{ id: 4_999 }, { id: 5_000 }] })
  })

  it('counts its views as they are now', async () => {
    addMany(0, 4)
    expect((await ask('table.counts', {})).counts).toMatchObject({ all: 4, waiting: 4, done: 0 })
    crawl.visit(1, { status: 404 })
    expect((await ask('table.counts', {})).counts).toMatchObject({ all: 4, waiting: 3, done: 1, broken: 1 })
  })

  it('says when there is no such crawl', async () => {
    await expect(tables.use('none.sandpiper', () => null)).rejects.toMatchObject({ code: 'file_missing' })
  })

  it('of a crawl that is let go is opened anew', async () => {
    addMany(0, 5)
    await read({ query: { filter: { view: 'waiting' } } })
    tables.forget(ID)
    crawl.end()
    renameSync(join(folder, ID), join(folder, 'gone.sandpiper'))
    await expect(read({})).rejects.toMatchObject({ code: 'file_missing' })
    crawl = new TestCrawl(join(folder, ID))
    expect((await read({})).total).toBe(0)
  })

  it('holds the files of three crawls at most', async () => {
    const others = ['b', 'c', 'd'].map((name) => new TestCrawl(join(folder, `${name}.sandpiper`)))
    const held = await tables.use(ID, (each) => each)
    for (const name of ['b', 'c']) await tables.use(`${name}.sandpiper`, () => {})
    expect(held.db.open).toBe(true)
    await tables.use('d.sandpiper', () => {})
    expect(held.db.open).toBe(false)
    expect(await tables.use('c.sandpiper', (each) => each.db.open)).toBe(true)
    for (const other of others) other.end()
  })
})

describe('a URL', () => {
  it('is told of with headers, redirects and tries', async () => {
    crawl.add('', { depth: 0, found: 'seed' })
    crawl.visit('', { links: ['old', 'round'], hreflang: '[["de","http://site.test/de"]]', title: 'Home' })
    crawl.visit('old', { status: 301, redirectTo: 'new' })
    crawl.visit('new', { headers: '{"server":"x","set-cookie":["a=1","b=2"]}' })
    crawl.visit('round', { status: 302, redirectTo: 'square' })
    crawl.visit('square', { status: 302, redirectTo: 'round' })
    const home = await ask('url.read', { urlId: 1 })
    expect(home).toMatchObject({
      found: 'seed',
      row: { url: testUrl(''), title: 'Home', state: 'done' },
      hreflang: [{ lang: 'de', url: 'http://site.test/de' }],
      metaRobots: 'noindex',
      outlinks: 2,
      headers: [],
      redirects: [{ id: 1 }],
      attempts: [{ startedAt: 1_000, endedAt: 1_005, outcome: 'done', status: 200 }],
    })
    expect((await ask('url.read', { urlId: 2 })).redirects).toEqual([
      { id: 2, url: testUrl('old'), status: 301 },
      { id: 4, url: testUrl('new'), status: 200 },
    ])
    expect((await ask('url.read', { urlId: 3 })).redirects.map(({ id }) => id)).toEqual([3, 5, 3])
    expect((await ask('url.read', { urlId: 4 })).headers).toEqual([
      { name: 'server', value: 'x' },
      { name: 'set-cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=2' },
    ])
    await expect(ask('url.read', { urlId: 99 })).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('that failed says when it is due', async () => {
    crawl.add(1)
    crawl.visit(1, {}, 'failed')
    expect(await ask('url.read', { urlId: 1 })).toMatchObject({ notBefore: 500, row: { reason: 'server_error' } })
  })

  it('has links out in the order of the page', async () => {
    crawl.add(0)
    crawl.visit(0, { links: ['a', '!', 'a', 'b'], kinds: ['a', 'a', 'img'] })
    crawl.visit('b', { status: 404 })
    const { rows, complete } = await ask('url.links', { urlId: 1, direction: 'out' })
    expect(complete).toBe(true)
    expect(rows).toEqual([
      { id: 2, url: testUrl('a'), state: 'processing', status: null, kind: 'a', text: 'to a', rel: '' },
      { id: null, url: 'http://[broken', state: null, status: null, kind: 'a', text: '', rel: 'nofollow' },
      { id: 2, url: testUrl('a'), state: 'processing', status: null, kind: 'img', text: 'to a', rel: 'ugc' },
      { id: 3, url: testUrl('b'), state: 'done', status: 404, kind: 'a', text: 'to b', rel: 'nofollow ugc' },
    ])
    expect(await ask('url.links', { urlId: 1, direction: 'out', limit: 3 })).toMatchObject({ complete: false })
    expect((await ask('url.links', { urlId: 1, direction: 'out', limit: 4 })).complete).toBe(true)
  })

  it('has links in from every page that has one', async () => {
    addMany(0, 40)
    for (let n = 0; n < 40; n++) crawl.visit(n, { links: n % 2 === 0 ? ['x', 'y', 'x'] : Array(50).fill('y') })
    const { rows, complete } = await ask('url.links', { urlId: 41, direction: 'in' })
    expect(complete).toBe(true)
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, n) => 2 * Math.floor(n / 2) + 1))
    expect(rows[1]).toMatchObject({ url: testUrl(0), state: 'done', status: 200, text: 'to x', rel: 'ugc' })
    const some = await ask('url.links', { urlId: 42, direction: 'in', limit: 7 })
    expect([some.rows.length, some.complete]).toEqual([7, false])
  })
})
