import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import { compose } from '../service/compose.ts'
import { parseThreadCount } from '../service/crawl-run.ts'
import { libraryFolder } from '../service/profile-paths.ts'
import { StaticAssets } from '../service/static-assets.ts'
import { registerAppScheme, serveAppScheme } from './app-protocol.ts'
import { hostIpc } from './ipc-host.ts'
import { QuitGuard } from './quit-guard.ts'
import { APP_ORIGIN } from './trusted-origin.ts'
import { denyPermissions, secureWebContents } from './web-security.ts'

/** The desktop app: a thin shell around the service. Order matters: scheme and sandbox before ready, IPC before a window. */

const FOLDER = import.meta.dirname

if (app.requestSingleInstanceLock()) start()
else app.quit()

function start(): void {
  app.enableSandbox()
  registerAppScheme()
  secureWebContents()
  const application = compose(
    libraryFolder(process.env, process.platform),
    {
      parseWorker: join(FOLDER, 'parse-worker.js'),
      parseThreads: parseThreadCount(),
      sortWorker: join(FOLDER, 'sort-worker.js'),
      sampleSite: join(FOLDER, '../../resources/sample-site'),
      isOwnAddress: () => false,
    },
    null,
  )
  hostIpc(application)
  new QuitGuard(app, () => application.crawls.stopAll().then(application.close))
  app.on('second-instance', () => focusWindow())
  app.on('activate', () => {
    if (app.isReady()) focusWindow()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  void app.whenReady().then(() => {
    serveAppScheme(new StaticAssets(join(FOLDER, '../renderer')))
    denyPermissions()
    openWindow()
  })
}

function focusWindow(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) openWindow()
  else if (window.isMinimized()) window.restore()
  window?.focus()
}

function openWindow(): void {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    title: 'Sandpiper',
    show: false,
    webPreferences: { preload: join(FOLDER, '../preload/preload.cjs') },
  })
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${APP_ORIGIN}/`)
}
