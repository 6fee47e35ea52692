import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COLUMNS, VIEWS, type View } from '../../shared/columns.ts'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { LINK_FLAG, type LinkKind, linkKindNumber } from '../../shared/link-kind.ts'
import type { Claim } from '../engine/frontier.ts'
import type { Answer } from '../engine/page-sink.ts'
import { CrawlFile } from './crawl-file.ts'
import { openForReading } from './database.ts'
import type { Row } from './view-cells.ts'
import { readErrors } from './view-errors.ts'
import { readView } from './view-reader.ts'

let folder: string
let serial = 0
let file: CrawlFile | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-views-'))
})
afterEach(() => {
  file?.close()
  file = null
  rmSync(folder, { recursive: true, force: true })
})

const url = (path: string): string => (path === '!' ? '' : `http://site.test/${path}`)
const settings = crawlSettings.parse({ seeds: [url('')] })

type Link = [to: string, kind?: LinkKind, text?: string, flags?: number]
interface Made {
  status?: number
  to?: string
  links?: Link[]
}

function answer({ status = 200, to, links = [] }: Made, isPage = true): Answer {
  const texts = { description: '', h1: '', h2: '', canonical: '', robots: '', lang: '', hreflang: '', encoding: '' }
  const columns = {
    urls: links.map(([target]) => url(target)),
    kinds: Uint8Array.from(links, ([, kind = 'a']) => linkKindNumber[kind]),
    flags: Uint8Array.from(links, ([, , , flags = 0]) => flags),
    texts: links.map(([, , text = '']) => text),
  }
  return {
    status,
    contentType: to === undefined ? 'text/html' : '',
    headers: '',
    wireBytes: 1,
    responseMs: 1,
    bytes: 1,
    hash: 'ab',
    redirectTo: to === undefined ? '' : url(to),
    page: isPage && to === undefined ? { title: 't', ...texts, words: 1, notes: [], links: columns } : null,
  }
}

/** Finishes the URLs of a made-up site, in the order given as far as they are known by then, and then all others. */
function crawl(site: Record<string, Made>, order: readonly string[] = [], sitemapFirst: string[] = []): string {
  const path = join(folder, `${++serial}.sandpiper`)
  file?.close()
  file = CrawlFile.create(path, settings, () => 1_000, '1')
  const { frontier, sink } = file.begin(() => ({ admitted: true, origin: 'http://site.test' }))
  frontier.add({ url: url(''), key: url(''), isPage: true, depth: 0, found: 'seed' })
  const list = (paths: string[]): void => {
    if (paths.length === 0) return
    sink.addSitemap(url('sitemap.xml'), '', 0)
    for (const entry of paths) sink.addSitemapEntry(1, url(entry))
  }
  list(sitemapFirst)
  sink.commit()
  const hand = new Map<string, Claim>()
  const finish = (path: string): void => {
    for (const claim of frontier.claim(1, 1000, 'all')) hand.set(claim.url, claim)
    sink.commit()
    const claim = hand.get(url(path))
    if (claim === undefined) return
    hand.delete(claim.url)
    sink.record({
      claim,
      outcome: { state: 'done', answer: answer(site[path] ?? { status: 404 }, claim.isPage) },
      startedAt: 1,
      endedAt: 2,
    })
    sink.commit()
  }
  order.forEach(finish)
  do {
    for (const claim of frontier.claim(1, 1000, 'all')) hand.set(claim.url, claim)
    sink.commit()
    for (const { url: address } of [...hand.values()]) finish(address.slice(url('').length))
  } while (hand.size > 0 || frontier.hasWaiting())
  return path
}

function read(path: string, view: View): Record<string, unknown>[] {
  const db = openForReading(path)
  try {
    const rows = [...readView(db, view)].filter((row): row is Row => row !== null)
    return rows.map((row) => {
      expect(row).toHaveLength(COLUMNS[view].length)
      return Object.fromEntries(COLUMNS[view].map(({ name }, n) => [name, row[n]]))
    })
  } finally {
    db.close()
  }
}

const pick = (rows: Record<string, unknown>[], ...names: string[]): unknown[][] =>
  rows.map((row) => names.map((name) => row[name]))

