import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The npm package of Electron. It is never imported: in plain Node that alone would start a download. */

const MANIFEST = createRequire(import.meta.url).resolve('electron/package.json')
const FOLDER = dirname(MANIFEST)

export const electronVersion = (): string => JSON.parse(readFileSync(MANIFEST, 'utf8')).version

/** The program that downloads the binary, or ends at once where it is there already. */
export const INSTALLER = join(FOLDER, 'install.js')

/** Where the binary is unpacked to. */
export const BINARY_FOLDER = join(FOLDER, 'dist')

/** The binary: that in ELECTRON_OVERRIDE_DIST_PATH if set, else the downloaded one. Null if there is none. */
export function electronBinary(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const binary = join(env.ELECTRON_OVERRIDE_DIST_PATH || BINARY_FOLDER, PATHS[platform] ?? 'electron')
  return existsSync(binary) ? binary : null
}

const PATHS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}
