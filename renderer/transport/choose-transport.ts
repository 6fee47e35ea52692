import type { Transport } from '../../shared/transport.ts'
import { desktopTransport } from './desktop-transport.ts'
import { httpTransport } from './http-transport.ts'

declare global {
  interface Window {
    /** What the desktop app's preload offers. */
    sandpiper?: Transport
  }
}

/** In the desktop app messages go to the main process, in a browser to the loopback host. */
export const chooseTransport = (): Transport =>
  window.sandpiper === undefined ? httpTransport() : desktopTransport(window.sandpiper)
