import { EventEmitter } from 'node:events'

/** What the stand-in does not have is an error, not undefined. */

/** Asked for by promises, printers and EventEmitter itself. */
const ASKED_BY_ALL = new Set(['then', 'toJSON', 'constructor', 'domain', '_events', '_eventsCount', '_maxListeners'])

export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      if (key in object || typeof key === 'symbol' || ASKED_BY_ALL.has(key)) return Reflect.get(object, key, receiver)
      throw new Error(`stand-in: ${name}.${key} is not there`)
    },
  })
}

export function checkOptions(name: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new Error(`stand-in: ${name} does not take '${key}'`)
  }
}

/** An emitter of the events that it says, and no others. */
export class Emitter extends EventEmitter {
  protected readonly known: ReadonlySet<string>

  constructor(known: readonly string[]) {
    super()
    this.known = new Set(known)
  }

  override on(name: string, listener: (...args: never[]) => void): this {
    this.assertKnown(name)
    return super.on(name, listener as (...args: unknown[]) => void)
  }

  override once(name: string, listener: (...args: never[]) => void): this {
    this.assertKnown(name)
    return super.once(name, listener as (...args: unknown[]) => void)
  }

  private assertKnown(name: string): void {
    if (!this.known.has(name)) throw new Error(`stand-in: nobody emits '${name}'`)
  }
}

export interface NativeEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

export const nativeEvent = (more: object = {}): NativeEvent => ({
  ...more,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true
  },
})

/** Versions differ in whether microtasks run before an emit returns. */
const RUNS_MICROTASKS = (process.env.SANDPIPER_MICROTASKS ?? 'inside') === 'inside'

/** Emits as native code does. False if a listener prevented. */
export function emitNative(target: EventEmitter, name: string, more: object = {}, ...args: unknown[]): boolean {
  const event = nativeEvent(more)
  target.emit(name, event, ...args)
  if (RUNS_MICROTASKS) (process as unknown as { _tickCallback(): void })._tickCallback()
  return !event.defaultPrevented
}
