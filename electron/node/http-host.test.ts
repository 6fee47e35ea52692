import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequestArgs, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Application, compose } from '../service/compose.ts'
import { StaticAssets } from '../service/static-assets.ts'
import { TestCrawl } from '../service/tables/test-crawl.ts'
import { HttpHost } from './http-host.ts'
import { RequestGuard, TOKEN_HEADER } from './request-guard.ts'

let folder: string
let host: HttpHost
let token: string
let application: Application

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-http-'))
  mkdirSync(join(folder, 'renderer/assets'), { recursive: true })
  writeFileSync(join(folder, 'renderer/index.html'), '<style nonce="__CSP_NONCE__"></style>')
  writeFileSync(join(folder, 'renderer/assets/app.js'), '1')
  writeFileSync(join(folder, 'secret.html'), 'secret')
  const facts = {
    parseWorker: join(folder, 'none.js'),
    parseThreads: 1,
    sortWorker: join(folder, 'none.js'),
    sampleSite: folder,
    isOwnAddress: (url: URL) => url.port === String(host.port),
  }
  application = compose(join(folder, 'crawls'), facts, null)
  host = await HttpHost.listen({ application, assets: new StaticAssets(join(folder, 'renderer')) }, 0)
  token = new URL(host.url).hash.slice(1)
})
afterEach(async () => {
  await host.close()
  await application.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

function send(options: ClientRequestArgs, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: host.port, ...options }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const own = (more: Record<string, string> = {}): Record<string, string> => ({
  'content-type': 'application/json',
  [TOKEN_HEADER]: token,
  ...more,
})
const command = (name: string, input: unknown, headers = own()): Promise<Answer> =>
  send({ method: 'POST', path: `/command/${name}`, headers }, typeof input === 'string' ? input : JSON.stringify(input))

describe('our own page', () => {
  it('gets its files with a strict policy and a nonce of its own each time', async () => {
    const [first, second] = [await send({ path: '/' }), await send({ path: '/' })]
    const nonce = /nonce="([^"]+)"/.exec(first.body)![1]!
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(first.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(first.headers['x-content-type-options']).toBe('nosniff')
    expect(second.body).not.toBe(first.body)
    expect((await send({ path: '/assets/app.js' })).headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  it('runs commands, and hears of mistakes as data', async () => {
    expect(await command('library.list', {})).toMatchObject({ status: 200, body: '{"ok":true,"value":[]}' })
    const wrong = await command('crawl.stop', { id: 'x.sandpiper' })
    expect(wrong.status).toBe(422)
    expect(JSON.parse(wrong.body)).toMatchObject({
      ok: false,
      error: { code: 'bad_input', message: 'x.sandpiper is not running.' },
    })
    const field = await command('crawl.start', { settings: { seeds: ['http://x.test/'], limits: { maxPages: 0 } } })
    expect(JSON.parse(field.body).error.message).toMatch(/settings\.limits\.maxPages/)
  })

  it('gets events as a stream, the first with everything', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: host.port, path: '/events', headers: own() }, (response) => {
        response.once('data', (chunk: Buffer) => {
          resolve(chunk.toString())
          sent.destroy()
        })
      })
      sent.on('error', reject)
      sent.end()
    })
    expect(first).toBe('id: 0\ndata: {"seq":0,"progress":{},"exports":{},"library":true,"closing":null}\n\n')
  })
})

describe('a crawl file that is sent', () => {
  const type = { 'content-type': 'application/vnd.sandpiper' }
  const post = (headers: Record<string, string>, body: string): Promise<Answer> =>
    send({ method: 'POST', path: '/import/..%2f..%2fx.sandpiper', headers }, body)

  it('is looked at before it is kept', async () => {
    const { status, body } = await post(own(type), 'no crawl file')
    expect([status, JSON.parse(body).error.code]).toEqual([422, 'not_a_crawl_file'])
    expect(readdirSync(join(folder, 'crawls'))).toEqual([])
  })

  it('is refused without the token, from another site, or as a form', async () => {
    expect((await post(type, '')).status).toBe(401)
    expect((await post(own({ ...type, origin: 'http://evil.test' }), '')).status).toBe(403)
    expect((await post(own({ 'content-type': 'multipart/form-data' }), '')).status).toBe(415)
    expect(readdirSync(join(folder, 'crawls'))).toEqual([])
  })
})

describe('a download', () => {
  it('holds the rows of a table, once, and its progress is told', async () => {
    const crawl = new TestCrawl(join(folder, 'crawls/a.sandpiper'))
    crawl.add('1')
    crawl.commit()
    crawl.end()
    const prepared = await command('export.prepare', { id: 'a.sandpiper', source: { query: {} }, preset: 'data' })
    const { ticket } = JSON.parse(prepared.body).value
    const { status, headers, body } = await send({ path: `/export/${ticket}` })
    expect([status, headers['content-disposition']]).toEqual([200, "attachment; filename*=UTF-8''a-urls.csv"])
    expect(body.split('\r\n')[1]).toBe('http://site.test/1,pending,,,,,1,,,,,0,,page')
    expect(application.exports.progress()[ticket]).toMatchObject({
      state: 'done',
      rows: 1,
      bytes: body.length,
      place: '',
    })
    expect((await send({ path: `/export/${ticket}` })).status).toBe(404)
  })
})

