import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { Failure } from '../../shared/failure.ts'
import { CrawlRun, hostFacts, type RunEnd } from '../service/crawl-run.ts'
import { crawlStatus } from '../service/crawl-status.ts'
import { exportView } from '../service/export/export-file.ts'
import { timeStamp } from '../service/file-name.ts'
import { startSampleSite } from '../service/sample-site.ts'
import { type Command, parseCommandLine, type RunFlags } from './cli-arguments.ts'
import { HELP } from './help.ts'
import { ProcessSignals } from './process-signals.ts'
import { clock, group, ProgressLine } from './progress-line.ts'
import { serve } from './serve.ts'

declare const __VERSION__: string

/** The command line: reads the arguments, runs a command, says what came of it. Exit codes are the contract's. */

const EXIT = { finished: 0, error: 1, usage: 2, resumable: 3 } as const

/** @param folder where the built files are. Never rejects. */
export async function main(argv: readonly string[], folder: string): Promise<number> {
  process.stdout.on('error', ignoreClosedPipe)
  process.stderr.on('error', ignoreClosedPipe)
  try {
    return await execute(parseCommandLine(argv), folder)
  } catch (error) {
    return report(error)
  }
}

async function execute(command: Command, folder: string): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(HELP)
      return EXIT.finished
    case 'version':
      process.stdout.write(`${__VERSION__}\n`)
      return EXIT.finished
    case 'crawl':
      checkExportTarget(command.exportTo)
      return runToEnd(CrawlRun.create(command.file, command.settings, hostFacts(folder)), command)
    case 'resume':
      return resume(command, folder)
    case 'export':
      await exportView(command)
      return EXIT.finished
    case 'status':
      return status(command.file, command.json)
    case 'serve':
      return serve({ ...command, folder, host: hostFacts(folder) })
    case 'demo':
      return demo(folder)
  }
}

async function resume(command: Extract<Command, { name: 'resume' }>, folder: string): Promise<number> {
  checkExportTarget(command.exportTo)
  const run = CrawlRun.resume(command.file, command, hostFacts(folder))
  if (run !== null) return runToEnd(run, command)
  say(command, `${command.file} is finished: there is nothing left to do.`)
  if (command.exportTo !== undefined) await exportPages(command.file, command.exportTo, command)
  if (command.json) process.stdout.write(`${JSON.stringify(finishedSummary(command.file))}\n`)
  return EXIT.finished
}

/** What `--json` prints for a crawl that had nothing left to do. */
function finishedSummary(file: string): RunEnd['summary'] {
  const { pages } = crawlStatus(file)
  return {
    file,
    state: 'finished',
    exitReason: 'finished',
    pages,
    requests: 0,
    bytes: 0,
    seconds: 0,
    pagesPerSecond: 0,
  }
}

async function runToEnd(run: CrawlRun, flags: RunFlags): Promise<number> {
  const { end, exitCode } = await watchRun(run, flags)
  sayEnd(end, flags)
  if (flags.json) process.stdout.write(`${JSON.stringify(end.summary)}\n`)
  if (flags.exportTo !== undefined) await exportPages(run.file, flags.exportTo, flags)
  return exitCode
}

/** Runs to the end with progress on stderr, signals listened to. */
async function watchRun(run: CrawlRun, flags: { quiet: boolean }): Promise<{ end: RunEnd; exitCode: number }> {
  const progress = flags.quiet ? null : new ProgressLine(() => run.progress())
  const signals = new ProcessSignals(run, (line) => say(flags, line))
  try {
    const end = await run.run()
    return { end, exitCode: signals.exitCode ?? exitCodeOf(end) }
  } finally {
    progress?.end()
    signals.dispose()
  }
}

function exitCodeOf({ summary }: RunEnd): number {
  if (summary.exitReason === 'finished' || summary.exitReason === 'limit') return EXIT.finished
  return summary.exitReason === 'error' ? EXIT.error : EXIT.resumable
}

