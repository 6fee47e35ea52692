/**
 * Holds the exit until everything is saved. Three values, one field, forward only; the listener stays for ever, so that a
 * second quit during the wait joins the first. It never waits for a window.
 *
 *   running --before-quit (prevented)--> draining --saved--> drained --before-quit (let pass)--> exit
 *      └──────── before-quit while the system goes down (let pass) ────────┘
 */
export type QuitState = 'running' | 'draining' | 'drained'

export interface QuittableApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  quit(): void
  /** Ends at once, asking nobody. */
  exit(code: number): void
}

export interface QuitWork {
  /** Saves everything; false when it took too long. */
  drain(): Promise<boolean>
  /** Saves what is complete, before it returns. */
  checkpoint(): void
}

/** For so long after the system said that it goes down, a quit is the system's. */
const SYSTEM_END_MS = 30_000

export class QuitGuard {
  state: QuitState = 'running'
  readonly #app: QuittableApp
  readonly #work: QuitWork
  readonly #defer: (work: () => void) => void
  readonly #now: () => number
  #systemEndsAt = Number.NEGATIVE_INFINITY

  constructor(
    app: QuittableApp,
    work: QuitWork,
    defer: (work: () => void) => void = setImmediate,
    now: () => number = () => performance.now(),
  ) {
    this.#app = app
    this.#work = work
    this.#defer = defer
    this.#now = now
    app.on('before-quit', (event) => this.#beforeQuit(event))
  }

  /** The computer goes down, or the user logs off: no time to wait, and nothing is held up. Another app may yet cancel it. */
  systemEnds(): void {
    this.#systemEndsAt = this.#now()
    this.#work.checkpoint()
  }

  #beforeQuit(event: { preventDefault(): void }): void {
    if (this.state === 'drained') return
    if (this.state === 'running' && this.#now() - this.#systemEndsAt < SYSTEM_END_MS) {
      this.#work.checkpoint()
      this.state = 'drained'
      return
    }
    event.preventDefault()
    if (this.state === 'draining') return
    this.state = 'draining'
    void this.#work
      .drain()
      .catch(() => true)
      .then((inTime) => {
        this.state = 'drained'
        // Never straight from a continuation: a quit nested in before-quit is undone by the outer one.
        this.#defer(() => (inTime ? this.#app.quit() : this.#app.exit(1)))
      })
  }
}
