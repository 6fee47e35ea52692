import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { type HostKind, listen } from './host.ts'

/** The built desktop app in Electron itself, where its program is installed. Nothing is downloaded for it. */

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'node_modules/electron')

/** As the package itself looks for it, which downloads what it does not find. */
function program(): string | null {
  const named = join(PACKAGE, 'path.txt')
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : 'electron'
  const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist'), name)
  return existsSync(path) ? path : null
}

function trouble(): string | null {
  if (program() === null) return 'its program is not installed (npx install-electron)'
  const isBlind = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  return isBlind ? 'there is no display' : null
}

export const electron: HostKind = {
  name: 'Electron',
  missing: trouble(),
  start: async (home) => {
    const app = await _electron.launch({
      executablePath: program()!,
      args: [ROOT],
      env: { ...(process.env as Record<string, string>), SANDPIPER_HOME: home },
    })
    const page = await app.firstWindow()
    return {
      page,
      complaints: listen(page),
      save: async (act) => {
        const filePath = join(mkdtempSync(join(tmpdir(), 'sandpiper-saved-')), 'export.csv')
        await app.evaluate(({ dialog }, path) => {
          dialog.showSaveDialog = async () => ({ canceled: false, filePath: path })
        }, filePath)
        await act()
        for (let tries = 0; !existsSync(filePath) && tries < 500; tries++) await page.waitForTimeout(20)
        return filePath
      },
      kill: async () => {
        const child = app.process()
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      },
    }
  },
}
