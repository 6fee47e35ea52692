import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { TableQueryInput, TableWindow } from '../shared/table-query.ts'
import { makeCrawlFile } from './make-crawl-file.ts'

/**
 * Asks the real service for the table of a large made-up crawl, as its window does, and prints how long the answers took
 * and how long the main loop was held up meanwhile: by the clock, and in processor time of one turn, which leaves out what a
 * busy machine takes for others.
 *
 *   npm run bench:tables -- [--rows 1000000] [--file one made before]
 */

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' }, file: { type: 'string' } } })
const ROWS = Number(values.rows)
const POLL_MS = 25
const WINDOWS = 500
const WINDOW_ROWS = 100
const NAME = 'bench.sandpiper'

// The build gives the program its version; here it runs from its sources.
Object.assign(globalThis, { __VERSION__: 'bench', __PLANT__: '' })
const { compose } = await import('../electron/service/compose.ts')
const { commands } = await import('../shared/contract.ts')

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-tables-'))

async function run(): Promise<void> {
  const library = values.file === undefined ? makeLibrary() : join(values.file, '..')
  const id = values.file === undefined ? NAME : values.file.slice(library.length + 1)
  const host = {
    parseWorker: '',
    parseThreads: 0,
    sortWorker: new URL('../electron/service/tables/sort-worker.ts', import.meta.url),
    sampleSite: '',
    isOwnAddress: () => false,
  }
  const { handlers, tables } = compose(library, host, null)
  const read = (query: TableQueryInput, start = 0, count = WINDOW_ROWS): Promise<TableWindow> =>
    Promise.resolve(handlers['table.read'](commands['table.read'].input.parse({ id, query, start, count })))
  const untilReady = async (query: TableQueryInput): Promise<TableWindow> => {
    for (;;) {
      const window = await read(query)
      if (window.total !== null) return window
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  const figures: Figure[] = []
  const measure = async (what: string, goal: string, work: () => Promise<unknown>): Promise<void> => {
    figures.push(await watched(what, goal, work))
  }
  await measure('list of the library', '', () => Promise.resolve(handlers['library.list']({})))
  await measure('first window', '2000', () => read({}))
  await measure('counts of all views (reads the index)', '', async () => {
    while ((await handlers['table.counts']({ id })).counts === null) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  })
  const queries: [string, TableQueryInput][] = [
    ['filter by status 4xx', { filter: { statuses: ['4xx'] } }],
    ['filter by state done', { filter: { states: ['done'] } }],
    ['filter by text', { filter: { text: 'kettle-77' } }],
    ['filter by text, letters beyond ASCII', { filter: { text: 'ärmel' } }],
    ['filter by depth', { filter: { minDepth: 3, maxDepth: 5 } }],
    ['sort by address', { sort: { column: 'url', descending: true } }],
    ['sort by title', { sort: { column: 'title' } }],
    ['sort by size', { sort: { column: 'bytes', descending: true } }],
    ['sort by status', { sort: { column: 'status' } }],
    ['4xx by size', { filter: { statuses: ['4xx'] }, sort: { column: 'bytes' } }],
    ['done with a text by title', { filter: { view: 'done', text: 'kettle' }, sort: { column: 'title' } }],
    ['4xx with a text', { filter: { statuses: ['4xx'], text: 'kettle' } }],
  ]
  for (const [what, query] of queries) await measure(what, '300', () => untilReady(query))
  await measure('an answer while older queries are made', '300', async () => {
    for (const column of ['title', 'type', 'reason', 'bytes'] as const)
      await read({ sort: { column, descending: true } })
    await untilReady({ filter: { statuses: ['3xx'] } })
  })
  await measure('links into one URL', '', () =>
    Promise.resolve(handlers['url.links']({ id, urlId: 12_345 % ROWS, direction: 'in', limit: 1_000 })),
  )
  await measure('counts by site', '', () => Promise.resolve(handlers['crawl.sites']({ id })))
  const byTitle: TableQueryInput = { sort: { column: 'title' } }
  const waits = [await windows(() => read({}, at())), await windows(() => read(byTitle, at()))]
  print(figures)
  for (const [n, of] of ['order of finding', 'sorted by title'].entries()) {
    const sorted = waits[n]!.sort((a, b) => a - b)
    const [p50, p95, max] = [sorted[WINDOWS / 2]!, sorted[Math.floor(WINDOWS * 0.95)]!, sorted.at(-1)!]
    console.log(
      `${WINDOWS} windows of ${WINDOW_ROWS} rows anywhere, ${of}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (goal 100), max ${max.toFixed(1)} ms`,
    )
  }
  console.log(`Memory at its greatest: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  tables.close()
}

function makeLibrary(): string {
  const library = join(folder, 'crawls')
  mkdirSync(library)
  const started = performance.now()
  makeCrawlFile(join(library, NAME), ROWS, (written) => process.stderr.write(`\r${written} of ${ROWS} URLs made`))
  const megabytes = Math.round(statSync(join(library, NAME)).size / 1e6)
  process.stderr.write(`\r${ROWS} URLs made in ${seconds(performance.now() - started)}, ${megabytes} MB\n`)
  return library
}

interface Figure {
  what: string
  goal: string
  ms: number
  loopP99: number
  loopMax: number
  /** Processor time of the dearest turn, in milliseconds. */
  turnMax: number
}

/** The delay of an idle loop is about a millisecond: the watch wakes up that often. */
async function watched(what: string, goal: string, work: () => Promise<unknown>): Promise<Figure> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const turns = new TurnWatch()
  // It measures from its first wake-up on.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  await new Promise((resolve) => setTimeout(resolve, 5))
  delay.disable()
  return { what, goal, ms, loopP99: delay.percentile(99) / 1e6, loopMax: delay.max / 1e6, turnMax: turns.end() }
}

class TurnWatch {
  #longestMs = 0
  #before = processorMs()
  readonly #timer = setInterval(() => this.#note(), 1)

  #note(): void {
    const now = processorMs()
    this.#longestMs = Math.max(this.#longestMs, now - this.#before)
    this.#before = now
  }

  end(): number {
    clearInterval(this.#timer)
    return this.#longestMs
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const at = (): number => Math.floor(Math.random() * Math.max(1, ROWS - WINDOW_ROWS))

async function windows(read: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  for (let n = 0; n < WINDOWS; n++) {
    const started = performance.now()
    await read()
    waits.push(performance.now() - started)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return waits
}

function print(figures: readonly Figure[]): void {
  const line = (cells: readonly string[]): void =>
    console.log(cells.map((cell, n) => (n === 0 ? cell.padEnd(40) : cell.padStart(12))).join(''))
  line(['', 'ms', 'goal', 'loop p99', 'loop max', 'turn max'])
  for (const { what, goal, ms, loopP99, loopMax, turnMax } of figures) {
    line([what, ms.toFixed(0), goal, loopP99.toFixed(1), loopMax.toFixed(1), turnMax.toFixed(1)])
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`

try {
  await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
