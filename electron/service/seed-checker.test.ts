import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { SeedCheck } from '../../shared/crawl-check.ts'
import { type CrawlSettingsInput, crawlSettings } from '../../shared/crawl-settings.ts'
import { SeedChecker } from './seed-checker.ts'

const HOST = {
  parseWorker: new URL('../parse/parse-worker.ts', import.meta.url),
  parseThreads: 1,
  isOwnAddress: ({ port }: URL) => port === '9',
}

type Answer = [status: number, body: string, headers?: Record<string, string>] | 'never'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

interface TestServer {
  origin: string
  /** Paths in the order asked for. */
  asked: string[]
  headers: IncomingMessage['headers'][]
}

/** Answers by path; what is not listed is not found. `{{origin}}` in a body or a header stands for the server's own. */
async function serve(answers: Record<string, Answer>): Promise<TestServer> {
  const site: TestServer = { origin: '', asked: [], headers: [] }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    site.asked.push(request.url!)
    site.headers.push(request.headers)
    const answer = answers[request.url!] ?? [404, 'not found']
    if (answer === 'never') return
    const [status, body, headers = { 'content-type': 'text/html' }] = answer
    const own = (text: string): string => text.replaceAll('{{origin}}', site.origin)
    response.writeHead(status, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, own(value)])))
    response.end(own(body))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return site
}

const checker = new SeedChecker(HOST)
const check = (settings: CrawlSettingsInput): Promise<SeedCheck[]> => checker.check(crawlSettings.parse(settings))
const checkOne = async (settings: CrawlSettingsInput): Promise<SeedCheck> => (await check(settings))[0]!

const PAGE: Answer = [200, '<title>x</title>', { 'content-type': 'text/html; charset=utf-8' }]
const redirect = (location: string): Answer => [301, '', { location }]
const sitemap = (...paths: string[]): Answer => [
  200,
  `<urlset>${paths.map((path) => `<url><loc>{{origin}}${path}</loc></url>`).join('')}</urlset>`,
  { 'content-type': 'application/xml' },
]
const sitemapIndex = (...paths: string[]): Answer => [
  200,
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>{{origin}}${path}</loc></sitemap>`).join('')}</sitemapindex>`,
  { 'content-type': 'application/xml' },
]

