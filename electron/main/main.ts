import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'

app.enableSandbox()
app.on('window-all-closed', () => app.quit())
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    title: 'Sandpiper',
    webPreferences: { preload: join(import.meta.dirname, '../preload/preload.cjs') },
  })
  void window.loadFile(join(import.meta.dirname, '../renderer/index.html'))
})
