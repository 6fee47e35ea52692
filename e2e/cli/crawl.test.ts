import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CliResult, runCli } from './run-cli.ts'

/** What the command line does with a site, seen from both ends: the export, and what the server was asked for. */

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Row = Record<string, string | number | null>

let folder: string
let server: Server
let base: string
let routes: Record<string, Handler>
let asked: { path: string; at: number; headers: IncomingMessage['headers'] }[]
let files = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-cli-'))
  server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push({ path, at: performance.now(), headers: request.headers })
    const handler = routes[path]
    if (handler) handler(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>404</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  routes = {}
  asked = []
})

const page =
  (body: string, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<title>T</title>${body}`)
const redirect =
  (location: string, status = 301): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end()
const links = (...targets: string[]): string => targets.map((target) => `<a href="${target}">x</a>`).join('')
const times = (path: string): number => asked.filter((each) => each.path === path).length

async function crawl(...flags: string[]): Promise<{ file: string; result: CliResult; summary: Record<string, never> }> {
  const file = join(folder, `crawl-${++files}.sandpiper`)
  const result = await runCli(['crawl', `${base}/`, '--file', file, '--json', '--quiet', ...flags])
  return { file, result, summary: JSON.parse(result.stdout || '{}') }
}

async function rows(file: string, view: string): Promise<Record<string, Row>> {
  const { stdout, stderr, code } = await runCli(['export', file, '--view', view, '--format', 'jsonl'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const all = stdout.split('\n').filter((line) => line !== '')
  return Object.fromEntries(
    all.map((line) => JSON.parse(line) as Row).map((row) => [String(row.url).slice(base.length), row]),
  )
}

describe('rows', () => {
  it('keeps a redirect as a row of its own, its target at the same depth, and follows the chain in final_url', async () => {
    routes = { '/': page(links('/a')), '/a': redirect('/b'), '/b': redirect('/c', 302), '/c': page('') }
    const { file } = await crawl()
    const pages = await rows(file, 'pages')
    expect(pages['/a']).toMatchObject({ status: 301, state: 'done', depth: 1, final_url: `${base}/c`, outlinks: 1 })
    expect(pages['/b']).toMatchObject({ status: 302, depth: 1, referrer: `${base}/a`, final_url: `${base}/c` })
    expect(pages['/c']).toMatchObject({
      status: 200,
      depth: 1,
      referrer: `${base}/b`,
      final_url: `${base}/c`,
      inlinks: 1,
    })
    expect((await rows(file, 'redirects'))['/a']).toMatchObject({ location: `${base}/b`, hops: 2, final_status: 200 })
  })

  it('follows a redirect to itself in place, with the cookies it set, and gives up after ten', async () => {
    routes = {
      '/': page(links('/gate', '/loop')),
      '/gate': (request, response) => {
        if (request.headers.cookie === 'pass=1') page('in')(request, response)
        else response.writeHead(302, { location: '/gate', 'set-cookie': 'pass=1; Path=/' }).end()
      },
      '/loop': redirect('/loop', 302),
    }
    const { file } = await crawl()
    const pages = await rows(file, 'pages')
    expect(pages['/gate']).toMatchObject({ status: 200, state: 'done' })
    expect(pages['/loop']).toMatchObject({ status: null, state: 'final_failed', reason: 'redirect_loop' })
    expect(times('/loop')).toBe(11)
  })

  it('ends a chain of redirects in a circle', async () => {
    routes = { '/': page(links('/a')), '/a': redirect('/b'), '/b': redirect('/a') }
    const { file, result } = await crawl()
    expect(result.code).toBe(0)
    expect((await rows(file, 'redirects'))['/a']).toMatchObject({ hops: 10 })
    expect([times('/a'), times('/b')]).toEqual([1, 1])
  })

  it('fetches resources once and does not parse them; other hosts are recorded and not fetched', async () => {
    routes = {
      '/': page(
        '<img src="/p.png" alt="pic"><img src="/p.png"><script src="/s.js"></script><a href="http://127.0.0.1:1/">o</a>',
      ),
      '/p.png': page('<a href="/hidden">', { 'content-type': 'image/png' }),
      '/s.js': (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('1'),
    }
    const { file, summary } = await crawl()
    expect(summary).toMatchObject({
      state: 'finished',
      exitReason: 'finished',
      pages: { done: 1, failed: 0, skipped: 1, pending: 0 },
    })
    const queue = await rows(file, 'queue')
    expect(queue['/p.png']).toMatchObject({ kind: 'resource', state: 'done', status: 200, inlinks: 2 })
    expect(Object.values(queue).find(({ url }) => url === 'http://127.0.0.1:1/')).toMatchObject({
      state: 'skipped',
      reason: 'external',
    })
    expect((await rows(file, 'images'))['/p.png']).toMatchObject({ alt: 'pic', missing_alt: 1 })
    expect([times('/p.png'), times('/hidden')]).toEqual([1, 0])
    expect(Object.keys(await rows(file, 'pages'))).toEqual(['/'])
  })

  it('stores why robots.txt blocks a page, and asks for it once', async () => {
    routes = {
      '/': page(links('/tmp/x', '/ok')),
      '/ok': page(''),
      '/robots.txt': (_request, response) => void response.end('User-agent: *\n\n# staff\nDisallow: /tmp/\n'),
    }
    const { file } = await crawl()
    expect((await rows(file, 'queue'))['/tmp/x']).toMatchObject({
      state: 'skipped',
      reason: 'robots',
      detail: 'robots.txt line 4: Disallow: /tmp/',
    })
    expect([times('/robots.txt'), times('/tmp/x')]).toEqual([1, 0])
    await crawl('--no-robots')
    expect(times('/tmp/x')).toBe(1)
  })

  it('reads sitemaps; what only a sitemap names has no depth', async () => {
    routes = {
      '/': page(links('/linked')),
      '/linked': page(''),
      '/orphan': page(links('/child')),
      '/child': page(''),
      '/robots.txt': (_request, response) =>
        void response.end(`Sitemap: /relative-is-ignored\nSitemap: ${base}/map.xml`),
      '/map.xml': (_request, response) =>
        void response.end(`<urlset><url><loc>${base}/orphan</loc></url><url><loc>${base}/linked</loc></url></urlset>`),
    }
    const { file } = await crawl()
    const pages = await rows(file, 'pages')
    expect(pages['/orphan']).toMatchObject({ depth: null, referrer: null, status: 200 })
    expect(pages['/child']).toMatchObject({ depth: null })
    expect(pages['/linked']).toMatchObject({ depth: 1, referrer: `${base}/` })
    expect(await rows(file, 'sitemaps')).toMatchObject({
      '/map.xml': { state: 'done', entries: 2 },
      '/sitemap.xml': { status: 404 },
    })
  })
})

describe('answers', () => {
  it('decodes gzip, br and zstd, and sees a cut or oversized one', async () => {
    const html = Buffer.from(`<title>packed</title>${links('/end')}`)
    const packed =
      (encoding: string, body: Buffer): Handler =>
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(body)
    routes = {
      '/': page(links('/gz', '/br', '/zst', '/cut', '/bomb', '/odd')),
      '/gz': packed('gzip', gzipSync(html)),
      '/br': packed('br', brotliCompressSync(html)),
      '/zst': packed('zstd', zstdCompressSync(html)),
      '/cut': packed('gzip', gzipSync(Buffer.alloc(50_000, 'x')).subarray(0, -20)),
      '/bomb': packed('gzip', gzipSync(Buffer.alloc(3_000_000))),
      '/odd': packed('lzma', html),
      '/end': page(''),
    }
    const { file } = await crawl('--max-body', '1000000', '--retries', '0')
    const pages = await rows(file, 'pages')
    for (const path of ['/gz', '/br', '/zst'])
      expect(pages[path]).toMatchObject({ title: 'packed', state: 'done', bytes: html.length })
    expect(pages['/cut']).toMatchObject({ state: 'final_failed', reason: 'truncated', title: null })
    expect(pages['/bomb']).toMatchObject({ state: 'final_failed', reason: 'body_too_large' })
    expect(pages['/odd']).toMatchObject({ state: 'final_failed', reason: 'unsupported_encoding' })
    expect(pages['/end']).toMatchObject({ status: 200 })
  })

  it('never takes a body that is too short for a good one', async () => {
    let tries = 0
    routes = {
      '/': page(links('/short')),
      '/short': (_request, response) => {
        tries++
        if (tries > 1) return page('whole')(_request, response)
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
        response.write('<title>half')
        setTimeout(() => response.destroy(), 20)
      },
    }
    const { file } = await crawl()
    expect((await rows(file, 'pages'))['/short']).toMatchObject({ state: 'done', title: 'T' })
    expect(tries).toBe(2)
  })

  it('retries a server error, keeps its status when it stays, and does not retry a 404', async () => {
    let tries = 0
    routes = {
      '/': page(links('/flaky', '/broken', '/gone')),
      '/flaky': (request, response) => {
        if (++tries === 1) response.writeHead(500).end()
        else page('')(request, response)
      },
      '/broken': (_request, response) => void response.writeHead(502).end(),
    }
    const { file, summary } = await crawl('--retries', '1')
    const pages = await rows(file, 'pages')
    expect(pages['/flaky']).toMatchObject({ state: 'done', status: 200 })
    expect(pages['/broken']).toMatchObject({ state: 'final_failed', status: 502, reason: 'server_error' })
    expect(pages['/gone']).toMatchObject({ state: 'done', status: 404 })
    expect([times('/broken'), times('/gone')]).toEqual([2, 1])
    expect(summary).toMatchObject({ pages: { done: 3, failed: 1 } })
    expect((await rows(file, 'errors'))['/gone']).toMatchObject({ referrer: `${base}/`, link_text: 'x' })
  })

  it('waits as long as a 429 asks, for the whole site, and burns no try', async () => {
    let refused = 0
    routes = {
      '/': page(links('/busy', '/other')),
      '/other': page(''),
      '/busy': (request, response) => {
        if (refused++ === 0) response.writeHead(429, { 'retry-after': '2' }).end()
        else page('')(request, response)
      },
    }
    const { file } = await crawl('--retries', '0', '--per-host', '1')
    const [first, second] = asked.filter(({ path }) => path === '/busy').map(({ at }) => at)
    expect(second! - first!).toBeGreaterThanOrEqual(1_990)
    expect(asked.filter(({ at }) => at > first! && at < second!)).toEqual([])
    expect((await rows(file, 'queue'))['/busy']).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('keeps at the delay between request starts, with all requests counted', async () => {
    routes = { '/': page(links('/1', '/2', '/3')), '/1': page(''), '/2': page(''), '/3': page('') }
    await crawl('--delay', '150')
    expect(asked.length).toBeGreaterThanOrEqual(5)
    const [first] = asked
    // From the first one on: a single gap as the server sees it also holds the delays of its own process.
    for (const [n, { at }] of asked.entries()) expect(at - first!.at).toBeGreaterThan(n * 150 - 40)
  })

  it('ends a request at its deadline although bytes keep dripping', async () => {
    routes = {
      '/': page(links('/drip')),
      '/drip': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      },
    }
    const { file } = await crawl('--timeout', '700', '--retries', '0')
    expect((await rows(file, 'pages'))['/drip']).toMatchObject({ state: 'final_failed', reason: 'timeout_total' })
  })
})

describe('waiting', () => {
  it('ends as waiting when the server asks for a day, keeps that over a resume, and says until when', async () => {
    routes = {
      '/': page(links('/later')),
      '/later': (_request, response) => void response.writeHead(503, { 'retry-after': '86400' }).end(),
    }
    const { file, result, summary } = await crawl()
    expect(result.code).toBe(3)
    expect(summary).toMatchObject({ state: 'paused', exitReason: 'waiting', pages: { done: 1, failed: 0, pending: 1 } })
    const before = asked.length
    const again = await runCli(['resume', file, '--json'])
    expect(again.code).toBe(3)
    expect(again.stderr).toMatch(/Nothing may run before .*sandpiper resume/s)
    expect(asked.length).toBe(before)
    const status = JSON.parse((await runCli(['status', file, '--json'])).stdout)
    expect(status).toMatchObject({
      state: 'paused',
      resumable: true,
      hosts: [{ pending: 1, parkReason: 'the site asked to wait' }],
    })
    expect(Date.parse(status.hosts[0].parkedUntil) - Date.now()).toBeGreaterThan(80_000_000)
  })

  it('fetches nothing while robots.txt answers with a server error; its rows say why they wait', async () => {
    routes = {
      '/': page(''),
      '/robots.txt': (_request, response) => void response.writeHead(503, { 'retry-after': '7200' }).end(),
    }
    const { file, result } = await crawl()
    expect(result.code).toBe(3)
    expect(asked.map(({ path }) => path)).toEqual(['/robots.txt'])
    expect((await rows(file, 'queue'))['/']).toMatchObject({ state: 'pending', reason: 'robots unreachable' })
  })
})

describe('limits and scope', () => {
  it('stops at --max-pages exactly, says so, and resumes with a larger one', async () => {
    routes = { '/': page(links('/1', '/2', '/3', '/4')) }
    for (const path of ['/1', '/2', '/3', '/4']) routes[path] = page('')
    const { file, summary, result } = await crawl('--max-pages', '3')
    expect(result.code).toBe(0)
    expect(summary).toMatchObject({ state: 'stopped', exitReason: 'limit', pages: { done: 3, pending: 2 } })
    const resumed = await runCli(['resume', file, '--max-pages', '10', '--json', '--quiet'])
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      exitReason: 'finished',
      pages: { done: 5, pending: 0 },
      requests: 2,
    })
    const again = await runCli(['resume', file, '--json'])
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(/is finished/)
    expect(JSON.parse(again.stdout)).toMatchObject({ state: 'finished', requests: 0 })
  })

  it('goes no deeper than --max-depth, by the shortest way, whatever order pages arrive in', async () => {
    const slow =
      (body: string): Handler =>
      (request, response) =>
        void setTimeout(() => page(body)(request, response), 300)
    // /target is two links away by the slow page and three by the fast ones.
    routes = {
      '/': page(links('/fast1', '/slow')),
      '/fast1': page(links('/fast2')),
      '/fast2': page(links('/target')),
      '/slow': slow(links('/target')),
      '/target': page(links('/beyond')),
    }
    const { file } = await crawl('--max-depth', '2')
    const queue = await rows(file, 'queue')
    expect(queue['/target']).toMatchObject({ state: 'done', depth: 2 })
    expect(queue['/beyond']).toMatchObject({ state: 'skipped', reason: 'max_depth', depth: 3 })
    await runCli(['resume', file, '--max-depth', '3', '--quiet'])
    expect((await rows(file, 'queue'))['/beyond']).toMatchObject({ state: 'done', status: 404 })
  })

  it('a resumed crawl obeys a smaller --max-depth', async () => {
    routes = { '/': page(links('/1')), '/1': page(links('/2')), '/2': page('') }
    const { file } = await crawl('--max-pages', '2')
    await runCli(['resume', file, '--max-pages', '10', '--max-depth', '1', '--quiet'])
    expect((await rows(file, 'queue'))['/2']).toMatchObject({ state: 'skipped', reason: 'max_depth' })
    expect(times('/2')).toBe(0)
  })

  it('obeys --include and --exclude, exclude winning, the seed always in', async () => {
    routes = { '/': page(links('/docs/a', '/docs/b?x=1', '/blog/a')), '/docs/a': page('') }
    const { file } = await crawl('--include', '/docs/*', '--exclude', '*?*')
    const queue = await rows(file, 'queue')
    expect(queue['/']).toMatchObject({ state: 'done' })
    expect(queue['/docs/a']).toMatchObject({ state: 'done' })
    expect(queue['/docs/b?x=1']).toMatchObject({ state: 'skipped', reason: 'excluded' })
    expect(queue['/blog/a']).toMatchObject({ state: 'skipped', reason: 'not_included' })
  })

  it('names itself, and sends the headers it was given', async () => {
    routes = { '/': page('') }
    await crawl('--header', 'X-Audit: yes')
    expect(asked.at(-1)!.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^Sandpiper\//),
      'x-audit': 'yes',
    })
    await crawl('--user-agent', 'Custom/1')
    expect(asked.at(-1)!.headers['user-agent']).toBe('Custom/1')
  })

  it('takes settings from a file; flags beat them', async () => {
    routes = { '/': page(links('/1', '/2')), '/1': page(''), '/2': page('') }
    const settings = join(folder, 'settings.json')
    writeFileSync(settings, JSON.stringify({ limits: { maxPages: 1 }, politeness: { sitemaps: false } }))
    expect((await crawl('--settings', settings)).summary).toMatchObject({ pages: { done: 1 } })
    expect((await crawl('--settings', settings, '--max-pages', '2')).summary).toMatchObject({ pages: { done: 2 } })
    expect(times('/sitemap.xml')).toBe(0)
  })
})

describe('files and streams', () => {
  it('names the file after host and time when none is given, and exports when it ends', async () => {
    routes = { '/': page('') }
    const cwd = mkdtempSync(join(folder, 'cwd-'))
    const { code, stdout, stderr } = await runCli(['crawl', base, '--export', 'out.csv'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/Finished: 1 pages/)
    expect(readdirSync(cwd).sort()).toEqual([expect.stringMatching(/^127\.0\.0\.1-\d{8}-\d{6}\.sandpiper$/), 'out.csv'])
    const csv = readFileSync(join(cwd, 'out.csv'))
    expect(csv.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [header, row, end] = csv.toString().slice(1).split('\r\n')
    expect(header).toMatch(
      /^url,final_url,status,state,reason,content_type,title,description,h1,canonical,robots,lang,depth,words,bytes,response_ms,inlinks,outlinks,hash,fetched_at,referrer/,
    )
    expect(row).toMatch(new RegExp(`^${base}/,${base}/,200,done,,text/html,T,`))
    expect(end).toBe('')
  })

  it('prints every key of --json and status --json', async () => {
    routes = { '/': page('') }
    const { file, summary } = await crawl()
    expect(Object.keys(summary)).toEqual([
      'file',
      'state',
      'exitReason',
      'pages',
      'requests',
      'bytes',
      'seconds',
      'pagesPerSecond',
    ])
    const status = JSON.parse((await runCli(['status', file, '--json'])).stdout)
    expect(Object.keys(status)).toEqual(['file', 'state', 'resumable', 'counts', 'hosts', 'owner'])
    expect(Object.keys(status.counts).sort()).toEqual([
      'done',
      'failed',
      'final_failed',
      'pending',
      'processing',
      'skipped',
    ])
    expect(status).toMatchObject({
      state: 'finished',
      resumable: false,
      owner: null,
      hosts: [{ origin: base, done: 1 }],
    })
  })

  it('retries what failed when asked to', async () => {
    let broken = true
    routes = {
      '/': page(links('/b')),
      '/b': (request, response) => {
        if (broken) response.writeHead(500).end()
        else page('')(request, response)
      },
    }
    const { file, summary } = await crawl('--retries', '0')
    expect(summary).toMatchObject({ pages: { done: 1, failed: 1 } })
    broken = false
    const resumed = await runCli(['resume', file, '--retry-failed', '--json', '--quiet'])
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      exitReason: 'finished',
      pages: { done: 2, failed: 0 },
      requests: 1,
    })
  })

  it('goes on when the reader of its output has gone', async () => {
    routes = { '/': page(links(...Array.from({ length: 2_000 }, (_, n) => `/${n}`))) }
    const { file } = await crawl('--max-pages', '1')
    const command = `"$0" "$1" export "$2" --view links --format jsonl | head -1`
    const { spawnSync } = await import('node:child_process')
    const { CLI } = await import('./run-cli.ts')
    const piped = spawnSync('sh', ['-c', command, process.execPath, CLI, file])
    expect(piped.stdout.toString()).toMatch(/^\{"source"/)
    expect(piped.stderr.toString()).toBe('')
  })
})
