import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { CrawlFile } from '../store/crawl-file.ts'
import { importCrawlFile } from './import-crawl-file.ts'

let folder: string
let bytes: Buffer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-import-'))
  const original = join(folder, 'original.sandpiper')
  CrawlFile.create(original, crawlSettings.parse({ seeds: ['http://127.0.0.1/'] }), () => 1, '0').close()
  bytes = readFileSync(original)
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('takes a crawl file in under its own name', async () => {
  expect(await importCrawlFile(folder, 'my site.sandpiper', Readable.from([bytes]))).toBe('my site.sandpiper')
  expect(readFileSync(join(folder, 'my site.sandpiper')).equals(bytes)).toBe(true)
  expect(readdirSync(folder)).toEqual(['my site.sandpiper'])
})

it('replaces nothing', async () => {
  writeFileSync(join(folder, 'a.sandpiper'), 'mine')
  expect(await importCrawlFile(folder, 'a.sandpiper', Readable.from([bytes]))).toBe('a-2.sandpiper')
  expect(readFileSync(join(folder, 'a.sandpiper'), 'utf8')).toBe('mine')
})

it.each(['../../etc/passwd', '..\\x.txt', '.hidden.sandpiper', '', 'a\0.sandpiper'])(
  'keeps %j inside the folder',
  async (name) => {
    expect(await importCrawlFile(folder, name, Readable.from([bytes]))).toBe('imported.sandpiper')
  },
)

it('uses the last part of a path', async () => {
  expect(await importCrawlFile(folder, 'C:\\crawls\\b.sandpiper', Readable.from([bytes]))).toBe('b.sandpiper')
})

it.each([
  ['no crawl file', () => Readable.from([Buffer.from('hello')]), 'not_a_crawl_file'],
  ['nothing', () => Readable.from([]), 'not_a_crawl_file'],
  ['half a crawl file', () => Readable.from([bytes.subarray(0, 50)]), 'damaged_crawl_file'],
  [
    'what breaks off',
    () =>
      Readable.from(
        (async function* () {
          yield bytes.subarray(0, 1_000)
          throw new Error('gone')
        })(),
      ),
    'storage_failed',
  ],
])('leaves nothing behind of %s', async (_name, source, code) => {
  await expect(importCrawlFile(folder, 'x.sandpiper', source())).rejects.toMatchObject({
    code,
    message: expect.not.stringContaining('incoming'),
  })
  expect(readdirSync(folder)).toEqual([])
})