it('reads the same whatever order the URLs were finished in', () => {
  // Pages and pictures are kept apart here: what is linked as both is fetched as the one or the other, by order.
  const toPage = fc.tuple(
    fc.constantFrom('', 'a', 'b', 'c', 'd', 'e', '!'),
    fc.constantFrom<LinkKind>('a', 'canonical'),
  )
  const toPicture = fc.tuple(fc.constantFrom('i', 'j'), fc.constantFrom<LinkKind>('img', 'srcset'))
  const link = fc
    .tuple(fc.oneof(toPage, toPicture), fc.constantFrom('', 'one', 'two'))
    .map(([[to, kind], text]): Link => [to, kind, text])
  const made = fc.oneof(
    { weight: 4, arbitrary: fc.record({ links: fc.array(link, { maxLength: 6 }) }) },
    fc.record({ status: fc.constant(301), to: fc.constantFrom('', 'a', 'b', 'c', 'd', 'e') }),
    fc.record({ status: fc.constantFrom(404, 410) }),
  )
  const paths = ['a', 'b', 'c', 'd', 'e', 'i', 'j']
  const site = fc.record({ '': made, a: made, b: made, c: made, d: made, e: made, i: fc.constant({}) })
  const orders = fc.tuple(fc.shuffledSubarray(paths), fc.shuffledSubarray(paths), fc.subarray(['a', 'd']))
  fc.assert(
    fc.property(site, orders, (pages, [one, other, listed]) => {
      const [first, second] = [crawl(pages, ['', ...one], listed), crawl(pages, ['', ...other], listed)]
      for (const view of VIEWS) expect(read(second, view), view).toEqual(read(first, view))
    }),
    { numRuns: 25 },
  )
})

it('leaves a resource out of the pages while it waits to be read again as a page', () => {
  const path = crawl({ '': { links: [['x', 'img'], ['y']] }, x: { status: 200 }, y: { links: [['y']] } })
  expect(pick(read(path, 'pages'), 'url')).toEqual([[url('')], [url('y')]])
  const life = file!
  life.close()
  file = CrawlFile.open(path, () => 2_000)
  const { frontier, sink } = file.begin(() => ({ admitted: true, origin: 'http://site.test' }))
  frontier.add({ url: url('x'), key: url('x'), isPage: true, depth: 2, found: 'link' })
  sink.commit()
  expect(pick(read(path, 'queue'), 'url', 'state', 'kind')).toContainEqual([url('x'), 'pending', 'page'])
  expect(pick(read(path, 'pages'), 'url')).toEqual([[url('')], [url('y')]])
})

it('says of every URL whether links lead to it or only a sitemap, whichever came first', () => {
  const site = { '': { links: [['a']] as Link[] }, orphan: { links: [['orphan', 'canonical']] as Link[] } }
  const found = [
    [url(''), 'seed', 0, null],
    [url('a'), 'link', 1, url('')],
    [url('orphan'), 'sitemap', null, null],
  ]
  const listed = crawl(site, [], ['orphan', 'a'])
  expect(pick(read(listed, 'queue'), 'url', 'found', 'depth', 'referrer')).toEqual(found)
})

it('says why the rows of a parked site wait, and only those', () => {
  const path = join(folder, 'parked.sandpiper')
  file = CrawlFile.create(path, settings, () => 1_000, '1')
  const { frontier, sink } = file.begin(() => ({ admitted: true, origin: 'http://site.test' }))
  frontier.add({ url: url(''), key: url(''), isPage: true, depth: 0, found: 'seed' })
  frontier.add({ url: url('a'), key: url('a'), isPage: true, depth: 1, found: 'link' })
  sink.commit()
  const [claim] = frontier.claim(1, 1, 'all')
  sink.record({ claim: claim!, outcome: { state: 'done', answer: answer({}) }, startedAt: 1, endedAt: 2 })
  frontier.saveSite({ ...frontier.site(1), parkedUntil: 5_000, parkReason: 'robots unreachable' })
  sink.commit()
  expect(pick(read(path, 'queue'), 'url', 'state', 'reason')).toEqual([
    [url(''), 'done', null],
    [url('a'), 'pending', 'robots unreachable'],
  ])
})

