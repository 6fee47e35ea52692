import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { TestSite } from '../site/start-test-site.ts'
import { onlySuspectsLeft, type Violation, verify } from './verify.ts'

/** Kills the real command line at random moments until the crawl is finished, then checks everything that must hold. */

const CONCURRENCY = 64
const MAX_LIVES = 80
const LIFE_TIMEOUT_MS = 120_000
/** Columns that differ between any two crawls: when it was fetched and how long it took. */
const TIMES: ReadonlySet<string> = new Set(['fetched_at', 'response_ms'])

export interface Round {
  kills: number
  repeats: number
  violations: Violation[]
}

export interface RoundOptions {
  cli: string
  site: TestSite
  folder: string
  seed: number
  /** The export of an uninterrupted crawl; null to leave the comparison out. */
  expected: Record<View, string> | null
  longestLifeMs: number
}

const VIEWS = ['pages', 'links', 'redirects', 'errors'] as const
type View = (typeof VIEWS)[number]

/** Crawls without interruption and exports. */
export async function crawlUndisturbed(cli: string, site: TestSite, folder: string): Promise<Record<View, string>> {
  const file = join(folder, 'undisturbed.sandpiper')
  await site.reset()
  const code = await live(cli, ['crawl', site.url, '--file', file, '--quiet'], null)
  if (code !== 0) throw new Error(`the undisturbed crawl ended with ${code}`)
  const violations = verify(file, { finished: true, kills: 0, perKill: 0, server: await site.stats() })
  if (violations.length > 0) throw new Error(`the undisturbed crawl is wrong: ${JSON.stringify(violations)}`)
  return exportAll(cli, file)
}

export async function killRound({ cli, site, folder, seed, expected, longestLifeMs }: RoundOptions): Promise<Round> {
  const file = join(folder, `round-${seed}.sandpiper`)
  const random = randomFrom(seed)
  await site.reset()
  let kills = 0
  const violations: Violation[] = []
  for (let lives = 0; ; lives++) {
    if (lives === MAX_LIVES) throw new Error(`round ${seed}: not finished after ${MAX_LIVES} lives`)
    const begun = isCrawlFile(file)
    const args = begun ? ['resume', file, '--quiet'] : ['crawl', site.url, '--file', file, '--quiet']
    const mercy = begun && onlySuspectsLeft(file)
    // Lives grow longer as they go on: on a slow machine the first ones end before anything could begin.
    const lifeMs = Math.floor(random() * longestLifeMs * (1 + lives / 10))
    const code = await live(cli, args, mercy ? null : lifeMs)
    if (code === 0) break
    if (code !== null) throw new Error(`round ${seed}: life ${lives} ended with ${code}`)
    kills++
    if (isCrawlFile(file)) {
      violations.push(
        ...verify(file, { finished: false, kills, perKill: CONCURRENCY + 50, server: await site.stats() }),
      )
    }
    if (violations.length > 0) return { kills, repeats: await countRepeats(site), violations }
  }
  const server = await site.stats()
  violations.push(...verify(file, { finished: true, kills, perKill: CONCURRENCY + 50, server }))
  if (expected !== null) violations.push(...compare(expected, await exportAll(cli, file)))
  return { kills, repeats: await countRepeats(site), violations }
}

const countRepeats = async (site: TestSite): Promise<number> =>
  Object.values((await site.stats()).repeats).reduce((sum, each) => sum + each, 0)

/** A kill before the first commit leaves no crawl to resume: the next life begins anew. */
function isCrawlFile(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.prepare('SELECT count(*) FROM crawl').pluck().get() === 1
  } catch {
    return false
  } finally {
    db.close()
  }
}

/** Runs one life of the command line; null if it was killed. */
function live(cli: string, args: string[], killAfterMs: number | null): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString()
    })
    const killer = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const limit = setTimeout(() => child.kill('SIGKILL'), LIFE_TIMEOUT_MS)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(killer)
      clearTimeout(limit)
      if (signal === 'SIGKILL' && killAfterMs === null) reject(new Error(`timed out: ${args.join(' ')}`))
      else if (code !== null && code !== 0) reject(new Error(`${args[0]} ended with ${code}: ${complaint}`))
      else resolve(code)
    })
  })
}

async function exportAll(cli: string, file: string): Promise<Record<View, string>> {
  const exports = {} as Record<View, string>
  for (const view of VIEWS) {
    const output = `${file}.${view}.jsonl`
    const code = await live(cli, ['export', file, '--view', view, '--format', 'jsonl', '--output', output], null)
    if (code !== 0) throw new Error(`export of ${view} ended with ${code}`)
    exports[view] = readFileSync(output, 'utf8').trimEnd().split('\n').map(withoutTimes).sort().join('\n')
  }
  return exports
}

const withoutTimes = (line: string): string =>
  JSON.stringify(JSON.parse(line || 'null'), (key, value) => (TIMES.has(key) ? undefined : value))

function compare(expected: Record<View, string>, actual: Record<View, string>): Violation[] {
  return VIEWS.flatMap((view) => {
    if (expected[view] === actual[view]) return []
    const known = new Set(expected[view].split('\n'))
    const odd = actual[view].split('\n').find((line) => !known.has(line)) ?? 'a line is missing'
    return [{ invariant: `I6 the export of ${view} equals an undisturbed crawl's`, detail: odd.slice(0, 400) }]
  })
}

/** A small seeded generator (mulberry32), so that a round can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
