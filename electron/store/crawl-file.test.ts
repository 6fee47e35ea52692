import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { STATE, TRANSITIONS } from '../../shared/frontier-state.ts'
import type { Admit, Candidate } from '../engine/frontier.ts'
import type { Answer, Outcome } from '../engine/page-sink.ts'
import { CrawlFile } from './crawl-file.ts'
import { openForReading, openForWriting } from './database.ts'
import { readOwner } from './lock.ts'
import { SCHEMA_VERSION } from './migrate.ts'

const settings = crawlSettings.parse({ seeds: ['http://site.test/'] })
const now = (): number => 1_800_000_000_000
const admit: Admit = ({ url, depth }) => {
  if (!url.startsWith('http://site.test/')) return { admitted: false, reason: 'external', detail: '' }
  if (depth !== null && depth > 3) return { admitted: false, reason: 'max_depth', detail: '' }
  return { admitted: true, origin: 'http://site.test' }
}
const seed = (path = '', depth: number | null = 0): Candidate => ({
  url: `http://site.test/${path}`,
  key: `http://site.test/${path}`,
  isPage: true,
  depth,
  found: depth === 0 ? 'seed' : 'link',
})
const answer = (links: string[] = [], kinds: number[] = []): Answer => ({
  status: 200,
  contentType: 'text/html',
  headers: '{}',
  wireBytes: 10,
  responseMs: 1,
  bytes: 10,
  hash: 'aa',
  redirectTo: '',
  page: {
    title: 'T',
    description: '',
    h1: '',
    h2: '',
    canonical: '',
    robots: '',
    lang: '',
    hreflang: '',
    words: 1,
    encoding: 'utf-8',
    notes: [],
    links: {
      urls: links,
      kinds: Uint8Array.from(links, (_, n) => kinds[n] ?? 0),
      flags: new Uint8Array(links.length),
      texts: links.map(() => ''),
    },
  },
})
const done = (links?: string[], kinds?: number[]): Outcome => ({ state: 'done', answer: answer(links, kinds) })

let folder: string
let path: string
let file: CrawlFile | null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-store-'))
  path = join(folder, 'crawl.sandpiper')
  file = null
})
afterEach(() => {
  file?.close()
  rmSync(folder, { recursive: true, force: true })
})

function create() {
  file = CrawlFile.create(path, settings, now, '1.0.0')
  return file.begin(admit)
}

function reopen() {
  file = CrawlFile.open(path, now)
  return file.begin(admit)
}

/** Ends a life the way a killed process does: nothing is marked, the lock falls. */
function crash(): void {
  file!.close()
  file = null
}

const select = (sql: string): unknown[] => {
  const db = openForReading(path)
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

function claimOne(life: ReturnType<typeof create>) {
  const [claim] = life.frontier.claim(1, 1, 'all')
  return claim!
}

describe('group commit', () => {
  it('makes nothing durable before commit, and everything with it', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    life.sink.record({ claim, outcome: done(['http://site.test/a', 'https://other.test/']), startedAt: 1, endedAt: 2 })
    expect(select('SELECT * FROM pages')).toHaveLength(0)
    life.sink.commit()
    expect(select('SELECT state FROM urls ORDER BY id')).toEqual([{ state: 2 }, { state: 0 }, { state: 5 }])
    expect(select('SELECT src_id, ord, dst_id FROM links')).toEqual([
      { src_id: 1, ord: 0, dst_id: 2 },
      { src_id: 1, ord: 1, dst_id: 3 },
    ])
    expect(select('SELECT out_count FROM pages')).toEqual([{ out_count: 2 }])
  })

  it('keeps the other pages of a group when one cannot be written', () => {
    const life = create()
    life.frontier.add(seed())
    life.frontier.add(seed('b', 1))
    const claims = life.frontier.claim(1, 2, 'all')
    life.sink.commit()
    const broken = done(['http://site.test/x'])
    if (broken.state === 'done') broken.answer.page!.links.texts[0] = null as never
    expect(() => life.sink.record({ claim: claims[0]!, outcome: broken, startedAt: 1, endedAt: 2 })).toThrow()
    life.sink.record({ claim: claims[1]!, outcome: done(), startedAt: 1, endedAt: 2 })
    life.sink.commit()
    expect(select('SELECT url_id FROM pages')).toEqual([{ url_id: claims[1]!.id }])
    expect(select("SELECT count(*) AS n FROM urls WHERE url LIKE '%/x'")).toEqual([{ n: 0 }])
  })

  it('takes back a whole group on rollback, and the numbers with it', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    life.sink.record({ claim, outcome: done(['http://site.test/a']), startedAt: 1, endedAt: 2 })
    life.sink.rollback()
    expect(life.frontier.tally).toMatchObject({ processing: 1, done: 0, pending: 0 })
    life.sink.record({ claim, outcome: done(['http://site.test/a']), startedAt: 1, endedAt: 2 })
    life.sink.commit()
    expect(life.frontier.tally).toMatchObject({ processing: 0, done: 1, pending: 1 })
  })
})