describe('nobody else', () => {
  it.each<[string, ClientRequestArgs, number]>([
    ['a foreign Host', { path: '/', headers: { host: 'evil.test' } }, 421],
    ['our name with a foreign port', { path: '/', headers: { host: '127.0.0.1:1' } }, 421],
    ['a Host that only starts like ours', { path: '/', headers: { host: '127.0.0.1.evil.test' } }, 421],
    ['a target with two slashes', { path: '//evil.test/' }, 421],
    ['an absolute target', { path: 'http://evil.test/' }, 421],
    ['PUT', { method: 'PUT', path: '/' }, 405],
    ['GET of a command', { path: '/command/library.list' }, 404],
    ['events without a token', { path: '/events' }, 401],
    ['a download without a ticket', { path: '/export/x' }, 404],
  ])('%s', async (_name, options, status) => {
    expect((await send(options)).status).toBe(status)
  })

  it.each<[string, Record<string, string | null>, number]>([
    ['no token', { [TOKEN_HEADER]: null }, 401],
    ['a wrong token', { [TOKEN_HEADER]: 'x'.repeat(43) }, 401],
    ['a foreign Origin', { origin: 'http://evil.test' }, 403],
    ['a null Origin', { origin: 'null' }, 403],
    ['our Origin by https', { origin: 'https://127.0.0.1' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another program of this host', { 'sec-fetch-site': 'same-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('a command with %s', async (_name, change, status) => {
    const headers = Object.fromEntries(
      Object.entries({ ...own(), ...change }).filter(([, value]) => value !== null),
    ) as Record<string, string>
    const before = readdirSync(join(folder, 'crawls'))
    const start = { settings: { seeds: ['http://127.0.0.1:9/'] } }
    expect((await command('crawl.start', start, headers)).status).toBe(status)
    expect(readdirSync(join(folder, 'crawls'))).toEqual(before)
  })

  it.each([
    '/../secret.html',
    '/%2e%2e/secret.html',
    '/..%2fsecret.html',
    '/..\\secret.html',
    '/assets/../../secret.html',
    '/index.html%00',
    `/${'a'.repeat(5000)}`,
  ])('a file outside: %s', async (path) => {
    const { status, body } = await send({ path })
    expect(status).toBe(404)
    expect(body).not.toContain('secret')
  })

  it('a body that is too large, too deep, or no JSON', async () => {
    expect((await command('library.list', `"${'x'.repeat(1_100_000)}"`).catch(() => ({ status: 413 }))).status).toBe(
      413,
    )
    expect((await command('library.list', '['.repeat(100_000))).status).toBe(400)
    expect((await command('library.list', '{nope')).status).toBe(400)
  })

  it.each(['nope', '__proto__', 'constructor', 'toString', 'library.list/../x', ''])(
    'an unknown command %j',
    async (name) => {
      expect((await command(encodeURIComponent(name), {})).status).toBe(404)
    },
  )

  it('a crawl of Sandpiper itself', async () => {
    const { status, body } = await command('crawl.start', { settings: { seeds: [`http://localhost:${host.port}/`] } })
    expect(status).toBe(422)
    expect(JSON.parse(body).error.message).toMatch(/is Sandpiper itself/)
  })

  it('keys that reach for the prototype, and names that are paths', async () => {
    const hostile =
      '{"settings":{"seeds":["http://x.test/"],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}'
    expect((await command('crawl.start', hostile)).status).toBe(422)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    for (const id of ['../secret.sandpiper', '/etc/x.sandpiper', '.sandpiper', 'a\\b.sandpiper', 'a\0.sandpiper']) {
      expect((await command('crawl.read', { id })).status, id).toBe(422)
    }
  })

  it('a request that is not HTTP is dropped, and the host lives', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(host.port, '127.0.0.1', () => socket.write('\x16\x03\x01 not http\r\n\r\n'))
      socket.resume()
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
    expect((await send({ path: '/' })).status).toBe(200)
  })
})

describe('guessing the token', () => {
  it('is slowed down, then locked out for a minute, the right one too', () => {
    let now = 0
    const guard = new RequestGuard(1, () => now)
    const check = (given: string) => guard.checkCaller({ headers: { [TOKEN_HEADER]: given } } as never)
    for (let n = 0; n < 10; n++) expect(check('wrong')).toEqual({ status: 401, delayMs: 0 })
    for (let n = 10; n < 99; n++) expect(check('wrong')).toEqual({ status: 401, delayMs: 1_000 })
    check('wrong')
    expect(check(guard.token)).toEqual({ status: 429, delayMs: 0 })
    now = 60_000
    expect(check(guard.token)).toBeNull()
  })
})
