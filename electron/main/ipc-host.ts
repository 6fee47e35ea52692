import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import { CHANNEL } from '../../shared/channel-names.ts'
import { failed } from '../../shared/command-result.ts'
import { Failure } from '../../shared/failure.ts'
import type { Application } from '../service/compose.ts'
import { dispatch } from '../service/dispatch.ts'
import { isOwnPage } from './trusted-origin.ts'

/** The window's carrier: commands in, event batches out, for the main frame of our own page only. */
export function hostIpc({ handlers, events }: Application): void {
  ipcMain.handle(CHANNEL.invoke, (event, name: unknown, input: unknown) => {
    if (!isOurs(event.senderFrame, event.sender))
      return failed(new Failure('bad_input', 'This page may not run commands.'))
    return dispatch(handlers, String(name), input)
  })
  const streams = new Map<number, () => void>()
  ipcMain.on(CHANNEL.subscribe, (event) => {
    const { sender } = event
    if (!isOurs(event.senderFrame, sender) || streams.has(sender.id)) return
    streams.set(
      sender.id,
      events.subscribe((batch) => !sender.isDestroyed() && sender.send(CHANNEL.event, batch)),
    )
    const end = (): void => {
      streams.get(sender.id)?.()
      streams.delete(sender.id)
    }
    sender.once('destroyed', end)
    // A page that loads anew subscribes anew, and wants everything again.
    sender.once('did-start-loading', end)
  })
}

const isOurs = (frame: WebFrameMain | null, sender: WebContents): boolean =>
  frame !== null && frame === sender.mainFrame && isOwnPage(frame.url)
