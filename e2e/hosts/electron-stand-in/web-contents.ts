import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { newPage } from './browser.ts'
import { ipcMain } from './ipc-main.ts'
import { worldSources } from './page-worlds.ts'
import { fromWeb, toWeb } from './protocol.ts'
import { Emitter, emitNative, nativeEvent, strict } from './strict.ts'

/** A page of Chromium as a window's contents. */

const EVENTS = [
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
  'did-start-loading',
  'did-finish-load',
  'render-process-gone',
  'destroyed',
]

interface Frame {
  url: string
}

export class WebContents extends Emitter {
  readonly id: number
  readonly mainFrame: Frame
  /** Another one after a crash. */
  page: Promise<Page>
  private readonly preload: string
  private cdp: CDPSession | null = null
  private world: number | null = null
  private isLoading = false
  private isGone = false
  private onWindowOpen: ((details: { url: string }) => { action: string }) | null = null
  private self: WebContents

  constructor(id: number, preload: string) {
    super(EVENTS)
    this.id = id
    this.mainFrame = strict('frame', { url: '' })
    this.self = strict('webContents', this)
    this.preload = readFileSync(preload, 'utf8')
    this.page = this.open()
    // biome-ignore lint/correctness/noConstructorReturn: every use from outside is checked
    return this.self
  }

  isDestroyed(): boolean {
    return this.isGone
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.onWindowOpen = handler
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.isGone) throw new TypeError('Object has been destroyed')
    void this.post({ kind: 'event', channel, args })
  }

  forcefullyCrashRenderer(): void {
    void this.page.then((page) => page.goto('chrome://crash').catch(() => {}))
  }

  async load(url: string): Promise<void> {
    const page = await this.page
    this.isLoading = true
    this.emit('did-start-loading')
    try {
      await page.goto(toWeb(url), { waitUntil: 'load' })
    } finally {
      this.isLoading = false
    }
    this.emit('did-finish-load')
  }

  private async open(): Promise<Page> {
    const page = await newPage()
    const cdp = await page.context().newCDPSession(page)
    this.cdp = cdp
    const binding = `binding${randomUUID().replaceAll('-', '')}`
    const sources = worldSources(`event${randomUUID()}`, binding, this.preload)
    const { frameTree } = await cdp.send('Page.getFrameTree')
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === 'preload' && context.auxData?.frameId === frameTree.frame.id) this.world = context.id
    })
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === binding) void this.receive(JSON.parse(payload))
    })
    cdp.on('Page.windowOpen', ({ url }) => {
      const answer = this.onWindowOpen?.({ url: fromWeb(url) })
      if (answer?.action !== 'deny') throw new Error('stand-in: windows are only denied')
    })
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: sources.own })
    await cdp.send('Runtime.addBinding', { name: binding, executionContextName: 'preload' })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: sources.preload, worldName: 'preload' })
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.mainFrame.url = fromWeb(frame.url())
    })
    const onClose = (): void => {
      this.isGone = true
      this.emit('destroyed')
    }
    page.once('close', onClose)
    page.once('crash', () => {
      page.off('close', onClose)
      this.replace(page)
    })
    await page.route('**/*', async (route) => {
      const request = route.request()
      const leaves = request.isNavigationRequest() && request.frame() === page.mainFrame() && !this.isLoading
      const url = fromWeb(request.url())
      if (leaves && !emitNative(this, 'will-navigate', { url }, url)) return route.abort('aborted')
      return route.fallback()
    })
    return page
  }

  /** Playwright does nothing more with a page that has crashed: what is loaded next comes in a fresh one. */
  private replace(page: Page): void {
    this.world = null
    this.page = this.open()
    void page.close()
    emitNative(this, 'render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  }

  private async receive(message: { kind: string; id: number; channel: string; args: unknown[] }): Promise<void> {
    const event = nativeEvent({ sender: this.self, senderFrame: this.mainFrame })
    const { kind, id, channel, args } = message
    if (kind === 'send') {
      ipcMain.emit(channel, event, ...args)
      return
    }
    const reply = await ipcMain.answer(channel, event, args).then(
      (value) => ({ value }),
      (error) => ({ error: String(error) }),
    )
    await this.post({ kind: 'reply', id, ...reply })
  }

  private async post(message: object): Promise<void> {
    if (this.world === null || this.cdp === null) return
    const expression = `standInReceive(${JSON.stringify(message)})`
    await this.cdp.send('Runtime.evaluate', { contextId: this.world, expression }).catch(() => {})
  }
}
