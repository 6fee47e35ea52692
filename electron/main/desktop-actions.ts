import { BrowserWindow, dialog, shell } from 'electron'
import type { HostActions } from '../service/host-actions.ts'

/** What the service asks of the desktop. */
export const desktopActions = (quitNow: () => void): HostActions => ({
  chooseCrawlFile: async () => {
    const filters = [{ name: 'Sandpiper', extensions: ['sandpiper'] }]
    const { canceled, filePaths } = await dialog.showOpenDialog(ownWindow(), { properties: ['openFile'], filters })
    return canceled ? null : (filePaths[0] ?? null)
  },
  chooseExportPath: async (name) => {
    const { canceled, filePath } = await dialog.showSaveDialog(ownWindow(), { defaultPath: name })
    return canceled || filePath === '' ? null : filePath
  },
  reveal: (path) => shell.showItemInFolder(path),
  trash: (path) => shell.trashItem(path),
  openOutside: (url) => shell.openExternal(url.href),
  quitNow,
})

/** A dialog belongs to the window that asked for it. */
function ownWindow(): BrowserWindow {
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) throw new Error('there is no window to ask in')
  return window
}