function sayEnd({ summary, resumable, waitingUntil, trouble }: RunEnd, flags: RunFlags): void {
  if (trouble !== null) process.stderr.write(`sandpiper: ${trouble}\n`)
  const { pages, seconds, pagesPerSecond, file, exitReason } = summary
  const what = {
    finished: 'Finished',
    limit: 'Page limit reached',
    signal: 'Stopped',
    waiting: 'Waiting',
    error: 'Ended',
  }
  say(
    flags,
    `${what[exitReason]}: ${group(pages.done)} pages, ${group(pages.failed)} failed, ${group(pages.pending)} waiting, in ${clock(seconds)} (${pagesPerSecond} pages/s).`,
  )
  if (waitingUntil !== null && Number.isFinite(waitingUntil)) {
    say(flags, `Nothing may run before ${new Date(waitingUntil).toLocaleString()}: the sites asked for a pause.`)
  }
  say(flags, `Crawl file: ${file}`)
  if (resumable) say(flags, `Carry on with: sandpiper resume ${quoteForShell(file)}`)
}

const quoteForShell = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** A path that cannot be written is better refused before a crawl than after it. @throws Failure `bad_input` */
function checkExportTarget(path: string | undefined): void {
  if (path === undefined || path === '-') return
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (cause) {
    throw new Failure(
      'bad_input',
      `--export ${path}: its folder does not exist or may not be written; choose another path.`,
      {
        cause,
      },
    )
  }
}

async function exportPages(file: string, output: string, flags: RunFlags): Promise<void> {
  const { rows } = await exportView({ file, view: 'pages', format: 'csv', preset: 'excel', output })
  if (output !== '-') say(flags, `Exported ${group(rows)} pages to ${output}`)
}

function status(file: string, json: boolean): number {
  const { state, resumable, counts, hosts, owner } = crawlStatus(file)
  if (json) process.stdout.write(`${JSON.stringify({ file, state, resumable, counts, hosts, owner })}\n`)
  else {
    process.stdout.write(
      `${file}: ${state}${owner ? ` (process ${owner.pid} on ${owner.host})` : ''}\n` +
        `${group(counts.done)} done, ${group(counts.pending + counts.processing + counts.failed)} waiting, ${group(counts.final_failed)} failed, ${group(counts.skipped)} skipped\n` +
        `${resumable && !owner ? `Carry on with: sandpiper resume ${quoteForShell(file)}\n` : ''}`,
    )
  }
  return EXIT.finished
}

/** Crawls the site that comes with Sandpiper. */
async function demo(folder: string): Promise<number> {
  const site = await startSampleSite(hostFacts(folder).sampleSite, { latencyMs: 20 })
  try {
    const base = join('sandpiper-demo', timeStamp(new Date()))
    mkdirSync('sandpiper-demo', { recursive: true })
    const csv = `${base}.csv`
    const settings = crawlSettings.parse({ seeds: [site.url] })
    const run = CrawlRun.create(`${base}.sandpiper`, settings, hostFacts(folder))
    const { end, exitCode } = await watchRun(run, { quiet: false })
    const { rows } = await exportView({ file: run.file, view: 'pages', format: 'csv', preset: 'excel', output: csv })
    const { broken, redirects, skipped } = crawlStatus(run.file).findings
    const { seconds, pagesPerSecond } = end.summary
    process.stdout.write(
      `Crawled the sample site: ${group(rows)} pages in ${seconds.toFixed(1)} s (${pagesPerSecond} pages/s).\n` +
        `Broken: ${broken}. Redirects: ${redirects}. Blocked by robots.txt: ${skipped}.\n` +
        `The spreadsheet is ${csv}, the crawl file ${run.file}.\n`,
    )
    return exitCode
  } finally {
    await site.close()
  }
}

function say(flags: { quiet: boolean }, line: string): void {
  if (!flags.quiet) process.stderr.write(`${line}\n`)
}

/** One sentence on stderr, whatever went wrong. */
function report(error: unknown): number {
  if (error instanceof Failure) {
    process.stderr.write(`sandpiper: ${error.message}\n`)
    return error.code === 'bad_input' || error.code === 'file_exists' ? EXIT.usage : EXIT.error
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`sandpiper: something went wrong that should not have; what was committed is safe.\n${detail}\n`)
  return EXIT.error
}

/** The reader of our output has gone (`| head`): the crawl goes on without it. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
