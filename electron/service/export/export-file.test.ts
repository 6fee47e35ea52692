import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COLUMNS, VIEWS } from '../../../shared/columns.ts'
import { crawlSettings } from '../../../shared/crawl-settings.ts'
import type { Answer } from '../../engine/page-sink.ts'
import { CrawlFile } from '../../store/crawl-file.ts'
import { exportView } from './export-file.ts'

let folder: string
let file: CrawlFile

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-export-'))
})
afterEach(() => {
  file.close()
  rmSync(folder, { recursive: true, force: true })
})

const url = (path: string): string => `http://site.test/${path}`
const settings = crawlSettings.parse({ seeds: [url('')] })

function answer(title: string, targets: string[]): Answer {
  const urls = targets.map(url)
  const links = {
    urls,
    kinds: new Uint8Array(urls.length),
    flags: new Uint8Array(urls.length),
    texts: urls.map(() => 'text'),
  }
  const facts = {
    description: '',
    h1: '',
    h2: '',
    canonical: '',
    robots: '',
    lang: '',
    hreflang: '',
    words: 2,
    encoding: 'utf-8',
    notes: [],
  }
  return {
    status: 200,
    contentType: 'text/html',
    headers: '',
    wireBytes: 1,
    responseMs: 1,
    bytes: 1,
    hash: 'ab',
    redirectTo: '',
    page: { title, ...facts, links },
  }
}

/** Crawls a made-up site, finishing its pages in the order given. */
function build(name: string, pages: Record<string, string[]>, order: string[]): string {
  const path = join(folder, name)
  file = CrawlFile.create(path, settings, () => 1_000, '1')
  const { frontier, sink } = file.begin(() => ({ admitted: true, origin: 'http://site.test' }))
  frontier.add({ url: url(''), key: url(''), isPage: true, depth: 0, found: 'seed' })
  sink.commit()
  const hand = new Map<string, ReturnType<typeof frontier.claim>[number]>()
  for (const page of order) {
    for (const claim of frontier.claim(1, 100, 'all')) hand.set(claim.url, claim)
    sink.commit()
    const claim = hand.get(url(page))!
    sink.record({
      claim,
      outcome: { state: 'done', answer: answer(`=${page}`, pages[page]!) },
      startedAt: 1_000,
      endedAt: 1_001,
    })
    sink.commit()
  }
  return path
}

async function text(path: string, view: (typeof VIEWS)[number], format: 'csv' | 'jsonl' = 'jsonl'): Promise<string> {
  const output = join(folder, `out-${view}.${format}`)
  await exportView({ file: path, view, format, preset: 'excel', output })
  return readFileSync(output, 'utf8')
}

const SITE = { '': ['a', 'b'], a: ['c', 'b'], b: ['c', ''], c: ['d'], d: [] }

it('says the same whatever order the pages were finished in', async () => {
  const first = build('first.sandpiper', SITE, ['', 'a', 'b', 'c', 'd'])
  const exports = await Promise.all(VIEWS.map((view) => text(first, view)))
  file.close()
  const second = build('second.sandpiper', SITE, ['', 'b', 'c', 'd', 'a'])
  for (const [n, view] of VIEWS.entries()) expect(await text(second, view), view).toBe(exports[n])
  const pages = exports[0]!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(pages.map(({ depth, inlinks, referrer }) => [depth, inlinks, referrer])).toEqual([
    [0, 1, null],
    [1, 1, url('')],
    [1, 2, url('')],
    [2, 2, url('a')],
    [3, 1, url('c')],
  ])
  expect(Object.keys(pages[0])).toEqual(COLUMNS.pages.map(({ name }) => name))
})

it('shows committed rows only, while a crawl has the file open', async () => {
  const path = build('live.sandpiper', SITE, ['', 'a'])
  expect((await text(path, 'pages')).trim().split('\n')).toHaveLength(2)
})

it('neutralises formulas and starts with a byte order mark for Excel', async () => {
  const path = build('excel.sandpiper', SITE, [''])
  const csv = await text(path, 'pages', 'csv')
  expect(csv.startsWith('\ufeffurl,final_url,')).toBe(true)
  expect(csv).toContain(",text/html,'=,")
})

it('leaves the old file whole, and nothing else, when it is cancelled or cannot write', async () => {
  const path = build('cancel.sandpiper', SITE, ['', 'a', 'b', 'c', 'd'])
  const before = await text(path, 'links')
  const output = join(folder, 'out-links.jsonl')
  const request = { file: path, view: 'links', format: 'csv', preset: 'data', output } as const
  await expect(exportView(request, AbortSignal.abort())).rejects.toThrow()
  expect(readFileSync(output, 'utf8')).toBe(before)
  const lost = exportView({ ...request, output: join(folder, 'no', 'x.csv') })
  await expect(lost).rejects.toMatchObject({
    code: 'folder_not_writable',
    message: expect.stringContaining('--output'),
  })
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
