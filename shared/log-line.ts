/** A line of the log: JSON, so that nothing in a URL or a title can break out of it. */

/** From what must be seen to what is only looked for. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type LogFields = Readonly<Record<string, unknown>>

export interface LogLine extends LogFields {
  /** ISO 8601, UTC. */
  at: string
  level: LogLevel
  /** What happened, in a few words that stay the same. */
  event: string
  pid: number
  /** Counts the lines of one process from 1: a gap is a line that was lost. */
  n: number
}

/** Where the program says what happens. Never throws. */
export interface Log {
  /** Lines below it are not written: what is costly to say need not be said. */
  readonly level: LogLevel
  error(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  debug(event: string, fields?: LogFields): void
}

export const isAtLeast = (level: LogLevel, wanted: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(wanted)

/** For hosts and tests that keep none. */
export const NO_LOG: Log = { level: 'error', error() {}, warn() {}, info() {}, debug() {} }
