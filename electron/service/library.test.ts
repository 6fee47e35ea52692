import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Library } from './library.ts'
import { TestCrawl } from './tables/test-crawl.ts'

let home: string
let folder: string
let library: Library
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sandpiper-library-'))
  folder = join(home, 'crawls')
  library = new Library(folder, () => {})
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

/** @param live leaves it as a kill leaves it: its log beside it, nobody holding it */
function makeCrawl(path: string, live = false): void {
  const crawl = new TestCrawl(live ? `${path}.running` : path)
  crawl.add('', { depth: 0, found: 'seed' })
  crawl.visit('', { links: ['a', 'b'] })
  if (live) {
    copyFileSync(`${path}.running`, path)
    copyFileSync(`${path}.running-wal`, `${path}-wal`)
  }
  crawl.end()
  if (live) rmSync(`${path}.running`)
}

it('lists what is in its folder, with what is left of each', async () => {
  makeCrawl(join(folder, 'a.sandpiper'), true)
  writeFileSync(join(folder, 'broken.sandpiper'), 'no database')
  writeFileSync(join(folder, 'notes.txt'), '')
  const list = await library.list()
  expect(list.map(({ id, state, resumable }) => [id, state, resumable]).sort()).toEqual([
    ['a.sandpiper', 'interrupted', true],
    ['broken.sandpiper', 'unreadable', false],
  ])
  const crawl = list.find(({ id }) => id === 'a.sandpiper')!
  expect(crawl.counts).toMatchObject({ done: 1, pending: 2 })
  expect(crawl.seeds).toEqual(['http://site.test/'])
})

it('a crawl that changes is counted anew', async () => {
  const crawl = new TestCrawl(join(folder, 'a.sandpiper'))
  crawl.add('', { depth: 0, found: 'seed' })
  crawl.commit()
  expect((await library.list())[0]!.counts).toMatchObject({ pending: 1, done: 0 })
  crawl.visit('')
  expect((await library.list())[0]!.counts).toMatchObject({ pending: 0, done: 1 })
  expect((await library.list())[0]!.state).toBe('elsewhere')
  crawl.end()
})

it('lists a file where it is, over a restart, under a name that is free', async () => {
  makeCrawl(join(folder, 'a.sandpiper'))
  mkdirSync(join(home, 'other'))
  const path = join(home, 'other', 'a.sandpiper')
  makeCrawl(path)
  expect(library.add(path)).toBe('a-2.sandpiper')
  expect(library.add(path)).toBe('a-2.sandpiper')
  expect(library.add(join(folder, 'a.sandpiper'))).toBe('a.sandpiper')
  const again = new Library(folder, () => {})
  expect((await again.list()).map(({ id }) => id).sort()).toEqual(['a-2.sandpiper', 'a.sandpiper'])
  expect(again.path('a-2.sandpiper')).toBe(path)
  rmSync(path)
  expect((await again.list()).map(({ id }) => id)).toEqual(['a.sandpiper'])
})

it('does not list what is no crawl file', () => {
  writeFileSync(join(home, 'x.sandpiper'), 'nothing')
  expect(() => library.add(join(home, 'x.sandpiper'))).toThrow(expect.objectContaining({ code: 'not_a_crawl_file' }))
  expect(() => library.add(join(home, 'gone.sandpiper'))).toThrow(expect.objectContaining({ code: 'file_missing' }))
})

it('moves an interrupted crawl to the trash whole, with what was only in its log', async () => {
  makeCrawl(join(folder, 'a.sandpiper'), true)
  await library.remove('a.sandpiper', null)
  expect(readdirSync(folder)).toEqual(['.trash'])
  const [name] = readdirSync(join(folder, '.trash'))
  const path = join(folder, '.trash', name!)
  expect(library.add(path)).toMatch(/a\.sandpiper$/)
  expect((await library.list())[0]!.counts).toMatchObject({ done: 1, pending: 2 })
})

it('takes the trash of the system where there is one', async () => {
  makeCrawl(join(folder, 'a.sandpiper'))
  const trashed: string[] = []
  await library.remove('a.sandpiper', async (path) => void trashed.push(path))
  expect(trashed).toEqual([join(folder, 'a.sandpiper')])
})

it('does not delete what another Sandpiper has open', async () => {
  const crawl = new TestCrawl(join(folder, 'a.sandpiper'))
  await expect(library.remove('a.sandpiper', null)).rejects.toMatchObject({ code: 'crawl_file_busy' })
  expect(existsSync(join(folder, 'a.sandpiper'))).toBe(true)
  crawl.end()
})

it('a damaged list of opened files loses no crawl', async () => {
  makeCrawl(join(folder, 'a.sandpiper'))
  writeFileSync(join(home, 'opened.json'), '{"../../etc/passwd": "/x", "b')
  expect((await new Library(folder, () => {}).list()).map(({ id }) => id)).toEqual(['a.sandpiper'])
})
