import { app } from './app.ts'
import { checkOptions, Emitter, emitNative, strict } from './strict.ts'
import { WebContents } from './web-contents.ts'

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

interface Options extends Partial<Bounds> {
  backgroundColor?: string
  webPreferences: { preload: string }
}

const EVENTS = ['close', 'closed', 'move', 'resize', 'ready-to-show', 'query-session-end', 'session-end']
const OPTIONS = [
  'x',
  'y',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'title',
  'show',
  'backgroundColor',
  'webPreferences',
]
let nextId = 0

export class BrowserWindow extends Emitter {
  static isFocused = true
  readonly id = ++nextId
  readonly webContents: WebContents
  readonly background: string | undefined
  bar = -1
  focusCount = 0
  private readonly bounds: Bounds
  private isClosing = false
  private isGone = false

  static getAllWindows(): BrowserWindow[] {
    return [...app.windows.values()] as BrowserWindow[]
  }

  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.isFocused ? (BrowserWindow.getAllWindows()[0] ?? null) : null
  }

  constructor(options: Options) {
    super(EVENTS)
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    checkOptions('BrowserWindow', options, OPTIONS)
    checkOptions('webPreferences', options.webPreferences, ['preload'])
    const { x = 40, y = 40, width = 800, height = 600 } = options
    this.bounds = { x, y, width, height }
    this.background = options.backgroundColor
    this.webContents = new WebContents(this.id, options.webPreferences.preload)
    this.webContents.once('destroyed', () => this.gone())
    const self = strict('BrowserWindow', this)
    app.windows.set(this.id, self)
    emitNative(app, 'web-contents-created', {}, this.webContents)
    // biome-ignore lint/correctness/noConstructorReturn: every use from outside is checked
    return self
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url)
    emitNative(this, 'ready-to-show')
  }

  getNormalBounds(): Bounds {
    return this.bounds
  }

  setBounds(bounds: Bounds): void {
    const { x, y, width, height } = this.bounds
    Object.assign(this.bounds, bounds)
    if (bounds.x !== x || bounds.y !== y) emitNative(this, 'move')
    if (bounds.width !== width || bounds.height !== height) emitNative(this, 'resize')
  }

  setProgressBar(bar: number): void {
    this.bar = bar
  }

  isMinimized(): boolean {
    return false
  }

  restore(): void {}

  show(): void {}

  focus(): void {
    this.focusCount++
  }

  /** `close` is synchronous and can be prevented; `closed` comes when the page is gone. */
  close(): void {
    if (this.isGone || this.isClosing) return
    if (!emitNative(this, 'close')) {
      app.isQuitting = false
      return
    }
    this.destroy()
  }

  destroy(): void {
    if (this.isClosing) return
    this.isClosing = true
    void this.webContents.page.then((page) => page.close())
  }

  private gone(): void {
    if (this.isGone) return
    this.isGone = true
    this.emit('closed')
    app.windowGone(this.id)
  }
}
