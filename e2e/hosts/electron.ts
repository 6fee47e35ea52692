import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright-core'
import { electronBinary } from '../../electron/node/launcher/electron-package.ts'
import { expectTrouble } from '../../electron/node/launcher/window-trouble.ts'
import { type HostKind, listen } from './host.ts'

/** The built desktop app in Electron itself, where its program is installed. Nothing is downloaded for it. */

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = electronBinary(process.env, process.platform)

/** Playwright gives up the sandbox on Linux, as tests may. */
function trouble(): string | null {
  if (PROGRAM === null) return 'its program is not installed (npx install-electron)'
  const { platform, env } = process
  return expectTrouble({ platform, env, uid: process.getuid?.(), switches: ['--no-sandbox'] })
}

export const electron: HostKind = {
  name: 'Electron',
  missing: trouble(),
  start: async (home) => {
    const app = await _electron.launch({
      executablePath: PROGRAM!,
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