describe('durability', () => {
  it('runs a reopened file at synchronous=FULL in WAL mode', () => {
    create()
    crash()
    const db = openForWriting(path, false)
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
  })
})

describe('recovery', () => {
  it('lets what was in flight wait again and counts the crash once', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    claimOne(life)
    life.sink.commit()
    crash()
    expect(reopen()).toMatchObject({ unclean: true, released: 1, epoch: 2 })
    crash()
    expect(reopen()).toMatchObject({ unclean: true, released: 0, epoch: 3 })
    expect(select('SELECT state, attempts, crashes FROM urls')).toEqual([{ state: 0, attempts: 0, crashes: 1 }])
  })

  it('counts no crash after an end in good order', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    file!.end('stopped', 'signal')
    crash()
    expect(reopen().unclean).toBe(false)
    expect(select('SELECT crashes FROM urls')).toEqual([{ crashes: 0 }])
  })

  it('runs a URL alone from three crashes on and gives it up after three more', () => {
    let life = create()
    life.frontier.add(seed())
    life.sink.commit()
    for (let crashes = 0; crashes < 6; crashes++) {
      expect(life.frontier.claim(1, 1, 'all')).toHaveLength(crashes < 3 ? 1 : 0)
      if (crashes >= 3) expect(life.frontier.claimSuspect()).not.toBeNull()
      life.sink.commit()
      crash()
      life = reopen()
    }
    expect(select('SELECT state, reason FROM urls')).toEqual([{ state: 4, reason: 'crash_suspect' }])
    expect(select('SELECT url_id, status FROM pages')).toEqual([{ url_id: 1, status: null }])
  })

  it('drops a result of an earlier life', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    crash()
    const next = reopen()
    claimOne(next)
    next.sink.commit()
    const stale = new Sqlite(path)
    stale.exec('UPDATE urls SET epoch = 99')
    stale.close()
    next.sink.record({ claim, outcome: done(), startedAt: 1, endedAt: 2 })
    next.sink.commit()
    expect(select('SELECT * FROM pages')).toHaveLength(0)
  })

  it('refuses a file in which a finished URL has no page row, and leaves it as it is', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    life.sink.record({ claim, outcome: done(), startedAt: 1, endedAt: 2 })
    life.sink.commit()
    crash()
    const db = new Sqlite(path)
    db.exec('DELETE FROM pages')
    db.close()
    file = CrawlFile.open(path, now)
    expect(() => file!.begin(admit)).toThrow(expect.objectContaining({ code: 'damaged_crawl_file' }))
    expect(select('SELECT epoch FROM crawl')).toEqual([{ epoch: 1 }])
  })
})

describe('what is left to do', () => {
  it('a crawl killed before its seeds were stored is not finished', () => {
    file = CrawlFile.create(path, settings, now, '1')
    expect(file.isResumable()).toBe(true)
    file.begin(admit)
    crash()
    file = CrawlFile.open(path, now)
    expect(file.isResumable()).toBe(true)
  })

  it('a crawl killed between its last page and its end is finished by the next life', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    life.sink.record({ claim, outcome: done(), startedAt: 1, endedAt: 2 })
    life.sink.commit()
    crash()
    file = CrawlFile.open(path, now)
    expect(file.isResumable()).toBe(true)
    file.begin(admit)
    file.end('finished', 'finished')
    expect(file.isResumable()).toBe(false)
  })
})

