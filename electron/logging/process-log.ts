import electronLog from 'electron-log/node'
import { isAtLeast, type Log, type LogFields, type LogLevel } from '../../shared/log-line.ts'
import { FileSink, type SinkOptions } from './file-sink.ts'
import { redact } from './redact.ts'

/** The log of this process: electron-log in front, our sink behind it as its only transport. */

/** What may pass before the end of the process goes on without the log. */
const CLOSE_MS = 1_000

export interface LogOptions extends Pick<SinkOptions, 'folder' | 'disk' | 'refuge'> {
  level: LogLevel
}

export class ProcessLog implements Log {
  readonly level: LogLevel
  readonly #sink: FileSink
  readonly #front: ReturnType<typeof electronLog.create>
  #n = 0

  /** @throws where its folder cannot be written: then there is no log */
  constructor({ level, ...rest }: LogOptions) {
    this.level = level
    this.#sink = new FileSink({
      ...rest,
      sayDropped: (count) => this.#format('warn', 'debug lines were left out: the disk was too slow', { count }),
    })
    this.#front = electronLog.create({ logId: `sandpiper-${performance.now()}` })
    const toSink = Object.assign(
      ({ level: at, data }: { level: string; data: unknown[] }): void => {
        const [event, fields] = data as [string, LogFields]
        this.#sink.write(this.#format(at as LogLevel, event, fields), at as LogLevel)
      },
      { level: 'debug' as const, transforms: [] },
    )
    for (const name of Object.keys(this.#front.transports)) delete this.#front.transports[name]
    Object.assign(this.#front.transports, { sink: toSink })
    // Quick, and nothing waits for it.
    void this.#sink.tidy().catch(() => {})
  }

  get path(): string {
    return this.#sink.path
  }

  /** Lines that no disk took. */
  get lost(): number {
    return this.#sink.lost
  }

  error(event: string, fields: LogFields = {}): void {
    this.#front.error(event, fields)
  }

  warn(event: string, fields: LogFields = {}): void {
    if (isAtLeast('warn', this.level)) this.#front.warn(event, fields)
  }

  info(event: string, fields: LogFields = {}): void {
    if (isAtLeast('info', this.level)) this.#front.info(event, fields)
  }

  debug(event: string, fields: LogFields = {}): void {
    if (isAtLeast('debug', this.level)) this.#front.debug(event, fields)
  }

  flushSync(): void {
    this.#sink.flushSync()
  }

  close(): Promise<void> {
    return this.#sink.close(CLOSE_MS)
  }

  #format(level: LogLevel, event: string, fields: LogFields): string {
    const line = { at: new Date().toISOString(), level, event, pid: process.pid, n: ++this.#n }
    try {
      return `${JSON.stringify({ ...line, ...(redact(fields) as LogFields) })}\n`
    } catch {
      return `${JSON.stringify({ ...line, trouble: 'its fields could not be written' })}\n`
    }
  }
}
