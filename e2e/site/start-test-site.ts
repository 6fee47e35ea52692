import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Starts the test site in a process of its own, on a free port. */

const START_TIMEOUT_MS = 20_000
const ANSWER_TIMEOUT_MS = 10_000

export interface TestSiteOptions {
  pages: number
  latencyMs?: number
  /** Some pages answer 500 to their first request. */
  flaky?: boolean
  /** Gets a line for each request: milliseconds, request target. */
  logFile?: string
}

export interface TestSiteStats {
  requests: number
  distinct: number
  /** Requests per path beyond the first. */
  repeats: Record<string, number>
}

export interface TestSite {
  url: string
  pid: number
  stats(): Promise<TestSiteStats>
  reset(): Promise<void>
  /** Requests to pages that hang, open now. */
  inFlight(): Promise<number>
  stop(): Promise<void>
}

export async function startTestSite(options: TestSiteOptions): Promise<TestSite> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-site.ts'), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const { url, pid } = await readyLine(child)
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    return response.json()
  }
  return {
    url,
    pid,
    stats: () => ask('__stats') as Promise<TestSiteStats>,
    reset: async () => void (await ask('__reset')),
    inFlight: () => ask('__inflight') as Promise<number>,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function argumentsOf({ pages, latencyMs = 1, flaky = false, logFile }: TestSiteOptions): string[] {
  return [
    ...['--pages', String(pages), '--latency', String(latencyMs)],
    ...(flaky ? ['--flaky'] : []),
    ...(logFile === undefined ? [] : ['--log', logFile]),
  ]
}

function readyLine(child: ChildProcessByStdio<Writable, Readable, null>): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('the test site did not start'))
    }, START_TIMEOUT_MS)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    child.on('error', fail)
    child.on('exit', (code) => fail(new Error(`the test site ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(timer)
      resolve(JSON.parse(line))
    })
  })
}