describe('the frontier', () => {
  it('knows each URL once, links first seen as a resource included', () => {
    const life = create()
    life.frontier.add(seed())
    life.frontier.add({ ...seed('pic'), isPage: false, depth: 1, found: 'link' })
    life.frontier.add({ ...seed('pic'), depth: 2, found: 'link' })
    life.sink.commit()
    expect(select('SELECT id, is_page, depth FROM urls')).toEqual([
      { id: 1, is_page: 1, depth: 0 },
      { id: 2, is_page: 1, depth: 1 },
    ])
  })

  it('reads a resource again that answered HTML and is linked as a page, before, while or after it is fetched', () => {
    const life = create()
    life.frontier.add({ ...seed('res'), isPage: false })
    life.sink.commit()
    const resource = claimOne(life)
    life.sink.commit()
    life.frontier.add(seed('res', 2))
    const html = { state: 'done', answer: { ...answer(), page: null } } as const
    life.sink.record({ claim: resource, outcome: html, startedAt: 1, endedAt: 2 })
    life.sink.commit()
    expect(life.frontier.takeWoken()).toEqual([1])
    expect(select('SELECT * FROM pages')).toEqual([])
    const page = claimOne(life)
    expect(page).toMatchObject({ id: resource.id, isPage: true })
    life.sink.commit()
    life.sink.record({ claim: page, outcome: done(['http://site.test/x']), startedAt: 3, endedAt: 4 })
    life.sink.commit()
    expect(select('SELECT state FROM urls WHERE id = 1')).toEqual([{ state: 2 }])
    expect(select('SELECT title FROM pages')).toEqual([{ title: 'T' }])
  })

  it('does not read a redirect again because it is linked as a page too', () => {
    const life = create()
    life.frontier.add({ ...seed('moved'), isPage: false })
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    const moved = { ...answer(), status: 301, redirectTo: 'http://site.test/new', page: null }
    life.sink.record({ claim, outcome: { state: 'done', answer: moved }, startedAt: 1, endedAt: 2 })
    life.frontier.add(seed('moved', 2))
    life.sink.commit()
    expect(select('SELECT state, is_page FROM urls WHERE id = 1')).toEqual([{ state: 2, is_page: 1 }])
  })

  it('claims the nearest first, and only resources when asked', () => {
    const life = create()
    life.frontier.add(seed('deep', 2))
    life.frontier.add(seed())
    life.frontier.add({ ...seed('img', 1), isPage: false })
    life.frontier.add({ ...seed('map', null), found: 'sitemap' })
    life.sink.commit()
    expect(life.frontier.claim(1, 1, 'resources').map(({ url }) => url)).toEqual(['http://site.test/img'])
    expect(life.frontier.claim(1, 9, 'all').map(({ url }) => url)).toEqual([
      'http://site.test/',
      'http://site.test/deep',
      'http://site.test/map',
    ])
  })

  it('lets a URL back in that the depth limit left out once a shorter way is found', () => {
    const life = create()
    life.frontier.add(seed())
    life.frontier.add(seed('far', 9))
    life.sink.commit()
    expect(select('SELECT state, reason FROM urls WHERE id = 2')).toEqual([{ state: 5, reason: 'max_depth' }])
    life.frontier.add(seed('far', 2))
    life.sink.commit()
    expect(select('SELECT state, reason, depth FROM urls WHERE id = 2')).toEqual([{ state: 0, reason: null, depth: 2 }])
    expect(life.frontier.takeWoken()).toEqual([1])
  })

  it('brings failed URLs back when their time has come, and not before', () => {
    const life = create()
    life.frontier.add(seed())
    life.sink.commit()
    const claim = claimOne(life)
    life.sink.commit()
    const outcome = { state: 'failed', reason: 'server_error', detail: '', notBefore: 5_000 } as const
    life.sink.record({ claim, outcome, startedAt: 1, endedAt: 2 })
    life.sink.commit()
    expect(life.frontier.nextDueAt()).toBe(5_000)
    expect(life.frontier.promoteDue(4_999)).toEqual([])
    expect(life.frontier.promoteDue(5_000)).toEqual([1])
    life.sink.commit()
    expect(select('SELECT state, attempts FROM urls')).toEqual([{ state: 0, attempts: 1 }])
  })

  it('allows exactly the transitions of the table', () => {
    create()
    crash()
    const db = openForWriting(path, false)
    db.exec(`INSERT INTO urls(id, url, is_page, found, priority) VALUES (1, 'u', 1, 0, 0)`)
    for (const [from, allowed] of Object.entries(TRANSITIONS)) {
      for (const to of Object.keys(STATE)) {
        db.exec('BEGIN; DROP TRIGGER urls_transition')
        db.prepare('UPDATE urls SET state = ?').run(STATE[from as keyof typeof STATE])
        db.exec('ROLLBACK')
        const trigger = db
          .prepare(`SELECT sql FROM sqlite_schema WHERE name = 'urls_transition'`)
          .pluck()
          .get() as string
        db.exec('BEGIN; DROP TRIGGER urls_transition')
        db.prepare('UPDATE urls SET state = ?').run(STATE[from as keyof typeof STATE])
        db.exec(trigger)
        const change = () => db.prepare('UPDATE urls SET state = ?').run(STATE[to as keyof typeof STATE])
        if ((allowed as readonly string[]).includes(to)) expect(change, `${from} to ${to}`).not.toThrow()
        else expect(change, `${from} to ${to}`).toThrow('forbidden state transition')
        db.exec('ROLLBACK')
      }
    }
    db.close()
  })
})

