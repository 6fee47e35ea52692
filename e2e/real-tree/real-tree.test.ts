import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../cli/run-cli.ts'
import { compareWithWalk } from './compare.ts'
import { startTreeServer, type TreeServer } from './serve-tree.ts'
import { walkTree } from './walk-tree.ts'

/** A real documentation tree, crawled and held against an independent walk of its files. */

const TREE = join(import.meta.dirname, '../../node_modules/codemirror')

let folder: string
let server: TreeServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-tree-'))
  server = await startTreeServer(TREE)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

it('finds exactly the pages, titles and broken links that a walk of the files finds', async () => {
  const file = join(folder, 'tree.sandpiper')
  const crawl = await runCli(['crawl', server.url, '--file', file, '--quiet', '--json'])
  expect(crawl.code).toBe(0)
  const [pages, errors] = [join(folder, 'pages.jsonl'), join(folder, 'errors.jsonl')]
  for (const [view, output] of [
    ['pages', pages],
    ['errors', errors],
  ] as const) {
    expect((await runCli(['export', file, '--view', view, '--format', 'jsonl', '--output', output])).code).toBe(0)
  }
  const walked = walkTree(TREE, server.url)
  expect(walked.pages.size).toBeGreaterThan(100)
  expect(walked.broken.size).toBeGreaterThan(0)
  expect(compareWithWalk(walked, pages, errors)).toEqual([])
  expect([...server.requested].filter(([, count]) => count > 1)).toEqual([])
})
