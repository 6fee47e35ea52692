import { constants } from 'node:os'

/** First Ctrl-C, SIGTERM or SIGHUP: end in good order. Second: end now. Ceilings make sure that a hang ends too. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STOP_CEILING_MS = 4_300
const ABORT_CEILING_MS = 900

export interface Stoppable {
  stop(): void
  abort(): void
}

export class ProcessSignals {
  /** 128 + the number of the first signal; null if none came. */
  exitCode: number | null = null
  readonly #target: Stoppable
  readonly #say: (line: string) => void
  #ceiling: NodeJS.Timeout | undefined

  constructor(target: Stoppable, say: (line: string) => void) {
    this.#target = target
    this.#say = say
    for (const signal of SIGNALS) process.on(signal, this.#handle)
  }

  dispose(): void {
    clearTimeout(this.#ceiling)
    for (const signal of SIGNALS) process.removeListener(signal, this.#handle)
  }

  readonly #handle = (signal: (typeof SIGNALS)[number]): void => {
    if (this.exitCode === null) {
      this.exitCode = 128 + constants.signals[signal]
      this.#say('Stopping: running requests get 3 seconds. Once more ends them now.')
      this.#limit(STOP_CEILING_MS)
      this.#target.stop()
    } else {
      this.#limit(ABORT_CEILING_MS)
      this.#target.abort()
    }
  }

  #limit(delayMs: number): void {
    clearTimeout(this.#ceiling)
    this.#ceiling = setTimeout(() => process.exit(this.exitCode ?? 1), delayMs)
  }
}
