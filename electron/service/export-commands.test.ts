import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TABLE_COLUMNS } from '../../shared/columns.ts'
import { commands, type ExportProgress } from '../../shared/contract.ts'
import { ExportCommands } from './export-commands.ts'
import type { HostActions } from './host-actions.ts'
import { Library } from './library.ts'
import { TableCommands } from './table-commands.ts'
import { TestCrawl } from './tables/test-crawl.ts'

const ID = 'a.sandpiper'
let folder: string
let crawl: TestCrawl
let tables: TableCommands
let exports: ExportCommands
let chosen: string | null
let revealed: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-exports-'))
  crawl = new TestCrawl(join(folder, ID))
  crawl.add('', { depth: 0, found: 'seed' })
  crawl.visit('', { title: 'Home', links: ['b', 'a', 'c'] })
  crawl.visit('a', { title: '=A', status: 404 })
  crawl.visit('b', { title: 'b', contentType: 'image/png' })
  revealed = []
  chosen = join(folder, 'out.jsonl')
  const actions: HostActions = {
    chooseCrawlFile: async () => null,
    chooseExportPath: async () => chosen,
    reveal: (path) => void revealed.push(path),
    trash: async () => {},
    openOutside: async () => {},
    quitNow: () => {},
  }
  const library = new Library(folder, () => {})
  tables = new TableCommands(library, new URL('./tables/sort-worker.ts', import.meta.url))
  exports = new ExportCommands(library, tables, actions)
})
afterEach(async () => {
  await exports.close()
  tables.close()
  crawl.end()
  rmSync(folder, { recursive: true, force: true })
})

async function prepare(source: unknown, format = 'jsonl'): Promise<{ ticket: string; name: string }> {
  return exports.handlers['export.prepare'](
    commands['export.prepare'].input.parse({ id: ID, source, format }),
  ) as Promise<{ ticket: string; name: string }>
}

async function untilEnded(ticket: string): Promise<ExportProgress> {
  for (;;) {
    const progress = exports.progress()[ticket]
    if (progress !== undefined && progress.state !== 'writing') return progress
    await new Promise(setImmediate)
  }
}

it('saves the rows of a table as shown, tells of it, and shows it in its folder', async () => {
  const query = { filter: { states: ['done'] }, sort: { column: 'url', descending: true } }
  const { ticket, name } = await prepare({ query })
  expect(name).toBe('a-urls.jsonl')
  expect(await exports.handlers['export.save']({ ticket })).toEqual({ saving: true })
  const progress = await untilEnded(ticket)
  const text = readFileSync(chosen!, 'utf8')
  expect(progress).toEqual({
    name,
    rows: 3,
    bytes: Buffer.byteLength(text),
    state: 'done',
    place: chosen,
    trouble: '',
  })
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ url }) => url)).toEqual(['http://site.test/b', 'http://site.test/a', 'http://site.test/'])
  expect(Object.keys(rows[0])).toEqual(TABLE_COLUMNS.map((column) => column.name))
  expect(rows[1]).toMatchObject({ state: 'done', status: 404, title: '=A', depth: 1, attempts: 1, kind: 'page' })
  await exports.handlers['export.reveal']({ ticket })
  expect(revealed).toEqual([chosen])
})

it('exports all rows in the order in which they were found, those found since as well', async () => {
  const count = async (): Promise<number> => {
    const { ticket } = await prepare({ query: {} })
    await exports.handlers['export.save']({ ticket })
    return (await untilEnded(ticket)).rows
  }
  expect(await count()).toBe(4)
  crawl.add('later')
  crawl.commit()
  expect(await count()).toBe(5)
})

it('names an export after what it holds', async () => {
  expect((await prepare({ view: 'links' }, 'csv')).name).toBe('a-links.csv')
  expect((await prepare({ query: { filter: { view: 'broken' } } }, 'csv')).name).toBe('a-broken.csv')
})

it('a ticket is good for one export; one that is cancelled is good for none', async () => {
  const { ticket } = await prepare({ view: 'pages' })
  chosen = null
  expect(await exports.handlers['export.save']({ ticket })).toEqual({ saving: false })
  await expect(exports.handlers['export.save']({ ticket })).rejects.toMatchObject({ code: 'bad_input' })
  const second = await prepare({ view: 'pages' })
  await exports.handlers['export.cancel']({ ticket: second.ticket })
  expect(exports.take(second.ticket)).toBeNull()
  expect(() => exports.handlers['export.reveal']({ ticket })).toThrow(/not saved/)
})

it('never writes over a crawl file', async () => {
  const { ticket } = await prepare({ view: 'pages' })
  chosen = join(folder, ID)
  await expect(exports.handlers['export.save']({ ticket })).rejects.toThrow(/would replace a crawl file/)
})

it('says what is wrong with the disk', async () => {
  const { ticket } = await prepare({ view: 'pages' })
  chosen = join(folder, 'no such folder', 'x.csv')
  await exports.handlers['export.save']({ ticket })
  const { state, trouble } = await untilEnded(ticket)
  expect(state).toBe('failed')
  expect(trouble).toMatch(/cannot be written/)
})

it('leaves nothing of a save that is cancelled', async () => {
  const { ticket } = await prepare({ view: 'pages' })
  await exports.handlers['export.save']({ ticket })
  await exports.handlers['export.cancel']({ ticket })
  expect(await untilEnded(ticket)).toMatchObject({ state: 'cancelled', trouble: '' })
  expect(existsSync(chosen!)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('tells of a download whose reader has gone', async () => {
  const { ticket } = await prepare({ view: 'pages' })
  const download = exports.take(ticket)!
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: 'EPIPE' })),
  })
  output.on('error', () => {})
  await expect(download.write(output)).rejects.toThrow()
  expect(exports.progress()[ticket]).toMatchObject({ state: 'cancelled', place: '' })
})
