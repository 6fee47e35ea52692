import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { OWN_GROUP, type SignalRelay } from './signal-relay.ts'
import { explainEarlyEnd, type ProcessEnd } from './window-trouble.ts'

/** Runs one program to its end, with our terminal, passing signals on to it. */

export type DesktopRun = { exitCode: number } | { trouble: string }

/** How soon an Electron that cannot run has ended. */
const EARLY_MS = 5_000

/** @returns the exit code @throws the system's error if the program cannot be started */
export async function run(command: string, args: readonly string[], relay: SignalRelay): Promise<number> {
  return exitCode(await ended(start(command, args, { stdio: 'inherit' }, relay)))
}

/** Runs Electron. What it complains about while it starts is held back: if it fails, one line says all. */
export async function runDesktop(
  binary: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  relay: SignalRelay,
): Promise<DesktopRun> {
  const child = start(binary, args, { stdio: ['inherit', 'inherit', 'pipe'], env }, relay)
  let held = ''
  let isEarly = true
  child.stderr!.on('data', (chunk: Buffer) => {
    if (isEarly) held += chunk.toString()
    else process.stderr.write(chunk)
  })
  const release = (): void => {
    if (isEarly) process.stderr.write(held)
    isEarly = false
  }
  const timer = setTimeout(release, EARLY_MS)
  try {
    const end = await ended(child)
    const trouble = isEarly && relay.first === null ? explainEarlyEnd(end, held) : null
    if (trouble !== null) return { trouble }
    release()
    return { exitCode: exitCode(end) }
  } catch (error) {
    return { trouble: `Electron could not be started (${(error as Error).message})` }
  } finally {
    clearTimeout(timer)
  }
}

function start(command: string, args: readonly string[], options: SpawnOptions, relay: SignalRelay): ChildProcess {
  const child = spawn(command, args, { ...options, detached: OWN_GROUP })
  relay.follow(child)
  return child
}

function ended(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
}

/** As shells count: 128 + the signal's number for a child that a signal ended. */
export const exitCode = ({ code, signal }: ProcessEnd): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])
