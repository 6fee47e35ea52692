/**
 * Holds the exit until everything is saved. Three values, one field, forward only; the listener stays for ever, so that a
 * second quit during the wait joins the first. It never waits for a window.
 *
 *   running --before-quit (prevented)--> draining --saved--> drained --before-quit (let pass)--> exit
 */
export type QuitState = 'running' | 'draining' | 'drained'

export interface QuittableApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  quit(): void
}

export class QuitGuard {
  state: QuitState = 'running'
  readonly #app: QuittableApp
  readonly #drain: () => Promise<void>
  readonly #defer: (work: () => void) => void

  /** @param drain saves everything; a failure of it does not keep the app from ending */
  constructor(app: QuittableApp, drain: () => Promise<void>, defer: (work: () => void) => void = setImmediate) {
    this.#app = app
    this.#drain = drain
    this.#defer = defer
    app.on('before-quit', (event) => this.#beforeQuit(event))
  }

  #beforeQuit(event: { preventDefault(): void }): void {
    if (this.state === 'drained') return
    event.preventDefault()
    if (this.state === 'draining') return
    this.state = 'draining'
    void this.#drain()
      .catch(() => {})
      .then(() => {
        this.state = 'drained'
        // Never straight from a continuation: a quit nested in before-quit is undone by the outer one.
        this.#defer(() => this.#app.quit())
      })
  }
}
