import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import { CHANNEL } from '../../shared/channel-names.ts'
import { failed } from '../../shared/command-result.ts'
import type { WindowCommand } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import type { Application } from '../service/compose.ts'
import { dispatch } from '../service/dispatch.ts'
import { isOwnPage } from './trusted-origin.ts'

/** The window's carrier: commands in, event batches out, for the main frame of our own page only. */
export class IpcHost {
  /** The page that listens, and how it stops doing so. */
  readonly #streams = new Map<number, { page: WebContents; end: () => void }>()
  /** For a page that does not listen yet. */
  #waiting: WindowCommand[] = []

  constructor({ handlers, events }: Application) {
    ipcMain.handle(CHANNEL.invoke, (event, name: unknown, input: unknown) => {
      if (!isOurs(event.senderFrame, event.sender))
        return failed(new Failure('bad_input', 'This page may not run commands.'))
      return dispatch(handlers, String(name), input)
    })
    ipcMain.on(CHANNEL.subscribe, (event) => {
      const { sender } = event
      if (!isOurs(event.senderFrame, sender) || this.#streams.has(sender.id)) return
      const end = events.subscribe((batch) => !sender.isDestroyed() && sender.send(CHANNEL.event, batch))
      this.#streams.set(sender.id, { page: sender, end })
      sender.once('destroyed', () => this.#end(sender.id))
      // A page that loads anew subscribes anew, and wants everything again.
      sender.once('did-start-loading', () => this.#end(sender.id))
      for (const command of this.#waiting.splice(0)) this.send(command)
    })
  }

  /** Tells the window's page what the menu or the system wants of it; later, if it is not there yet. */
  send(command: WindowCommand): void {
    const [stream] = this.#streams.values()
    if (stream === undefined) this.#waiting.push(command)
    else stream.page.send(CHANNEL.windowCommand, command)
  }

  #end(id: number): void {
    this.#streams.get(id)?.end()
    this.#streams.delete(id)
  }
}

const isOurs = (frame: WebFrameMain | null, sender: WebContents): boolean =>
  frame !== null && frame === sender.mainFrame && isOwnPage(frame.url)