describe('opening', () => {
  it('refuses a second owner and names the first', () => {
    create()
    expect(() => CrawlFile.open(path, now)).toThrow(
      expect.objectContaining({ code: 'crawl_file_busy', message: expect.stringContaining(`process ${process.pid}`) }),
    )
    expect(readOwner(path)).toMatchObject({ pid: process.pid })
  })

  it('frees the lock and leaves no files beside the crawl file when closed', () => {
    create()
    crash()
    expect(readOwner(path)).toBeNull()
    expect(spawnSync('ls', [folder]).stdout.toString().trim()).toBe('crawl.sandpiper')
  })

  it('refuses to create over an existing file and leaves it alone', () => {
    writeFileSync(path, 'precious')
    expect(() => CrawlFile.create(path, settings, now, '1')).toThrow(expect.objectContaining({ code: 'file_exists' }))
    expect(readFileSync(path, 'utf8')).toBe('precious')
  })

  it('creates over what a kill in the middle of creating leaves', () => {
    writeFileSync(path, '')
    create()
    expect(select('SELECT count(*) AS n FROM crawl')).toEqual([{ n: 1 }])
  })

  it.each([
    ['text', 'hello, this is a text file and not a crawl at all', 'not_a_crawl_file'],
    ['empty', '', 'not_a_crawl_file'],
  ])('refuses a %s file', (_name, content, code) => {
    writeFileSync(path, content)
    expect(() => CrawlFile.open(path, now)).toThrow(expect.objectContaining({ code }))
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('refuses a database of another program', () => {
    const db = new Sqlite(path)
    db.exec('CREATE TABLE t(x)')
    db.close()
    const size = statSync(path).size
    expect(() => CrawlFile.open(path, now)).toThrow(expect.objectContaining({ code: 'not_a_crawl_file' }))
    expect(() => CrawlFile.create(path, settings, now, '1')).toThrow(expect.objectContaining({ code: 'file_exists' }))
    expect(statSync(path).size).toBe(size)
  })

  it('refuses a file of a newer version, for reading too', () => {
    create()
    crash()
    const db = new Sqlite(path)
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    db.close()
    expect(() => CrawlFile.open(path, now)).toThrow(expect.objectContaining({ code: 'newer_crawl_file' }))
    expect(() => openForReading(path)).toThrow(expect.objectContaining({ code: 'newer_crawl_file' }))
  })

  it('names the missing file or folder', () => {
    expect(() => CrawlFile.open(path, now)).toThrow(expect.objectContaining({ code: 'file_missing' }))
    const lost = join(folder, 'nowhere', 'x.sandpiper')
    expect(() => CrawlFile.create(lost, settings, now, '1')).toThrow(
      expect.objectContaining({ code: 'folder_not_writable' }),
    )
  })
})
