import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import { CHANNEL } from '../../shared/channel-names.ts'

contextBridge.exposeInMainWorld('sandpiper', {
  invoke: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(CHANNEL.invoke, name, input),
  subscribe: (listener: (batch: unknown) => void): (() => void) => {
    const forward = (_event: IpcRendererEvent, batch: unknown): void => listener(batch)
    ipcRenderer.on(CHANNEL.event, forward)
    ipcRenderer.send(CHANNEL.subscribe)
    return () => ipcRenderer.removeListener(CHANNEL.event, forward)
  },
})
