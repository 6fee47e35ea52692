import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../cli/run-cli.ts'
import { compareWithWalk } from './compare.ts'
import { walkTree } from './walk-tree.ts'

/** A real documentation tree, crawled and held against an independent walk of its files. */

const TREE = join(import.meta.dirname, '../../node_modules/codemirror')

let folder: string
let server: Server
let base: string
const requested = new Map<string, number>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-tree-'))
  server = createServer((request, response) => {
    const url = request.url ?? '/'
    requested.set(url, (requested.get(url) ?? 0) + 1)
    const { status, type, body, location } = answer(decodeURIComponent(new URL(url, base).pathname))
    response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function answer(path: string): { status: number; type: string; body: Buffer | string; location?: string } {
  try {
    const file = join(TREE, path.endsWith('/') ? `${path}index.html` : path)
    return { status: 200, type: extname(file) === '.html' ? 'text/html' : 'text/plain', body: readFileSync(file) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') {
      return { status: 301, type: 'text/plain', body: '', location: `${path}/` }
    }
    return { status: 404, type: 'text/html', body: '<title>not found</title>' }
  }
}

it('finds exactly the pages, titles and broken links that a walk of the files finds', async () => {
  const file = join(folder, 'tree.sandpiper')
  const crawl = await runCli(['crawl', base, '--file', file, '--quiet', '--json'])
  expect(crawl.code).toBe(0)
  const [pages, errors] = [join(folder, 'pages.jsonl'), join(folder, 'errors.jsonl')]
  for (const [view, output] of [
    ['pages', pages],
    ['errors', errors],
  ] as const) {
    expect((await runCli(['export', file, '--view', view, '--format', 'jsonl', '--output', output])).code).toBe(0)
  }
  const walked = walkTree(TREE, base)
  expect(walked.pages.size).toBeGreaterThan(100)
  expect(walked.broken.size).toBeGreaterThan(0)
  expect(compareWithWalk(walked, pages, errors)).toEqual([])
  expect([...requested].filter(([, count]) => count > 1)).toEqual([])
})
