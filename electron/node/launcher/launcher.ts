import { join } from 'node:path'
import { exitCode, run, runDesktop } from './child-run.ts'
import { installElectron } from './electron-install.ts'
import { electronBinary, electronVersion } from './electron-package.ts'
import { sortArguments } from './launch-arguments.ts'
import { SignalRelay } from './signal-relay.ts'
import { expectTrouble } from './window-trouble.ts'

/**
 * `npm start`: opens the desktop app, and where that cannot be says why in one line and opens the app in the browser.
 * It runs on Node alone, before anything is known to work.
 *
 *   npm start -- [file.sandpiper…] [Electron's switches]
 *   npm start -- --browser [--no-open] [--port N]
 *
 * Electron's own ELECTRON_OVERRIDE_DIST_PATH, ELECTRON_MIRROR and electron_config_cache count. SANDPIPER_START_QUIET_MS
 * shortens the wait for a silent download; it is there for the tests.
 */

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'out/main/cli.js')
const QUIET_MS = 10_000

const { env, platform } = process
const relay = new SignalRelay(process, () => performance.now())
process.exitCode = await launch()

async function launch(): Promise<number> {
  const { browser, serve, desktop } = sortArguments(process.argv.slice(2), env.INIT_CWD ?? process.cwd())
  // Whoever asks for the browser means everything that was written for it, mistakes included.
  if (browser) return run(process.execPath, [CLI, 'serve', ...serve, ...desktop], relay)
  const end = await openWindow(desktop)
  if ('exitCode' in end) return end.exitCode
  if (relay.first !== null) return exitCode({ code: null, signal: relay.first })
  process.stderr.write(`No desktop window: ${end.trouble}. Sandpiper runs in the browser instead.\n`)
  return run(process.execPath, [CLI, 'serve', ...serve], relay)
}

async function openWindow(switches: readonly string[]): ReturnType<typeof runDesktop> {
  const trouble = expectTrouble({ platform, env, uid: process.getuid?.(), switches }) ?? (await downloadTrouble())
  if (trouble !== null) return { trouble }
  const binary = electronBinary(env, platform)
  if (binary === null) return { trouble: `there is no Electron in ${env.ELECTRON_OVERRIDE_DIST_PATH ?? 'its folder'}` }
  // Set by editors that are Electron apps themselves, it would make this one a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...ours } = env
  return runDesktop(binary, [ROOT, ...switches], ours, relay)
}

async function downloadTrouble(): Promise<string | null> {
  if (env.ELECTRON_OVERRIDE_DIST_PATH) return null
  const failure = await installElectron({
    env,
    quietMs: Number(env.SANDPIPER_START_QUIET_MS ?? QUIET_MS),
    relay,
    onBytes: () => process.stderr.write(`Setting up Electron ${electronVersion()}, about 120 MB; this happens once.\n`),
  })
  return failure === null ? null : `Electron could not be downloaded (${failure})`
}
