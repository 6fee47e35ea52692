import { app } from './app.ts'
import { browserPid, startBrowser } from './browser.ts'
import * as desktop from './desktop.ts'
import { ipcMain } from './ipc-main.ts'
import { blocked } from './protocol.ts'

/** The names that the built main file imports from `electron`, and a way in for specs. */

export { app } from './app.ts'
export {
  BrowserWindow,
  dialog,
  Menu,
  Notification,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  screen,
  session,
  shell,
} from './desktop.ts'
export { ipcMain } from './ipc-main.ts'
export { protocol } from './protocol.ts'

/** After the main file has been evaluated: what must come before the app is ready, can. */
setImmediate(() => void startBrowser().then(() => app.becomeReady()))

/** A spec sends the text of a function; it is run with all of this. */
const everything = { app, browserPid, ipcMain, blocked, ...desktop }
export type Everything = typeof everything
if (process.send !== undefined) {
  process.on('message', async ({ id, source, arg }: { id: number; source: string; arg: unknown }) => {
    const work = new Function(`return (${source})`)() as (all: Everything, arg: unknown) => unknown
    try {
      process.send!({ id, value: await work(everything, arg) })
    } catch (error) {
      process.send!({ id, error: String(error) })
    }
  })
}
