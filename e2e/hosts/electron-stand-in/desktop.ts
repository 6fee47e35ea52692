import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { checkOptions, Emitter, strict } from './strict.ts'

/** What a desktop has beside windows: it records what was asked, and answers what the spec has queued. */

export const calls: { what: string; args: unknown[] }[] = []
const record =
  (what: string) =>
  (...args: unknown[]): void => {
    calls.push({ what, args })
  }

export const answers: { what: string; answer: unknown }[] = []
const ask = (what: string) => async (_window: unknown, options: unknown) => {
  record(what)(options)
  const at = answers.findIndex((each) => each.what === what)
  if (at < 0) throw new Error(`stand-in: no answer is queued for ${what}`)
  return answers.splice(at, 1)[0]!.answer
}

export const dialog = strict('dialog', {
  showOpenDialog: ask('showOpenDialog'),
  showSaveDialog: ask('showSaveDialog'),
  showErrorBox: record('showErrorBox'),
})

export const shell = strict('shell', {
  openExternal: async (url: string) => record('openExternal')(url),
  showItemInFolder: record('showItemInFolder'),
  trashItem: async (path: string) => record('trashItem')(path),
})

interface ItemOptions {
  id?: string
  role?: string
  click?: () => void
  submenu?: ItemOptions[]
}

const ITEM_OPTIONS = ['id', 'label', 'role', 'type', 'accelerator', 'click', 'submenu']

export class MenuItem {
  readonly id: string | undefined
  readonly submenu: Menu | null
  private readonly options: ItemOptions

  constructor(options: ItemOptions) {
    checkOptions('MenuItem', options, ITEM_OPTIONS)
    this.options = options
    this.id = options.id
    this.submenu = options.submenu === undefined ? null : Menu.buildFromTemplate(options.submenu)
  }

  click(): void {
    if (this.options.role === 'quit') app.quit()
    else this.options.click!()
  }
}

export class Menu {
  private static application: Menu | null = null
  private readonly items: MenuItem[]

  private constructor(items: MenuItem[]) {
    this.items = items
  }

  static buildFromTemplate(template: ItemOptions[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options)))
  }

  static setApplicationMenu(menu: Menu): void {
    Menu.application = menu
  }

  static getApplicationMenu(): Menu | null {
    return Menu.application
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null)
      if (found !== null) return found
    }
    return null
  }
}

export const notifications: Notification[] = []
export class Notification extends Emitter {
  readonly options: { title: string; body: string }

  static isSupported(): boolean {
    return true
  }

  constructor(options: { title: string; body: string }) {
    super(['click'])
    checkOptions('Notification', options, ['title', 'body'])
    this.options = options
  }

  show(): void {
    notifications.push(this)
  }
}

const blockers = new Map<number, string>()
let blockerId = 0
export const powerSaveBlocker = strict('powerSaveBlocker', {
  start: (type: string): number => {
    blockers.set(++blockerId, type)
    return blockerId
  },
  stop: (id: number) => blockers.delete(id),
})
export const awake = (): string[] => [...blockers.values()]

export const powerMonitor = strict('powerMonitor', new Emitter(['suspend', 'resume', 'shutdown']))
export const nativeTheme = strict('nativeTheme', {
  themeSource: 'system',
  get shouldUseDarkColors(): boolean {
    return this.themeSource === 'dark'
  },
})
export const screen = strict('screen', {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
})

export const permissions: Record<string, (...args: unknown[]) => unknown> = {}
const defaultSession = strict('session', {
  setPermissionRequestHandler: (handler: (...args: unknown[]) => unknown) => {
    permissions.request = handler
  },
  setPermissionCheckHandler: (handler: (...args: unknown[]) => unknown) => {
    permissions.check = handler
  },
})
export const session = strict('session', {
  get defaultSession() {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready')
    return defaultSession
  },
})
export { BrowserWindow }
