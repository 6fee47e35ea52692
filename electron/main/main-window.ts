import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import { JsonFile } from '../service/json-file.ts'
import { ReloadBudget } from './reload-budget.ts'
import { APP_ORIGIN } from './trusted-origin.ts'
import { MIN_HEIGHT, MIN_WIDTH, restoredBounds } from './window-bounds.ts'

/** The one window. A crawl goes on without it, and without its page. */

/** As the page's own background, so that nothing flashes. */
const BACKGROUND = { light: '#ffffff', dark: '#1b1d1f' }
/** A window that is moved or resized has come to rest after so long. */
const REST_MS = 500

export interface WindowParts {
  /** Of the built main file. */
  folder: string
  /** Where the window's place is kept. */
  profile: string
  /** The system goes down, or the user logs off: Windows tells its windows, and nobody else. */
  onSystemEnd: () => void
  isQuitting: () => boolean
  /** The user closes the window; true if it has to stay until everything is saved. */
  mustStay: () => boolean
}

export function openMainWindow({ folder, profile, onSystemEnd, isQuitting, mustStay }: WindowParts): BrowserWindow {
  const place = new JsonFile(join(profile, 'window.json'), "The window's place")
  const window = new BrowserWindow({
    ...restoredBounds(
      readPlace(place),
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    title: 'Sandpiper',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: { preload: join(folder, '../preload/preload.cjs') },
  })
  window.once('ready-to-show', () => window.show())
  keepPlace(place, window)
  window.on('close', (event) => {
    if (mustStay()) event.preventDefault()
  })
  window.on('query-session-end', onSystemEnd)
  window.on('session-end', onSystemEnd)
  recover(window, isQuitting)
  load(window, '/')
  return window
}

function load(window: BrowserWindow, path: string): void {
  window.loadURL(`${APP_ORIGIN}${path}`).catch(() => {
    // It was closed while it loaded.
  })
}

function recover(window: BrowserWindow, isQuitting: () => boolean): void {
  const budget = new ReloadBudget()
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || isQuitting()) return
    load(window, budget.spend(performance.now()) ? '/' : '/page-died.html')
  })
}

/** A place that cannot be read or kept is no reason to trouble anybody. */
function readPlace(file: JsonFile): unknown {
  try {
    return file.read()
  } catch {
    return undefined
  }
}

/** When it has come to rest, too: a power cut closes no window. */
function keepPlace(file: JsonFile, window: BrowserWindow): void {
  let resting: NodeJS.Timeout | undefined
  const keep = (): void => {
    clearTimeout(resting)
    try {
      file.write(window.getNormalBounds())
    } catch {
      // Next time it opens where windows open.
    }
  }
  const keepAtRest = (): void => {
    clearTimeout(resting)
    resting = setTimeout(keep, REST_MS)
  }
  window.on('move', keepAtRest)
  window.on('resize', keepAtRest)
  window.on('close', keep)
  window.once('closed', () => clearTimeout(resting))
}
