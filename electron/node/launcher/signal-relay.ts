import type { EventEmitter } from 'node:events'

/**
 * Passes signals on to the one child that runs. Children stand outside the terminal's process group, so that they hear
 * from here only: Ctrl-C reaches the launcher twice, from the terminal and again from npm, and must reach them once.
 */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What comes sooner is npm's copy of the same Ctrl-C, and no second one. */
const ECHO_MS = 300

/** On Windows a console's Ctrl-C reaches every process by itself, and a signal from here would kill. */
export const OWN_GROUP = process.platform !== 'win32'

export class SignalRelay {
  /** The first signal that came; null if none did. */
  first: NodeJS.Signals | null = null
  #child: { kill(signal: NodeJS.Signals): unknown } | null = null
  #lastMs = Number.NEGATIVE_INFINITY

  /** @param nowMs a clock that only goes forward */
  constructor(source: EventEmitter, nowMs: () => number) {
    for (const signal of SIGNALS) {
      source.on(signal, () => {
        const now = nowMs()
        const isEcho = now - this.#lastMs < ECHO_MS
        this.#lastMs = now
        if (!isEcho) this.#pass(signal)
      })
    }
  }

  follow(child: { kill(signal: NodeJS.Signals): unknown }): void {
    this.#child = child
  }

  #pass(signal: NodeJS.Signals): void {
    this.first ??= signal
    if (OWN_GROUP) this.#child?.kill(signal)
  }
}