it('lists links by the address of their source and their position in it', () => {
  const { nofollow, sponsored } = LINK_FLAG
  const path = crawl({
    '': { links: [['z'], ['b', 'a', 'B', nofollow | sponsored]] },
    z: { links: [['gone', 'iframe']] },
    b: { links: [['!', 'a', 'http://[bad'], ['']] },
  })
  expect(read(path, 'links').map((row) => Object.values(row))).toEqual([
    [url(''), url('z'), 'a', null, null, 'done', 200],
    [url(''), url('b'), 'a', 'nofollow sponsored', 'B', 'done', 200],
    [url('b'), null, 'a', null, 'http://[bad', null, null],
    [url('b'), url(''), 'a', null, null, 'done', 200],
    [url('z'), url('gone'), 'iframe', null, null, 'done', 404],
  ])
})

it('follows redirects for ten hops and calls a longer chain, or a circle, a loop', () => {
  const chain: Record<string, Made> = { '': { links: [['r0'], ['x']] }, x: { to: 'y', status: 301 }, y: { to: 'x' } }
  for (let n = 0; n < 11; n++) chain[`r${n}`] = { status: 301, to: `r${n + 1}` }
  chain.r11 = { links: [['']] }
  const rows = read(crawl(chain), 'redirects')
  const of = (name: string): unknown[] =>
    pick(
      rows.filter((row) => row.url === url(name)),
      'location',
      'final_url',
      'final_status',
      'hops',
      'reason',
    )[0]!
  expect(of('r1')).toEqual([url('r2'), url('r11'), 200, 10, null])
  expect(of('r0')).toEqual([url('r1'), url('r10'), 301, 10, 'loop'])
  expect(of('r10')).toEqual([url('r11'), url('r11'), 200, 1, null])
  expect(of('x')).toEqual([url('y'), url('x'), 301, 10, 'loop'])
  expect(rows).toHaveLength(13)
})

it('lists every link to what is broken, in order, however few links fit into one batch', () => {
  const path = crawl(
    {
      '': { links: [['z'], ['b'], ['gone', 'a', 'first'], ['gone', 'a', 'second']] },
      z: { links: [['gone'], ['also-gone', 'img', 'pic']] },
      b: { links: [['gone', 'a', 'from b']] },
    },
    [],
    ['listed-gone'],
  )
  const rows = read(path, 'errors')
  expect(pick(rows, 'url', 'kind', 'status', 'referrer', 'link_kind', 'link_text')).toEqual([
    [url('also-gone'), 'resource', 404, url('z'), 'img', 'pic'],
    [url('gone'), 'page', 404, url(''), 'a', 'first'],
    [url('gone'), 'page', 404, url(''), 'a', 'second'],
    [url('gone'), 'page', 404, url('b'), 'a', 'from b'],
    [url('gone'), 'page', 404, url('z'), 'a', null],
    [url('listed-gone'), 'page', 404, null, null, null],
  ])
  const db = openForReading(path)
  for (const maxBatchLinks of [1, 2, 5]) {
    const batched = [...readErrors(db, maxBatchLinks)].filter((row) => row !== null)
    expect(batched).toEqual(rows.map((row) => Object.values(row)))
  }
  db.close()
})

it('gives a picture the alternative text of the first page that shows it, and counts the places without one', () => {
  const shown: Link[] = [
    ['p.png', 'img', 'in z'],
    ['p.png', 'img'],
  ]
  const path = crawl({
    '': { links: [['z'], ['b'], ['p.png']] },
    z: { links: shown },
    b: {
      links: [
        ['p.png', 'srcset', 'in b'],
        ['q.png', 'img'],
      ],
    },
  })
  expect(pick(read(path, 'images'), 'url', 'alt', 'missing_alt', 'inlinks', 'referrer')).toEqual([
    [url('p.png'), 'in b', 1, 4, url('')],
    [url('q.png'), null, 1, 1, url('b')],
  ])
})

it('pauses while it only counts', () => {
  const links = Array.from({ length: 3_000 }, (): Link => ['a'])
  const path = crawl({ '': { links }, a: { links: [['']] } })
  const db = openForReading(path)
  const [first] = readErrors(db)
  expect(first).toBeNull()
  db.close()
})
