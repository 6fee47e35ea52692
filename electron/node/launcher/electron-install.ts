import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BINARY_FOLDER, INSTALLER } from './electron-package.ts'
import { OWN_GROUP, type SignalRelay } from './signal-relay.ts'
import { Silence } from './silence.ts'
import { tellingLine } from './window-trouble.ts'

/** Electron comes without its binary and fetches it when it is first needed. This watches it do so. */

export interface InstallOptions {
  env: NodeJS.ProcessEnv
  /** How long nothing may arrive. */
  quietMs: number
  relay: SignalRelay
  /** Called once, when the first bytes have arrived. Not called where nothing is missing. */
  onBytes(): void
}

/** @returns why the binary is not there; null if it is */
export async function installElectron({ env, quietMs, relay, onBytes }: InstallOptions): Promise<string | null> {
  // The installer downloads into the temporary folder: one of its own can be measured, and removed if it is ended.
  const temporary = await mkdtemp(join(tmpdir(), 'sandpiper-electron-'))
  try {
    const child = spawn(process.execPath, [INSTALLER], {
      env: { ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, ELECTRON_GET_NO_PROGRESS: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: OWN_GROUP,
      windowsHide: true,
    })
    relay.follow(child)
    const ended = outcome(child)
    const isQuiet = await watch([temporary, cacheFolder(env, process.platform), BINARY_FOLDER], quietMs, ended, onBytes)
    if (isQuiet) child.kill('SIGKILL')
    const failure = await ended
    return isQuiet ? `no byte came for ${quietMs / 1_000} s` : failure
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Null for success, else what the installer complained about. */
function outcome(child: ChildProcess): Promise<string | null> {
  let stderr = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? null : (tellingLine(stderr) ?? String(signal ?? code))))
  })
}

/** Measures the folders until `ended`. @returns true if nothing changed in them for `quietMs` */
async function watch(
  folders: string[],
  quietMs: number,
  ended: Promise<unknown>,
  onBytes: () => void,
): Promise<boolean> {
  const silence = new Silence(quietMs)
  const atFirst = await bytesIn(folders)
  let hasEnded = false
  let hasBytes = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const bytes = await bytesIn(folders)
    if (bytes !== atFirst && !hasBytes) {
      hasBytes = true
      onBytes()
    }
    if (silence.lasts(bytes, performance.now())) return true
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, quietMs / 20))])
  }
  return false
}

/** Of all files below; what cannot be read, or goes while it is looked at, counts nothing. */
async function bytesIn(folders: string[]): Promise<number> {
  let bytes = 0
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.isFile())
        bytes += await stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        )
    }
  }
  return bytes
}

/** Where a finished download is kept for the next time. */
function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.electron_config_cache) return env.electron_config_cache
  if (platform === 'darwin') return join(homedir(), 'Library/Caches/electron')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'electron/Cache')
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'electron')
}
