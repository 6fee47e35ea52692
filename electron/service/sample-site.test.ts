import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SampleSite, startSampleSite } from './sample-site.ts'

let site: SampleSite

beforeAll(async () => {
  site = await startSampleSite(join(import.meta.dirname, '../../resources/sample-site'))
})
afterAll(() => site.close())

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, site.url), { redirect: 'manual', headers })

const textOf = async (path: string): Promise<string> => (await get(path)).text()

/** The status for a request target sent as it is: `fetch` would tidy it first. */
function statusOf(target: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(site.url)
    request({ host: '127.0.0.1', port, path: target }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

it.each([
  ['/', 'text/html; charset=utf-8'],
  ['/species/', 'text/html; charset=utf-8'],
  ['/species/index.html', 'text/html; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/site.js', 'text/javascript; charset=utf-8'],
  ['/images/logo.svg', 'image/svg+xml'],
  ['/images/tide-gauge.png', 'image/png'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml'],
])('serves %s as %s', async (path, type) => {
  const response = await get(path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
})

it('has a page for what is missing', async () => {
  const missing = await get('/species/dodo.html')
  expect(missing.status).toBe(404)
  expect(missing.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await missing.text()).toContain('Not found')
})

it.each([
  ['/birds/', [301, '/species/', 200]],
  ['/old-news.html', [302, '/news/archive.html', 302, '/news/', 200]],
  ['/lost.html', [301, '/species/dodo.html', 404]],
])('redirects from %s', async (path, expected) => {
  const hops: (number | string)[] = []
  for (let next: string | null = path; next !== null; ) {
    const response = await get(next)
    hops.push(response.status)
    next = response.headers.get('location')
    if (next !== null) hops.push(next)
  }
  expect(hops).toEqual(expected)
})

it('zips pages for those who accept it, and nothing else', async () => {
  const encodingOf = async (path: string, accepted: string): Promise<string | null> =>
    (await get(path, { 'accept-encoding': accepted })).headers.get('content-encoding')
  expect(await encodingOf('/', 'br, gzip')).toBe('gzip')
  expect(await encodingOf('/', 'identity')).toBeNull()
  expect(await encodingOf('/style.css', 'gzip')).toBeNull()
  const plain = await (await get('/', { 'accept-encoding': 'identity' })).text()
  expect(await (await get('/', { 'accept-encoding': 'gzip' })).text()).toBe(plain)
})

it('names its own address in robots.txt and the sitemap', async () => {
  expect(await textOf('/robots.txt')).toContain(`Sitemap: ${site.url}sitemap.xml`)
  const sitemap = await textOf('/sitemap.xml')
  expect(sitemap).toContain(`<loc>${site.url}visit/quiet-hide.html</loc>`)
  expect(sitemap).not.toContain('{{')
})

it('serves nothing from outside its folder, nor its own settings', async () => {
  const targets = ['/../../package.json', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/..\\package.json']
  for (const target of [...targets, '//index.html', '/_redirects.json', '/species/%00', '/species', '*']) {
    expect(await statusOf(target), target).toBe(404)
  }
})

it('counts the requests', async () => {
  const before = site.requests()
  await Promise.all([get('/'), get('/nowhere'), get('/birds/')])
  expect(site.requests()).toBe(before + 3)
})

interface Walk {
  /** The pages' markup by path. */
  pages: Map<string, string>
  /** Who links to what is missing. */
  broken: Map<string, Set<string>>
  external: Set<string>
}

/** Follows everything that a page refers to on the site. */
async function walk(): Promise<Walk> {
  const { pages, broken, external }: Walk = { pages: new Map(), broken: new Map(), external: new Set() }
  const referrers = new Map<string, Set<string>>([['/', new Set()]])
  for (const [path, from] of referrers) {
    const response = await get(path)
    const base = new URL(path, site.url)
    const addresses: string[] = []
    if (response.status === 404) broken.set(path, from)
    else if (response.status >= 300) addresses.push(response.headers.get('location')!)
    else if (response.headers.get('content-type')?.startsWith('text/html')) {
      const html = await response.text()
      pages.set(path, html)
      addresses.push(...[...html.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, address]) => address!))
    }
    for (const address of addresses) {
      const { origin, pathname, href } = new URL(address, base)
      if (origin !== base.origin) external.add(href)
      else referrers.set(pathname, (referrers.get(pathname) ?? new Set()).add(path))
    }
  }
  return { pages, broken, external }
}

it('is a sound site of 40 to 60 pages, but for what a crawl is meant to find', async () => {
  const { pages, broken, external } = await walk()
  expect(pages.size).toBeGreaterThanOrEqual(40)
  expect(pages.size).toBeLessThanOrEqual(60)
  expect(Object.fromEntries([...broken].map(([path, from]) => [path, [...from].sort()]))).toEqual({
    '/images/spoonbill-2019.jpg': ['/species/spoonbill.html'],
    '/species/dodo.html': ['/lost.html', '/news/2026-04-02-bitterns-booming.html', '/species/knot.html'],
  })
  const webPages = [...external].filter((address) => address.startsWith('http'))
  expect(webPages).toEqual(['https://www.example.org/'])
  expect([...external].some((address) => address.startsWith('mailto:'))).toBe(true)

  const listed = [...(await textOf('/sitemap.xml')).matchAll(/<loc>([^<]+)/g)].map(([, url]) => new URL(url!).pathname)
  expect(listed.filter((path) => !pages.has(path))).toEqual(['/visit/quiet-hide.html'])
})

it('has one of each fault that a crawl is meant to find in a page', async () => {
  const { pages } = await walk()
  const those = (test: (html: string) => boolean): string[] =>
    [...pages].filter(([, html]) => test(html)).map(([path]) => path)
  const titles = [...pages].map(([path, html]) => ({ path, title: /<title>(.*?)<\/title>/.exec(html)?.[1] }))
  const isRepeated = (title: string | undefined): boolean =>
    title !== undefined && titles.filter((each) => each.title === title).length > 1

  expect(titles.filter(({ title }) => title === undefined).map(({ path }) => path)).toEqual([
    '/species/sanderling.html',
  ])
  expect(titles.filter(({ title }) => isRepeated(title)).map(({ path }) => path)).toHaveLength(2)
  expect(those((html) => !html.includes('name="description"'))).toEqual(['/species/wigeon.html'])
  expect(those((html) => html.includes('rel="canonical"'))).toEqual(['/species/black-tailed-godwit.html'])
  expect(those((html) => html.includes('content="noindex'))).toEqual(['/visit/tides.html'])
  expect(those((html) => /<img (?![^>]*alt=)/.test(html))).toEqual(['/species/bittern.html'])
  expect(those((html) => html.length > 500_000)).toEqual(['/species/records.html'])
})

it('names each page’s other language both ways', async () => {
  const { pages } = await walk()
  const alternates = (path: string): string[] =>
    [...pages.get(path)!.matchAll(/rel="alternate" hreflang="(?:en|de)" href="([^"]+)"/g)].map(([, href]) => href!)
  const german = [...pages.keys()].filter((path) => path.startsWith('/de/'))
  expect(german.length).toBeGreaterThanOrEqual(5)
  for (const path of german) {
    expect(pages.get(path)).toContain('<html lang="de">')
    const [english, self] = alternates(path)
    expect(self).toBe(path)
    expect(alternates(english!)).toEqual([english, path])
  }
})
