/** Why the desktop app can have no window, in words that follow "No desktop window:". */

export interface Surroundings {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  /** Undefined on Windows. */
  uid: number | undefined
  /** What would be given to Electron. */
  switches: readonly string[]
}

/** What can be known before anything is downloaded or started; null if nothing speaks against a window. */
export function expectTrouble({ platform, env, uid, switches }: Surroundings): string | null {
  if (platform !== 'linux') return null
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'
  // Its way out, --no-sandbox, is the user's to choose and never ours: pages are hostile.
  if (uid === 0 && !switches.includes('--no-sandbox')) return 'as root, Electron runs only without its sandbox'
  return null
}

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

/** What became of an Electron that ended as soon as it was started; null if that was no failure. */
export function explainEarlyEnd({ code, signal }: ProcessEnd, stderr: string): string | null {
  if (code === 0) return null
  const how = signal === null ? `code ${code}` : `${signal}`
  const line = tellingLine(stderr)
  return `Electron ended at once with ${how}${line === null ? '' : ` (${line})`}`
}

const LINE_MAX = 200

/** The line of an error output that says most: the first that speaks of an error, else the first; without its class. */
export function tellingLine(stderr: string): string | null {
  const lines = stderr.split('\n').map((line) => line.trim())
  const line = lines.find((text) => /error|fatal/i.test(text)) ?? lines.find((text) => text !== '')
  return line === undefined ? null : line.replace(/^\w*Error: /, '').slice(0, LINE_MAX)
}