describe('a check', () => {
  it('tells the whole of a plain site', async () => {
    const { origin, asked, headers } = await serve({ '/': PAGE, '/sitemap.xml': sitemap('/', '/a', '/a') })
    expect(await checkOne({ seeds: [`${origin}/`] })).toEqual({
      seed: `${origin}/`,
      hops: [{ url: `${origin}/`, status: 200 }],
      inScope: true,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      trouble: '',
      robots: { state: 'none', allowed: true, rule: '', crawlDelayMs: null },
      sitemaps: { state: 'found', urls: 2, files: 1, more: false },
      maxPerSecond: null,
      perHost: 5,
    })
    expect(asked).toEqual(['/robots.txt', '/', '/sitemap.xml'])
    expect(headers[1]!['user-agent']).toMatch(/^Sandpiper\//)
  })

  it('follows redirects to their end', async () => {
    const { origin } = await serve({ '/': redirect('/b'), '/b': redirect('{{origin}}/c'), '/c': PAGE })
    const { hops, status, trouble } = await checkOne({ seeds: [origin] })
    expect([hops.map(({ url, status }) => [new URL(url).pathname, status]), status, trouble]).toEqual([
      [
        ['/', 301],
        ['/b', 301],
        ['/c', 200],
      ],
      200,
      '',
    ])
  })

  it('ends a circle of redirects', async () => {
    const { origin, asked } = await serve({ '/': redirect('/b'), '/b': redirect('/') })
    expect(await checkOne({ seeds: [origin] })).toMatchObject({ trouble: 'redirect_loop', status: 301 })
    expect(asked.filter((path) => path === '/')).toHaveLength(1)
  })

  it('ends a chain of redirects that has no end', async () => {
    const answers = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`/${n}`, redirect(`/${n + 1}`)]))
    const { origin, asked } = await serve(answers)
    const { trouble } = await checkOne({ seeds: [`${origin}/0`], politeness: { sitemaps: false } })
    expect([trouble, asked.length]).toEqual(['redirect_loop', 1 + 11])
  })

  it('says when a redirect leaves the crawl, and keeps the user’s headers from the other site', async () => {
    const other = await serve({ '/x': PAGE })
    const { origin, headers } = await serve({ '/': redirect(`${other.origin.replace('127.0.0.1', 'localhost')}/x`) })
    const settings = { seeds: [origin, 'http://localhost/'], requests: { headers: [{ name: 'X-Key', value: 'k' }] } }
    expect(await checkOne(settings)).toMatchObject({ inScope: false, status: 200, sitemaps: { state: 'none' } })
    expect(headers.map((each) => each['x-key'])).toEqual(['k', 'k'])
    expect(other.headers.map((each) => each['x-key'])).toEqual([undefined, undefined])
  })

  it('goes to no private address that the user did not type', async () => {
    const other = await serve({ '/x': PAGE })
    const { origin } = await serve({ '/': redirect(`${other.origin.replace('127.0.0.1', '127.0.0.2')}/x`) })
    expect(await checkOne({ seeds: [origin] })).toMatchObject({ trouble: 'private_address', status: null })
    expect(other.asked).toEqual([])
  })

  it('never asks Sandpiper itself', async () => {
    await expect(check({ seeds: ['http://127.0.0.1:9/'] })).rejects.toMatchObject({ code: 'bad_input' })
    const { origin } = await serve({ '/': redirect('http://127.0.0.1:9/') })
    expect(await checkOne({ seeds: [origin] })).toMatchObject({ trouble: 'private_address', status: 301 })
  })

  it('refuses what is no web address', async () => {
    await expect(check({ seeds: ['htp:/x'] })).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('tells of what is no page, and of an error', async () => {
    const { origin } = await serve({ '/a.png': [200, 'x', { 'content-type': 'image/png' }], '/b': [500, ''] })
    const [image, error] = await check({ seeds: [`${origin}/a.png`, `${origin}/b`] })
    expect(image).toMatchObject({ status: 200, contentType: 'image/png', trouble: '' })
    expect(error).toMatchObject({ status: 500, trouble: '' })
  })

  it('tells of a server that is not there', async () => {
    const { origin } = await serve({})
    servers.pop()!.close()
    expect(await checkOne({ seeds: [origin] })).toMatchObject({
      hops: [],
      status: null,
      trouble: 'connection_refused',
      robots: { state: 'unreachable', allowed: false },
      sitemaps: { state: 'none' },
    })
  })

  it('reads at most ten seeds, and a site’s robots.txt once', async () => {
    const { origin, asked } = await serve({})
    const seeds = Array.from({ length: 30 }, (_, n) => `${origin}/${n}`)
    expect(await check({ seeds })).toHaveLength(10)
    expect(asked.filter((path) => path === '/robots.txt')).toHaveLength(1)
  })
})

describe('robots.txt', () => {
  it('that forbids the seed keeps us from it', async () => {
    const rules = 'User-agent: *\nDisallow: /private/\nAllow: /private/door'
    const { origin, asked } = await serve({ '/robots.txt': [200, rules], '/private/door': PAGE })
    const [closed, open] = await check({ seeds: [`${origin}/private/x`, `${origin}/private/door`] })
    expect(closed).toMatchObject({
      status: null,
      trouble: '',
      robots: { state: 'found', allowed: false, rule: 'robots.txt line 2: Disallow: /private/' },
    })
    expect(open).toMatchObject({ status: 200, robots: { allowed: true, rule: '' } })
    expect(asked).not.toContain('/private/x')
  })

  it('that is not to be asked is not asked', async () => {
    const { origin, asked } = await serve({ '/robots.txt': [200, 'User-agent: *\nDisallow: /'], '/': PAGE })
    const { robots, status } = await checkOne({ seeds: [origin], politeness: { robots: false } })
    expect([robots.state, robots.allowed, status]).toEqual(['off', true, 200])
    expect(asked).not.toContain('/robots.txt')
  })

  it.each([
    [60, 60_000, 1 / 30],
    [2, 2_000, 1 / 2],
  ])('that asks for %i s between requests slows us down', async (seconds, crawlDelayMs, maxPerSecond) => {
    const { origin } = await serve({ '/robots.txt': [200, `User-agent: *\nCrawl-delay: ${seconds}`], '/': PAGE })
    const found = await checkOne({ seeds: [origin] })
    expect([found.robots.crawlDelayMs, found.maxPerSecond]).toEqual([crawlDelayMs, maxPerSecond])
  })

  it('that fails keeps us from the site', async () => {
    const { origin, asked } = await serve({ '/robots.txt': [503, ''], '/': PAGE })
    expect(await checkOne({ seeds: [origin] })).toMatchObject({
      status: null,
      trouble: '',
      robots: { state: 'unreachable', allowed: false },
    })
    expect(asked).toEqual(['/robots.txt'])
  })

  it('counts where a redirect ends', async () => {
    const rules = 'User-agent: *\nDisallow: /b'
    const { origin } = await serve({ '/robots.txt': [200, rules], '/a': redirect('/b'), '/b': PAGE })
    const { hops, status, robots } = await checkOne({ seeds: [`${origin}/a`] })
    expect([hops.length, status, robots.allowed]).toEqual([1, null, false])
  })
})

