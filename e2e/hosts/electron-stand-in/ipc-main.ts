import { EventEmitter } from 'node:events'
import { type NativeEvent, strict } from './strict.ts'

type Handler = (event: NativeEvent, ...args: unknown[]) => unknown

export class IpcMain extends EventEmitter {
  private readonly handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handlers.set(channel, handler)
  }

  /** As if a page had invoked the channel. */
  async answer(channel: string, event: NativeEvent, args: unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return handler(event, ...args)
  }
}

export const ipcMain = strict('ipcMain', new IpcMain())
