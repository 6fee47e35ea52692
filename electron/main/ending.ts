/**
 * The last seconds of the app: running requests finish, everything is saved, the window says what is waited for. There is a
 * ceiling over all of it, so that a hang of whatever kind cannot keep the app from ending.
 */

/** macOS and Linux grant five seconds before they kill. */
const CEILING_MS = 4_200
/** After *Quit now*. */
const HURRY_MS = 800
const NOTE_MS = 100

export interface LastWork {
  /** Resolves when everything is saved. */
  finish(): Promise<void>
  /** Waits for requests no longer. */
  abort(): void
  /** Tells the window what is waited for. */
  note(): void
}

export class Ending {
  readonly #work: LastWork
  /** Null while the app goes on. */
  #giveUp: (() => void) | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(work: LastWork) {
    this.#work = work
  }

  /** Whether everything was saved in time. What could not be saved, was said where it happened; it keeps nobody here. */
  async run(): Promise<boolean> {
    const { finish, note } = this.#work
    note()
    const ticks = setInterval(note, NOTE_MS)
    const late = new Promise<boolean>((resolve) => {
      const giveUp = (): void => resolve(false)
      this.#giveUp = giveUp
      this.#timer = setTimeout(giveUp, CEILING_MS)
    })
    const inTime = await Promise.race([late, finish().then(isTrue, isTrue)])
    clearInterval(ticks)
    clearTimeout(this.#timer)
    return inTime
  }

  /** The user waits no longer. While the app goes on there is nothing to hurry, and requests are left alone. */
  hurry(): void {
    if (this.#giveUp === null) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#giveUp, HURRY_MS)
    this.#work.abort()
  }
}

const isTrue = (): boolean => true
