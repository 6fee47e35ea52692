import { dirname, join } from 'node:path'
import { app, BrowserWindow, dialog, Menu, nativeTheme, powerMonitor } from 'electron'
import type { AppSettings } from '../../shared/app-settings.ts'
import { compose } from '../service/compose.ts'
import { hostFacts } from '../service/crawl-run.ts'
import { libraryFolder } from '../service/profile-paths.ts'
import { StaticAssets } from '../service/static-assets.ts'
import { registerAppScheme, serveAppScheme } from './app-protocol.ts'
import { desktopActions } from './desktop-actions.ts'
import { Ending } from './ending.ts'
import { IpcHost } from './ipc-host.ts'
import { openMainWindow } from './main-window.ts'
import { menuTemplate } from './menu.ts'
import { openedFile } from './opened-file.ts'
import { QuitGuard } from './quit-guard.ts'
import { shellWords } from './shell-words.ts'
import { StatusKeeper } from './status-keeper.ts'
import { denyPermissions, secureWebContents } from './web-security.ts'

/** The desktop app: a thin shell around the service. Order matters: scheme and sandbox before ready, IPC before a window. */

const FOLDER = import.meta.dirname
const LIBRARY = libraryFolder(process.env, process.platform)
const FILE = openedFile(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd())

// One instance for each profile; a second one hands over its file and goes.
app.setPath('userData', join(dirname(LIBRARY), 'window'))
if (app.requestSingleInstanceLock({ file: FILE })) start()
else app.quit()

function start(): void {
  app.enableSandbox()
  registerAppScheme()
  secureWebContents()
  const application = compose(
    LIBRARY,
    hostFacts(FOLDER),
    desktopActions(() => ending.hurry()),
  )
  const { crawls, events } = application
  const ipc = new IpcHost(application)
  const ending = new Ending({
    finish: () => crawls.stopAll().then(application.close),
    abort: () => crawls.abortAll(),
    note: () => events.noteClosing(crawls.left()),
  })
  const guard = new QuitGuard(
    { on: (event, listener) => app.on(event, listener), quit: () => app.quit(), exit: leave },
    { drain: () => ending.run(), checkpoint: () => crawls.checkpointAll() },
  )
  const words = () => shellWords(application.settings().language, app.getLocale())

  // What is not known to be sound does not go on: the rows are the truth, and the next start recovers from them.
  process.once('uncaughtException', (error) => {
    try {
      crawls.checkpointAll()
    } finally {
      console.error(error)
      const { crashed, crashedMore } = words()
      dialog.showErrorBox(crashed, `${crashedMore}\n\n${error.message}`)
      leave(1)
    }
  })

  function show(): BrowserWindow | undefined {
    if (!app.isReady() || guard.state !== 'running') return
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) return open()
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    return window
  }

  const open = (): BrowserWindow =>
    openMainWindow({
      folder: FOLDER,
      profile: dirname(LIBRARY),
      onSystemEnd: () => guard.systemEnds(),
      isQuitting: () => guard.state !== 'running',
      // The window says what is waited for: it is the last to go. On a Mac the app goes on without it.
      mustStay: () => {
        if (guard.state === 'running' && process.platform !== 'darwin') app.quit()
        return guard.state === 'draining'
      },
    })

  function showCrawl(id: string): void {
    show()
    ipc.send({ name: 'show', id })
  }

  /** A file that cannot be opened leaves the library as it is; the window is there all the same. */
  function openFile(path: string): void {
    try {
      showCrawl(application.openFile(path))
    } catch {
      show()
    }
  }

  function setMenu(): void {
    // While the app ends nothing new begins.
    const send = (name: Parameters<typeof ipc.send>[0]['name']): void => {
      if (show() !== undefined) ipc.send({ name, id: null })
    }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, words(), send)))
  }

  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const { file } = data as { file: string | null }
    if (file === null) show()
    else openFile(file)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void app.whenReady().then(() => openFile(path))
  })
  app.on('activate', show)
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  void app.whenReady().then(() => {
    serveAppScheme(new StaticAssets(join(FOLDER, '../renderer')))
    denyPermissions()
    let shown: AppSettings | null = null
    const follow = (): void => {
      const settings = application.settings()
      if (shown === settings) return
      if (shown?.language !== settings.language) setMenu()
      nativeTheme.themeSource = settings.theme
      shown = settings
    }
    follow()
    events.subscribe(follow)
    new StatusKeeper(application, words, showCrawl)
    powerMonitor.on('suspend', () => crawls.holdAll())
    powerMonitor.on('resume', () => crawls.releaseAll())
    powerMonitor.on('shutdown', () => guard.systemEnds())
    open()
    if (FILE !== null) openFile(FILE)
  })
}

/** On Linux a window that outlives `exit` brings the process down. */
function leave(code: number): void {
  for (const window of BrowserWindow.getAllWindows()) window.destroy()
  app.exit(code)
}
