import { app, session, shell } from 'electron'
import { externalAddress, isOwnPage } from './trusted-origin.ts'

/** No page leaves the app's origin, opens windows or gets permissions; links go to the user's own browser. */
export function secureWebContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { preventDefault(): void; url: string }): void => {
      if (!isOwnPage(event.url)) event.preventDefault()
    }
    contents.on('will-navigate', stay)
    contents.on('will-frame-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      const address = externalAddress(url)
      if (address !== null) void shell.openExternal(address)
      return { action: 'deny' }
    })
  })
}

/** After the app is ready: without handlers Electron grants. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.defaultSession.setPermissionCheckHandler(() => false)
}
