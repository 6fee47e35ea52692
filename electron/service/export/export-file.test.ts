import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COLUMNS, VIEWS, type View } from '../../../shared/columns.ts'
import { crawlSettings } from '../../../shared/crawl-settings.ts'
import type { Answer } from '../../engine/page-sink.ts'
import { CrawlFile } from '../../store/crawl-file.ts'
import { openForReading } from '../../store/database.ts'
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

it('leaves one whole file when it is asked for seven times at once', async () => {
  const path = build('seven.sandpiper', SITE, ['', 'a', 'b', 'c', 'd'])
  const output = join(folder, 'seven.jsonl')
  const request = { file: path, view: 'links', format: 'jsonl', preset: 'data', output } as const
  const exported = await Promise.all(Array.from({ length: 7 }, () => exportView(request)))
  expect(exported).toEqual(Array(7).fill({ rows: 7, bytes: statSync(output).size }))
  expect(readFileSync(output, 'utf8')).toBe(await text(path, 'links'))
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('says that the crawl file is damaged, and leaves nothing', async () => {
  const path = build('damaged.sandpiper', SITE, ['', 'a', 'b', 'c', 'd'])
  file.close()
  const db = openForReading(path)
  const root = db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'links'`).pluck().get() as number
  const pageBytes = db.pragma('page_size', { simple: true }) as number
  db.close()
  writeFileSync(path, readFileSync(path).fill(0xff, (root - 1) * pageBytes, root * pageBytes))
  await expect(text(path, 'pages')).rejects.toMatchObject({ code: 'damaged_crawl_file' })
  expect(readdirSync(folder).filter((name) => name.includes('out-'))).toEqual([])
  file = CrawlFile.create(join(folder, 'other.sandpiper'), settings, () => 1_000, '1')
})

it.skipIf(process.platform === 'win32')(
  'writes into a pipe that stands under the name, and leaves it there',
  async () => {
    const path = build('pipe.sandpiper', SITE, ['', 'a', 'b', 'c', 'd'])
    const output = join(folder, 'pipe')
    expect(spawnSync('mkfifo', [output]).status).toBe(0)
    const request = { file: path, view: 'links', format: 'jsonl', preset: 'data', output } as const
    const [received] = await Promise.all([readText(createReadStream(output)), exportView(request)])
    expect(received).toBe(await text(path, 'links'))
    expect(statSync(output).isFIFO()).toBe(true)
  },
)

describe('a hundred thousand rows', () => {
  const COUNT = 100_000
  let path: string

  beforeEach(() => {
    path = join(folder, 'large.sandpiper')
    file = CrawlFile.create(path, settings, () => 1_000, '1')
  })

  function fill(): ReturnType<CrawlFile['begin']> {
    const life = file.begin(() => ({ admitted: false, reason: 'external', detail: '' }))
    for (let n = 0; n < COUNT; n++) add(life, n)
    life.sink.commit()
    return life
  }
  const add = ({ frontier }: ReturnType<CrawlFile['begin']>, n: number): void =>
    frontier.add({ url: url(`${n}`), key: url(`${n}`), isPage: true, depth: null, found: 'sitemap' })

  const exportTo = (output: Writable | string, signal?: AbortSignal, view: View = 'queue') =>
    exportView({ file: path, view, format: 'jsonl', preset: 'data', output }, signal)

  /** Takes what comes, `onChunk` deciding how. */
  function reader(onChunk: (chunk: Buffer, done: (error?: Error) => void) => void): Writable {
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => onChunk(chunk, done) })
    return stream.on('error', () => {})
  }

  it('are of one moment, while the crawl goes on', async () => {
    const life = fill()
    let lines = 0
    let writes = 0
    const slow = reader((chunk, done) => {
      lines += chunk.toString('latin1').split('\n').length - 1
      add(life, COUNT + writes++)
      life.sink.commit()
      done()
    })
    expect((await exportTo(slow)).rows).toBe(COUNT)
    expect(lines).toBe(COUNT)
    expect(writes).toBeGreaterThan(10)
    expect((await exportTo(join(folder, 'after.jsonl'))).rows).toBe(COUNT + writes)
  })

  it('are of one moment in every pass over them', async () => {
    const life = fill()
    let writes = 0
    let isOver = false
    const write = (): void => {
      if (isOver) return
      life.sink.addSitemap(url(`sitemap-${writes}.xml`), '', 0)
      add(life, COUNT + writes++)
      life.sink.commit()
      setImmediate(write)
    }
    setImmediate(write)
    const { rows } = await exportTo(
      reader((_chunk, done) => done()),
      undefined,
      'images',
    )
    isOver = true
    expect(writes).toBeGreaterThan(1)
    expect(rows).toBe(0)
  })

  it('are never in memory together, and wait for a slow reader', async () => {
    fill()
    setFlagsFromString('--expose_gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const before = process.memoryUsage().heapUsed
    let [chunks, most, longest, bytes] = [0, 0, 0, 0]
    const slow = reader((chunk, done) => {
      longest = Math.max(longest, slow.writableLength)
      bytes += chunk.length
      if (chunks++ % 50 === 0) {
        collect()
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      }
      setImmediate(done)
    })
    expect(await exportTo(slow)).toEqual({ rows: COUNT, bytes })
    expect(chunks).toBeGreaterThan(200)
    expect(most).toBeLessThan(8e6)
    expect(longest).toBeLessThan(128 * 1024)
  })

  it('leave the event loop its turns, even if the reader takes everything at once', async () => {
    fill()
    let turns = 0
    const turn = (): void => {
      turns++
      pending = setImmediate(turn)
    }
    let pending = setImmediate(turn)
    await exportTo(reader((_chunk, done) => done()))
    clearImmediate(pending)
    expect(turns).toBeGreaterThan(5)
  })

  it('can be cancelled half way', async () => {
    fill()
    const output = join(folder, 'large.jsonl')
    writeFileSync(output, 'old')
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const isHalfWritten = (): boolean =>
      readdirSync(folder).some((name) => name.endsWith('.tmp') && statSync(join(folder, name)).size > 0)
    const cancelWhenWriting = (): void => {
      if (isHalfWritten()) controller.abort(reason)
      else pending = setImmediate(cancelWhenWriting)
    }
    let pending = setImmediate(cancelWhenWriting)
    await expect(exportTo(output, controller.signal)).rejects.toBe(reason)
    clearImmediate(pending)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(readFileSync(output, 'utf8')).toBe('old')
  })

  it('end quietly when the reader has gone, and not so when the disk is full', async () => {
    fill()
    const failing = (code: string): Writable => {
      let chunks = 0
      return reader((_chunk, done) => done(++chunks > 2 ? Object.assign(new Error(code), { code }) : undefined))
    }
    const { rows } = await exportTo(failing('EPIPE'))
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(COUNT)
    await expect(exportTo(failing('ENOSPC'))).rejects.toMatchObject({ code: 'disk_full' })
  })
})
