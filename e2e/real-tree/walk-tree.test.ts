import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTreeServer, type TreeServer } from './serve-tree.ts'
import { walkTree } from './walk-tree.ts'

/** The walk and the server are what a crawl of a real tree is judged by: here they are judged by hand, and by each other. */

const FILES = {
  'index.html': `<title> Start
    &amp; more </title><a href="a.html#part">a</a> <a href="#top">up</a> <a href="sub">sub</a> <a href="sub/?q=1&amp;r=2">query</a>
    <a href="%61.html">escaped</a> <a href="A.html">another case</a> <a href="sp%20ace.html">space</a> <a href="empty">empty</a>
    <a href="mailto:x@y.invalid">mail</a> <a href="http://[">no address</a> <a href="https://other.invalid/">other</a>
    <!-- <a href="comment.html"> --> <template><a href="template.html"></a></template> <noscript><a href="noscript.html"></a></noscript>
    <svg><title>tooltip</title><a xlink:href="svg.html"></a></svg>`,
  'a.html':
    '<base href="sub/"><base href="/nowhere/"><title>A</title><a href="b.html">b</a> <img src="../no.png"> <img src="">',
  'sp ace.html': '<title>Space</title><a href="../outside.html">out</a> <a href="x%2fy.html">slash</a>',
  'noscript.html': '<meta http-equiv="Refresh" content="0; URL=refreshed.html">',
  'refreshed.html': '<title>Refreshed</title><link rel="next" href="next.html"><link rel="icon" href="icon.html">',
  'next.html': '<base href="http://["><title>Next</title><area href="latin.html"><iframe src="frame.htm"></iframe>',
  'latin.html': Buffer.from('<meta charset="iso-8859-1"><title>Caf\xe9</title>', 'latin1'),
  'frame.htm': '<title>Frame</title>',
  'svg.html': '<title>SVG</title><a href="sub/b.html">b</a>',
  'sub/index.html': '<title>Sub</title><a href="../">up</a><a href="missing.html">missing</a>',
  'sub/b.html': '<title>B</title><a href="missing.html">missing</a><a href="/sub">home</a><a href="text.txt">text</a>',
  'sub/text.txt': '<a href="never.html">not a page</a>',
  'empty/nothing.txt': '',
  'icon.html': '<title>Not linked</title>',
}

let root: string
let folder: string
let server: TreeServer

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sandpiper-walk-'))
  folder = join(root, 'tree')
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  writeFileSync(join(root, 'secret.html'), 'secret')
  server = await startTreeServer(folder)
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

/** Without the origin, in order. */
const paths = (urls: Iterable<string>): string[] => [...urls].map((url) => url.replace(server.url, '/')).sort()

it('finds the pages, titles, redirects and broken links of a tree', () => {
  const { pages, redirects, broken } = walkTree(folder, server.url)
  expect(Object.fromEntries([...pages].map(([url, title]) => [url.replace(server.url, '/'), title]))).toEqual({
    '/': 'Start & more',
    '/%61.html': 'A',
    '/a.html': 'A',
    '/sp%20ace.html': 'Space',
    '/noscript.html': '',
    '/refreshed.html': 'Refreshed',
    '/next.html': 'Next',
    '/latin.html': 'Café',
    '/frame.htm': 'Frame',
    '/svg.html': 'SVG',
    '/sub/': 'Sub',
    '/sub/?q=1&r=2': 'Sub',
    '/sub/b.html': 'B',
  })
  expect(paths(redirects.keys())).toEqual(['/empty', '/sub'])
  expect(Object.fromEntries([...broken].map(([url, from]) => [url.replace(server.url, '/'), paths(from)]))).toEqual({
    '/A.html': ['/'],
    '/empty/': ['/empty'],
    '/no.png': ['/%61.html', '/a.html'],
    '/outside.html': ['/sp%20ace.html'],
    '/x%2fy.html': ['/sp%20ace.html'],
    '/sub/missing.html': ['/sub/', '/sub/?q=1&r=2', '/sub/b.html'],
  })
})

it('starts where it is told, below any address', () => {
  const base = 'http://docs.invalid/manual/'
  expect([...walkTree(folder, base, 'sub/b.html').pages.keys()]).toEqual([`${base}sub/b.html`])
  expect([...walkTree(folder, base, 'sub/b.html').broken.keys()]).toEqual([
    `${base}sub/missing.html`,
    'http://docs.invalid/sub',
  ])
})

it('agrees with the server about every address', async () => {
  const { pages, redirects, broken } = walkTree(folder, server.url)
  const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status
  for (const url of pages.keys()) expect(await statusOf(url), url).toBe(200)
  for (const url of redirects.keys()) expect(await statusOf(url), url).toBe(301)
  for (const url of broken.keys()) expect(await statusOf(url), url).toBe(404)
})

it('keeps the query when it adds the slash, and gives types without charset', async () => {
  const moved = await fetch(`${server.url}sub?q=1`, { redirect: 'manual' })
  expect(moved.headers.get('location')).toBe('/sub/?q=1')
  expect((await fetch(`${server.url}latin.html`)).headers.get('content-type')).toBe('text/html')
})

it('serves nothing from outside the folder', async () => {
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: new URL(server.url).port, path }
      const sent = request(options, (response) => resolve(response.resume().statusCode))
      sent.on('error', reject).end()
    })
  for (const path of ['/../secret.html', '/%2e%2e/secret.html', '/..%2fsecret.html', '/sub/..%2f..%2fsecret.html']) {
    expect(await statusOf(path), path).toBe(404)
  }
  for (const path of ['//sub', '/%', '/%00', '/a.html/', '*']) expect(await statusOf(path), path).toBe(404)
})
