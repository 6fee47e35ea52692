import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Emitter, emitNative, nativeEvent, strict } from './strict.ts'

/** The app's life, in the order of Electron's own source (shell/browser/browser.cc). */

export interface OpenWindow {
  close(): void
  destroy(): void
}

const EVENTS = [
  'ready',
  'before-quit',
  'will-quit',
  'quit',
  'window-all-closed',
  'second-instance',
  'web-contents-created',
  'activate',
  'open-file',
]
const POLL_MS = 50

export class App extends Emitter {
  readonly windows = new Map<number, OpenWindow>()
  readonly isPackaged = false
  ready = false
  isQuitting = false
  private isExiting = false
  private isOver = false
  private exitCode = 0
  private readonly paths = new Map<string, string>()
  private readonly whenIsReady = Promise.withResolvers<void>()
  private readonly endProcess = process.exit.bind(process)

  constructor() {
    super(EVENTS)
    process.exit = ((code?: number) => this.exit(code ?? 0)) as typeof process.exit
    // One shot, as on Linux and macOS: a second signal kills.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => this.quit())
  }

  becomeReady(): void {
    this.ready = true
    this.whenIsReady.resolve()
    this.emit('ready', nativeEvent())
  }

  whenReady(): Promise<void> {
    return this.whenIsReady.promise
  }

  isReady(): boolean {
    return this.ready
  }

  enableSandbox(): void {
    if (this.ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  getLocale(): string {
    return 'en-US'
  }

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true })
    this.paths.set(name, path)
  }

  getPath(name: string): string {
    const path = this.paths.get(name)
    if (path === undefined) throw new Error(`stand-in: path ${name} was not set`)
    return path
  }

  /** A quit nested in this emit is overwritten by the assignment, as in the original. */
  quit(): void {
    if (this.isQuitting) return
    this.isQuitting = emitNative(this, 'before-quit')
    if (!this.isQuitting) return
    if (this.windows.size === 0) this.notifyAndShutDown()
    else for (const window of [...this.windows.values()]) window.close()
  }

  exit(code = 0): void {
    this.exitCode = code
    this.isQuitting = true
    this.isExiting = true
    if (this.windows.size === 0) this.shutDown()
    else for (const window of [...this.windows.values()]) window.destroy()
  }

  windowGone(id: number): void {
    this.windows.delete(id)
    if (this.windows.size > 0) return
    if (this.isExiting) this.shutDown()
    else if (this.isQuitting) this.notifyAndShutDown()
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
    else this.quit()
  }

  /** A file holds the lock; another process leaves its data beside it. */
  requestSingleInstanceLock(data: unknown): boolean {
    const lock = join(this.getPath('userData'), 'stand-in.lock')
    if (!takeLock(lock)) {
      const note = join(this.getPath('userData'), `second-${process.pid}.json`)
      writeFileSync(`${note}~`, JSON.stringify({ argv: process.argv, cwd: process.cwd(), data }))
      renameSync(`${note}~`, note)
      return false
    }
    setInterval(() => this.readNotes(), POLL_MS).unref()
    return true
  }

  private readNotes(): void {
    if (!this.ready) return
    const folder = this.getPath('userData')
    for (const name of readdirSync(folder).filter((each) => /^second-\d+\.json$/.test(each))) {
      const { argv, cwd, data } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      rmSync(join(folder, name))
      emitNative(this, 'second-instance', {}, argv, cwd, data)
    }
  }

  private notifyAndShutDown(): void {
    if (this.isOver) return
    if (emitNative(this, 'will-quit')) this.shutDown()
    else this.isQuitting = false
  }

  private shutDown(): void {
    if (this.isOver) return
    this.isOver = true
    this.isQuitting = true
    this.emit('quit', nativeEvent(), this.exitCode)
    setTimeout(() => this.endProcess(this.exitCode), 0)
  }
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const owner = Number(readFileSync(lock, 'utf8'))
    if (owner !== process.pid && isAlive(owner)) return false
    writeFileSync(lock, String(process.pid))
    return true
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const app = strict('app', new App())
