import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openForWriting } from '../electron/store/database.ts'
import type { Probe } from './probe.ts'

/**
 * Crawls a generated site with the shipped defaults and prints what it cost, beside the same pages merely fetched, in
 * the same run. The site is served by a child process on the second core; crawler and fetcher run on the first.
 *
 *   npm run bench -- [--pages 20000] [--rounds 3]
 */

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
})
const PAGES = Number(values.pages)
const ROUNDS = Number(values.rounds)
const PER_HOST = '5'
const TIMEOUT_MS = 300_000
const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
const canPin = tryPin()

interface Run extends Probe {
  wallMs: number
}

const server = spawn(...pinned('1', [join(ROOT, 'bench/site-server.ts'), '--pages', String(PAGES), '--port', '0']), {
  stdio: ['pipe', 'pipe', 'inherit'],
})
try {
  const site = await readyUrl(server)
  console.log(
    `${PAGES.toLocaleString('en-US')} pages at ${site}; ${canPin ? 'crawler on core 0, server on core 1' : 'not pinned to cores'}; Node ${process.version}`,
  )
  const raws: Run[] = []
  const crawls: Run[] = []
  for (let round = 0; round < ROUNDS; round++) {
    raws.push(await measure([join(ROOT, 'bench/raw-fetch.ts'), site, PER_HOST]))
    await fetch(`${site}__reset`)
    const file = join(folder, `bench-${round}.sandpiper`)
    crawls.push(await measure([join(ROOT, 'out/main/cli.js'), 'crawl', site, '--file', file, '--quiet']))
    await checkServer(site)
    if (round === ROUNDS - 1) describeFile(file)
    else rmSync(file)
  }
  print('raw undici request', raws)
  print('sandpiper crawl', crawls)
  const ratio = median(crawls.map((run, n) => run.cpuMs / raws[n]!.cpuMs))
  console.log(`CPU of a crawl / CPU of raw fetching, median of pairs: ${ratio.toFixed(2)}`)
} finally {
  server.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function measure(args: string[]): Promise<Run> {
  const probeFile = join(folder, 'probe.json')
  const started = performance.now()
  const child = spawn(...pinned('0', ['--import', join(ROOT, 'bench/probe.ts'), ...args]), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PROBE_FILE: probeFile },
    timeout: TIMEOUT_MS,
  })
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { ...(JSON.parse(readFileSync(probeFile, 'utf8')) as Probe), wallMs: performance.now() - started }
}

/** Every page once: a figure of an incomplete crawl means nothing. */
async function checkServer(site: string): Promise<void> {
  const stats = (await (await fetch(`${site}__stats`)).json()) as { pages: number; distinct: number; repeats: number }
  if (stats.distinct !== stats.pages || stats.repeats > 0) throw new Error(`wrong crawl: ${JSON.stringify(stats)}`)
}

function describeFile(file: string): void {
  const db = openForWriting(file, false)
  const count = (table: string): string =>
    (db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number).toLocaleString('en-US')
  const synchronous = db.pragma('synchronous', { simple: true })
  console.log(
    `crawl file: ${(statSync(file).size / 2 ** 20).toFixed(0)} MB, ${count('urls')} URLs, ${count('pages')} pages, ${count('links')} links; synchronous reads ${synchronous} (2 = FULL) on the reopened file`,
  )
  db.close()
}

function print(name: string, runs: Run[]): void {
  const figure = (pick: (run: Run) => number, digits: number): string => {
    const all = runs.map(pick).sort((a, b) => a - b)
    return `${median(all).toFixed(digits)} (${all[0]!.toFixed(digits)}–${all.at(-1)!.toFixed(digits)})`
  }
  console.log(`${name}, median (min–max) of ${runs.length}:`)
  console.log(`  pages/s            ${figure((run) => PAGES / (run.wallMs / 1000), 0)}`)
  console.log(`  CPU ms a page      ${figure((run) => run.cpuMs / PAGES, 3)}`)
  console.log(`  peak memory MB     ${figure((run) => run.peakRssMb, 0)}`)
  console.log(`  loop delay p99 ms  ${figure((run) => run.loopP99Ms, 1)}`)
  console.log(`  loop delay max ms  ${figure((run) => run.loopMaxMs, 1)}`)
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

function pinned(core: string, args: string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', core, process.execPath, ...args]] : [process.execPath, args]
}

function tryPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the site server ended with ${code}`)))
    child.stdout?.once('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url))
  })
}