describe('sitemaps', () => {
  it('are read through an index, five files at most', async () => {
    const children = Array.from({ length: 7 }, (_, n) => `/s${n}.xml`)
    const { origin, asked } = await serve({
      '/': PAGE,
      '/robots.txt': [200, 'Sitemap: {{origin}}/index.xml'],
      '/index.xml': sitemapIndex(...children, '/index.xml'),
      ...Object.fromEntries(children.map((path, n) => [path, sitemap(`/${n}`)])),
    })
    expect((await checkOne({ seeds: [origin] })).sitemaps).toEqual({ state: 'found', urls: 4, files: 5, more: true })
    expect(asked.filter((path) => path.startsWith('/s'))).toHaveLength(5)
  })

  it('are counted up to 50,000 URLs', async () => {
    const paths = Array.from({ length: 50_001 }, (_, n) => `/${n}`)
    const { origin } = await serve({ '/': PAGE, '/sitemap.xml': sitemap(...paths) })
    const found = await checkOne({ seeds: [origin] })
    expect(found.sitemaps).toEqual({ state: 'found', urls: 50_000, files: 1, more: true })
  })

  it('that are no sitemaps do not count', async () => {
    const { origin } = await serve({ '/': PAGE, '/sitemap.xml': PAGE })
    expect((await checkOne({ seeds: [origin] })).sitemaps).toEqual({ state: 'none', urls: 0, files: 0, more: false })
  })

  it('are left alone when the settings say so', async () => {
    const { origin, asked } = await serve({ '/': PAGE, '/sitemap.xml': sitemap('/') })
    const { sitemaps } = await checkOne({ seeds: [origin], politeness: { sitemaps: false } })
    expect([sitemaps.state, asked.includes('/sitemap.xml')]).toEqual(['off', false])
  })
})

describe('time', () => {
  it('ends a check that nobody answers', async () => {
    const { origin } = await serve({ '/': 'never', '/a': PAGE })
    const [silent, slow] = await new SeedChecker(HOST, 1_500).check(
      crawlSettings.parse({ seeds: [`${origin}/a`, `${origin}/`] }),
    )
    expect(silent).toMatchObject({ status: 200, trouble: '' })
    expect(slow).toMatchObject({ status: null, trouble: 'timeout_total' })
  })

  it('says that sitemaps are not all read', async () => {
    const { origin } = await serve({ '/': PAGE, '/sitemap.xml': 'never' })
    const [found] = await new SeedChecker(HOST, 1_500).check(crawlSettings.parse({ seeds: [origin] }))
    expect(found).toMatchObject({ status: 200, sitemaps: { more: true } })
  })

  it('a new check ends the one before', async () => {
    const { origin } = await serve({ '/silent': 'never', '/': PAGE })
    const first = check({ seeds: [`${origin}/silent`] })
    const [second] = await Promise.all([
      check({ seeds: [origin] }),
      expect(first).rejects.toMatchObject({ code: 'bad_input' }),
    ])
    expect(second[0]).toMatchObject({ status: 200 })
  })
})
