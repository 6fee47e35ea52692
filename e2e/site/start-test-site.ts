import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts the test site in a process of its own, on a free port. */

const START_TIMEOUT_MS = 20_000

export interface TestSiteOptions {
  pages: number
  latencyMs?: number
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
  /** Requests that will never be answered and are open now. */
  inFlight(): Promise<number>
  stop(): Promise<void>
}

export async function startTestSite({ pages, latencyMs = 1 }: TestSiteOptions): Promise<TestSite> {
  const args = [join(import.meta.dirname, 'test-site.ts'), '--pages', String(pages), '--latency', String(latencyMs)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const { url, pid } = await new Promise<{ url: string; pid: number }>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the test site did not start')), START_TIMEOUT_MS)
    child.on('exit', (code) => reject(new Error(`the test site ended with ${code}`)))
    child.stdout.once('data', (line: Buffer) => {
      clearTimeout(timer)
      resolve(JSON.parse(line.toString()))
    })
  })
  const ask = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
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
