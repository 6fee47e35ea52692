import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import { CHANNEL } from '../../shared/channel-names.ts'

const on = (channel: string, listener: (value: unknown) => void): (() => void) => {
  const forward = (_event: IpcRendererEvent, value: unknown): void => listener(value)
  ipcRenderer.on(channel, forward)
  return () => ipcRenderer.removeListener(channel, forward)
}

contextBridge.exposeInMainWorld('sandpiper', {
  invoke: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(CHANNEL.invoke, name, input),
  subscribe: (listener: (batch: unknown) => void): (() => void) => {
    const end = on(CHANNEL.event, listener)
    ipcRenderer.send(CHANNEL.subscribe)
    return end
  },
  onWindowCommand: (listener: (command: unknown) => void): (() => void) => on(CHANNEL.windowCommand, listener),
})
