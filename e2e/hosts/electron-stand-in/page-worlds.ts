/// <reference lib="dom" />
/**
 * What runs in a window: `ownWorld` in the page's own world, `preloadWorld` in an isolated one, with the built preload. They share
 * the document alone; values cross as JSON in synchronous events of a name that cannot be guessed. Both are evaluated as text, so
 * each must hold all that it needs. JSON carries what the contract allows; functions cross as numbers.
 */

interface Shape {
  value?: unknown
  call?: number
  members?: Record<string, Shape>
}

function ownWorld(eventName: string): void {
  if (window !== window.top) return
  const callbacks = new Map<number, (...args: unknown[]) => void>()
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let answer: { kind: string; value?: unknown; call?: number; error?: string } = { kind: '' }
  let next = 0
  const tell = (message: unknown): void => {
    window.dispatchEvent(new CustomEvent(`${eventName}-preload`, { detail: JSON.stringify(message) }))
  }
  const build = (shape: Shape): unknown => {
    if (shape.members !== undefined) {
      const members = Object.entries(shape.members).map(([key, each]) => [key, build(each)])
      return Object.freeze(Object.fromEntries(members))
    }
    if (shape.call === undefined) return shape.value
    return (...args: unknown[]): unknown => {
      const id = ++next
      const sent = args.map((value) => {
        if (typeof value !== 'function') return { value }
        callbacks.set(++next, value as (...args: unknown[]) => void)
        return { callback: next }
      })
      tell({ call: shape.call, id, args: sent })
      if (answer.kind === 'error') throw new Error(answer.error)
      if (answer.kind === 'promise') return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      return answer.kind === 'function' ? build({ call: answer.call! }) : answer.value
    }
  }
  window.addEventListener(`${eventName}-own`, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail)
    if (message.kind === 'expose') {
      if (message.key in window)
        throw new Error('Cannot bind an API on top of an existing property on the window object')
      Object.defineProperty(window, message.key, { value: build(message.shape), enumerable: true })
    } else if (message.kind === 'callback') callbacks.get(message.id)?.(...message.args)
    else if (message.kind === 'settled') {
      const { resolve, reject } = waiting.get(message.id)!
      waiting.delete(message.id)
      if (message.error === undefined) resolve(message.value)
      else reject(new Error(message.error))
    } else answer = message
  })
}

function preloadWorld(eventName: string, bindingName: string, run: (require: (name: string) => unknown) => void): void {
  if (window !== window.top) return
  const binding = (globalThis as unknown as Record<string, (text: string) => void>)[bindingName]!
  const functions = new Map<number, (...args: unknown[]) => unknown>()
  const invoked = new Map<number, { channel: string; resolve(value: unknown): void; reject(error: Error): void }>()
  const listeners = new Map<string, ((...args: unknown[]) => void)[]>()
  let next = 0
  const tell = (message: unknown): void => {
    window.dispatchEvent(new CustomEvent(`${eventName}-own`, { detail: JSON.stringify(message) }))
  }
  const numberOf = (call: unknown): number => {
    functions.set(++next, call as (...args: unknown[]) => unknown)
    return next
  }
  const shapeOf = (value: unknown): Shape => {
    if (typeof value === 'function') return { call: numberOf(value) }
    if (value === null || typeof value !== 'object') return { value }
    return { members: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)])) }
  }
  window.addEventListener(`${eventName}-preload`, (event) => {
    const { call, id, args } = JSON.parse((event as CustomEvent<string>).detail)
    const values = (args as { value?: unknown; callback?: number }[]).map(({ value, callback }) =>
      callback === undefined ? value : (...sent: unknown[]) => tell({ kind: 'callback', id: callback, args: sent }),
    )
    try {
      const result = functions.get(call)!(...values)
      if (result instanceof Promise) {
        tell({ kind: 'promise' })
        result.then(
          (value) => tell({ kind: 'settled', id, value }),
          (error) => tell({ kind: 'settled', id, error: String(error.message) }),
        )
      } else if (typeof result === 'function') tell({ kind: 'function', call: numberOf(result) })
      else tell({ kind: 'value', value: result })
    } catch (error) {
      tell({ kind: 'error', error: String(error) })
    }
  })
  const receive = (message: {
    kind: string
    id: number
    channel: string
    args: unknown[]
    value: unknown
    error?: string
  }) => {
    if (message.kind === 'event') {
      for (const listener of [...(listeners.get(message.channel) ?? [])]) listener({}, ...message.args)
      return
    }
    const { channel, resolve, reject } = invoked.get(message.id)!
    invoked.delete(message.id)
    if (message.error === undefined) resolve(message.value)
    else reject(new Error(`Error invoking remote method '${channel}': ${message.error}`))
  }
  Object.assign(globalThis, { standInReceive: receive })
  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        invoked.set(++next, { channel, resolve, reject })
        binding(JSON.stringify({ kind: 'invoke', id: next, channel, args }))
      }),
    send: (channel: string, ...args: unknown[]) => binding(JSON.stringify({ kind: 'send', channel, args })),
    on: (channel: string, listener: (...args: unknown[]) => void) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    removeListener: (channel: string, listener: (...args: unknown[]) => void) => {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((each) => each !== listener),
      )
    },
  }
  const contextBridge = {
    exposeInMainWorld: (key: string, api: unknown) => tell({ kind: 'expose', key, shape: shapeOf(api) }),
  }
  run((name) => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`module not found: ${name}`)
  })
}

/** Source texts. @param preload the built preload's */
export const worldSources = (
  eventName: string,
  bindingName: string,
  preload: string,
): { own: string; preload: string } => ({
  own: `(${ownWorld})(${JSON.stringify(eventName)})`,
  preload: `(${preloadWorld})(${JSON.stringify(eventName)}, ${JSON.stringify(bindingName)}, function (require, process) {\n${preload}\n})`,
})
