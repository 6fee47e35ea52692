import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs the built command line, the way a user does. */

export const CLI = join(import.meta.dirname, '../../out/main/cli.js')
const TIMEOUT_MS = 60_000

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
  /** From start to exit. */
  ms: number
}

export interface CliOptions {
  cwd?: string
  /** Put in front of the program, e.g. setpriv and its options. */
  wrapper?: readonly string[]
}

export class RunningCli {
  readonly process: ChildProcess
  readonly result: Promise<CliResult>

  constructor(args: readonly string[], { cwd, wrapper = [] }: CliOptions = {}) {
    const started = performance.now()
    const [command, ...rest] = [...wrapper, process.execPath, CLI, ...args]
    const child = spawn(command!, rest, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    this.process = child
    this.result = new Promise((resolve, reject) => {
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString()
      })
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString()
      })
      const limit = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
      child.on('error', reject)
      child.on('close', (code) => {
        clearTimeout(limit)
        resolve({ code, stdout, stderr, ms: performance.now() - started })
      })
    })
  }
}

export const runCli = (args: readonly string[], options?: CliOptions): Promise<CliResult> =>
  new RunningCli(args, options).result
