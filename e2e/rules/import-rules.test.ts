import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The rules who may import whom are only worth something while breaking one fails. */

const ROOT = join(import.meta.dirname, '../..')

const FORBIDDEN = [
  ['shared', '../electron/store/database.ts'],
  ['electron/engine', '../store/database.ts'],
  ['electron/engine', 'better-sqlite3'],
  ['electron/parse', '../engine/crawl.ts'],
  ['electron/store', '../service/crawl-run.ts'],
  ['electron/service', 'electron'],
  ['electron/service', 'better-sqlite3'],
  ['electron/node', '../store/database.ts'],
  ['electron/node', 'electron'],
  ['electron/main', '../engine/crawl.ts'],
  ['electron/preload', 'zod'],
  ['renderer', '../electron/service/crawl-run.ts'],
] as const
const ALLOWED = [
  ['electron/engine', '../../shared/crawl-state.ts'],
  ['electron/store', '../engine/frontier.ts'],
  ['electron/service', '../store/crawl-file.ts'],
  ['electron/node', '../service/crawl-run.ts'],
  ['electron/main', 'electron'],
] as const

let folder: string
let report: string

/** A tree of the same folders, one file for each import, under the project's own rules. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-rules-'))
  const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }))
  for (const [from, target] of [...FORBIDDEN, ...ALLOWED]) {
    const file = join(folder, fileOf(from, target))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import * as it from '${target}'\n\nexport const used = it\n`)
  }
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--only=style/noRestrictedImports', '--max-diagnostics=100', '.']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder })
  report = stdout.toString() + stderr.toString()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (from: string, target: string): string => `${from}/${target.replaceAll(/\W+/g, '-')}.ts`

it.each(FORBIDDEN)('%s may not import %s', (from, target) => {
  expect(report).toContain(`${fileOf(from, target)}:1:`)
})

it.each(ALLOWED)('%s may import %s', (from, target) => {
  expect(report).not.toContain(fileOf(from, target))
})
