import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startTestSite, type TestSite, type TestSiteOptions } from './start-test-site.ts'

/** Other tests count on what this site counts: it has to be what it says, and the same every time. */

const PAGES = 500

const sites: TestSite[] = []
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()))
})

async function start(options: Partial<TestSiteOptions> = {}): Promise<TestSite> {
  const site = await startTestSite({ pages: PAGES, latencyMs: 0, ...options })
  sites.push(site)
  return site
}

interface Seen {
  status: number
  location: string | null
  body: string
}

const get = async (site: TestSite, path: string): Promise<Seen> => {
  const response = await fetch(new URL(path, site.url), { redirect: 'manual' })
  const body = (await response.text()).replaceAll(site.url, 'http://site/')
  return { status: response.status, location: response.headers.get('location'), body }
}

/** Everything that links, redirects and images lead to, from the first page. */
async function walk(site: TestSite): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  const paths = new Set(['/'])
  for (const path of paths) {
    const answer = await get(site, path)
    seen.set(path, answer)
    if (answer.location !== null) paths.add(answer.location)
    const isPage = answer.body.startsWith('<!doctype html>')
    if (!isPage) continue
    for (const [, address] of answer.body.matchAll(/(?:href|src)="(\/[^"]*)"/g)) {
      paths.add(address!.replaceAll('&amp;', '&'))
    }
  }
  return seen
}

const withStatus = (seen: Map<string, Seen>, status: number): string[] =>
  [...seen].filter(([path, answer]) => answer.status === status && !path.startsWith('/private/')).map(([path]) => path)

it('is the same site, byte for byte, in every process', async () => {
  const [one, other] = await Promise.all([start(), start()])
  const walked = await walk(one)
  expect(await walk(other)).toEqual(walked)
  expect(await get(other, '/sitemap.xml')).toEqual(await get(one, '/sitemap.xml'))
})

it('leads by links to every page, redirect and missing page it has, and to no other', async () => {
  const seen = await walk(await start())
  const pages = withStatus(seen, 200).filter((path) => !path.startsWith('/images/'))
  const redirects = withStatus(seen, 301)
  const missing = withStatus(seen, 404)
  const multiplesBelow = (step: number): number => Math.floor((PAGES - 1) / step)
  expect(redirects).toHaveLength(multiplesBelow(40))
  expect(missing).toHaveLength(multiplesBelow(97))
  expect(pages).toHaveLength(PAGES - redirects.length - missing.length)
  expect(withStatus(seen, 200).filter((path) => path.startsWith('/images/'))).toHaveLength(1 + multiplesBelow(113))
  const sitemap = (await get(sites[0]!, '/sitemap.xml')).body
  const listed = [...sitemap.matchAll(/<loc>http:\/\/site([^<]+)/g)].map(([, path]) => path!.replaceAll('&amp;', '&'))
  expect(listed.filter((path) => !seen.has(path))).toHaveLength(10)
  expect(listed).toHaveLength(10 + PAGES / 20)
})

it('has pages of about 3 KB and 12 links, each with a title, heading and description of its own', async () => {
  const seen = await walk(await start())
  const bodies = [...seen.values()].map(({ body }) => body).filter((body) => body.startsWith('<!doctype html>'))
  const distinct = (pattern: RegExp): number => new Set(bodies.map((body) => pattern.exec(body)![1])).size
  for (const pattern of [/<title>(.*?)</, /<h1>(.*?)</, /name="description" content="(.*?)"/]) {
    expect(distinct(pattern), String(pattern)).toBe(bodies.length)
  }
  const mean = (of: (body: string) => number): number => bodies.reduce((sum, body) => sum + of(body), 0) / bodies.length
  expect(mean((body) => body.length)).toBeGreaterThan(2_000)
  expect(mean((body) => body.length)).toBeLessThan(4_000)
  expect(mean((body) => body.split('<a ').length - 1)).toBeGreaterThan(9)
  expect(mean((body) => body.split('<a ').length - 1)).toBeLessThan(15)
})

it('counts each request, and writes it down', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-site-'))
  try {
    const logFile = join(folder, 'requests.log')
    const site = await start({ logFile })
    const asked = ['/', '/', '/', '/nowhere', '/list?id=5&sort=name', '/robots.txt', '/robots.txt']
    for (const path of asked) await get(site, path)
    expect(await site.stats()).toEqual({ requests: 7, distinct: 4, repeats: { '/': 2, '/robots.txt': 1 } })
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => /^\d+ (.*)$/.exec(line)?.[1])).toEqual(asked)
    await site.reset()
    expect(await site.stats()).toEqual({ requests: 0, distinct: 0, repeats: {} })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('fails some pages once, if asked to', async () => {
  const site = await start({ flaky: true })
  const failed = withStatus(await walk(site), 500)
  expect(failed.length).toBeGreaterThan(0)
  for (const path of failed) expect((await get(site, path)).status, path).toBe(200)
  expect(withStatus(await walk(site), 500)).toEqual([])
})

it('lets requests hang, and says how many', async () => {
  const site = await start()
  const hang = await get(site, '/hang')
  expect(hang.body.match(/href="\/hang\/\d+"/g)).toHaveLength(200)
  const quit = new AbortController()
  const requests = [0, 1, 2].map((n) => fetch(new URL(`/hang/${n}`, site.url), { signal: quit.signal }))
  await expect.poll(() => site.inFlight()).toBe(3)
  quit.abort()
  const ends = await Promise.allSettled(requests)
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect.poll(() => site.inFlight()).toBe(0)
})
