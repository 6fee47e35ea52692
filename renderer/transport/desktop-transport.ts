import type { WindowCommand } from '../../shared/contract.ts'
import type { Transport } from '../../shared/transport.ts'

/**
 * What preload offers, with window commands kept until somebody listens: the app may be started with a file to show before there
 * is a view to show it in.
 */
export function desktopTransport(bridge: Transport): Transport {
  const early: WindowCommand[] = []
  const listeners = new Set<(command: WindowCommand) => void>()
  bridge.onWindowCommand((command) => {
    if (listeners.size === 0) early.push(command)
    else for (const listener of listeners) listener(command)
  })
  return {
    invoke: bridge.invoke,
    subscribe: bridge.subscribe,
    onWindowCommand: (listener) => {
      listeners.add(listener)
      for (const command of early.splice(0)) listener(command)
      return () => listeners.delete(listener)
    },
  }
}
