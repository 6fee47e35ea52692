import { close, mkdirSync, write, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { LogLevel } from '../../shared/log-line.ts'
import { createLogFile, LOG_FILE_BYTES, logFileName, pack, prune, seriesName, tidy } from './log-files.ts'

/**
 * Takes lines into memory and writes them beside the program's work: at 64 KiB, after 100 ms, at an error. One write is
 * under way at a time, each at its own position: so what is under way can be written once more, synchronously, when the
 * process ends (`flushSync`), and no line is lost or there twice. A kill -9 costs what has gathered plus that write.
 *
 * A disk that stands still or fails gets three times three seconds; then the lines go to a file in the temporary folder,
 * and the log's own folder is tried again a minute later. Meanwhile memory is bounded: beyond a megabyte debug lines are
 * counted instead of kept; beyond eight, the wait for the disk is over.
 */

const FLUSH_BYTES = 64 * 1024
const FLUSH_MS = 100
const NO_MORE_DEBUG_BYTES = 1024 * 1024
const FULL_BYTES = 8 * 1024 * 1024
const TRY_MS = 3_000
const TRIES = 3
const COME_BACK_MS = 60_000

/** The disk, as the sink uses it. */
export interface LogDisk {
  /** @throws as openSync */
  create(path: string): number
  write(fd: number, bytes: Buffer, position: number, done: (error: Error | null) => void): void
  /** @throws as writeSync */
  writeSync(fd: number, bytes: Buffer, position: number): void
  close(fd: number): void
}

export interface SinkOptions {
  folder: string
  /** Says in a line of the log that debug lines were left out. */
  sayDropped: (count: number) => string
  disk?: LogDisk
  /** Where the lines go that the folder does not take. */
  refuge?: string
}

interface Chunk {
  bytes: Buffer
  lines: number
  fd: number
  position: number
}

export class FileSink {
  readonly #options: SinkOptions
  readonly #disk: LogDisk
  readonly #series: string
  #number = 1
  #path: string
  #fd: number
  #position = 0
  #lines: string[] = []
  #bytes = 0
  #inFlight: Chunk | null = null
  #timer: NodeJS.Timeout | null = null
  #patience: NodeJS.Timeout | null = null
  #dropped = 0
  #isExiled = false
  #comeBackAt = 0
  #isUrgent = false
  #isClosed = false
  #onIdle: (() => void) | null = null
  /** Lines that no disk took. */
  lost = 0

  /** @throws as mkdirSync and openSync: then there is no log */
  constructor(options: SinkOptions, startedAt = new Date()) {
    this.#options = options
    this.#disk = options.disk ?? REAL_DISK
    this.#series = seriesName(startedAt, process.pid)
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    this.#path = join(options.folder, logFileName(this.#series, this.#number))
    this.#fd = this.#disk.create(this.#path)
  }

  /** The file that is written now. */
  get path(): string {
    return this.#path
  }

  /** Puts in order what earlier processes left. */
  tidy(): Promise<void> {
    return tidy(this.#options.folder, this.#series)
  }

  /** @param line ends with a newline */
  write(line: string, level: LogLevel): void {
    if (this.#isClosed) {
      this.#lose(1, line)
      return
    }
    if (level === 'debug' && this.#bytes > NO_MORE_DEBUG_BYTES) {
      this.#dropped++
      return
    }
    if (this.#bytes > FULL_BYTES && this.#inFlight !== null) this.#giveUpOn(this.#inFlight)
    this.#lines.push(line)
    this.#bytes += Buffer.byteLength(line)
    if (level === 'error') this.#isUrgent = true
    this.#flushSoon()
  }

  /** Writes everything before it returns, also what is just being written: nothing is lost whatever comes next. */
  flushSync(): void {
    const chunks = [...(this.#inFlight ? [this.#inFlight] : []), ...(this.#bytes > 0 ? [this.#take(false)] : [])]
    for (const { fd, bytes, lines, position } of chunks) {
      try {
        this.#disk.writeSync(fd, bytes, position)
      } catch {
        this.#lose(lines, bytes.toString())
      }
    }
  }

  /** Writes what is left and closes. @param deadlineMs what takes longer is told on stderr */
  async close(deadlineMs: number): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const idle = new Promise<boolean>((resolve) => {
      this.#onIdle = () => resolve(true)
    })
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, deadlineMs, false).unref())
    this.#flush()
    if (this.#inFlight === null) this.#onIdle?.()
    const inTime = await Promise.race([idle, late])
    this.#onIdle = null
    this.#stopTimers()
    if (!inTime) {
      for (const { lines, bytes } of [this.#inFlight, this.#bytes > 0 ? this.#take(false) : null].filter(
        (each) => each !== null,
      ))
        this.#lose(lines, bytes.toString())
    } else this.#disk.close(this.#fd)
  }

  #flushSoon(): void {
    if (this.#isUrgent || this.#isClosed || this.#bytes >= FLUSH_BYTES) this.#flush()
    else if (this.#bytes > 0) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#inFlight !== null) return
    if (this.#bytes === 0 && this.#dropped === 0) {
      this.#onIdle?.()
      return
    }
    this.#send(this.#take())
  }

  /** What has gathered, with its place in the file. @param mayRotate nothing is being written */
  #take(mayRotate = true): Chunk {
    if (this.#dropped > 0) this.#lines.push(this.#options.sayDropped(this.#dropped))
    this.#dropped = 0
    const lines = this.#lines.length
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#bytes = 0
    this.#isUrgent = false
    if (mayRotate && this.#isRotationDue(bytes.length)) this.#rotate()
    const chunk = { bytes, lines, fd: this.#fd, position: this.#position }
    this.#position += bytes.length
    return chunk
  }

  #isRotationDue(more: number): boolean {
    if (this.#isExiled) return performance.now() >= this.#comeBackAt
    return this.#position > 0 && this.#position + more > LOG_FILE_BYTES
  }

  #send(chunk: Chunk): void {
    this.#inFlight = chunk
    let tries = 1
    let error: Error | null = null
    const begin = (): void => {
      error = null
      this.#disk.write(chunk.fd, chunk.bytes, chunk.position, (cause) => {
        if (this.#inFlight !== chunk) return
        error = cause
        if (cause === null) this.#settle()
      })
    }
    // A write that stands still is waited for; one that failed is tried again.
    this.#patience = setInterval(() => {
      if (tries++ >= TRIES) this.#giveUpOn(chunk)
      else if (error !== null) begin()
    }, TRY_MS)
    this.#patience.unref()
    begin()
  }

  #settle(): void {
    this.#inFlight = null
    if (this.#patience !== null) clearInterval(this.#patience)
    this.#patience = null
    this.#flushSoon()
  }

  /** The disk does not take it: it goes elsewhere, with all that follows. */
  #giveUpOn(chunk: Chunk): void {
    if (this.#isExiled || !this.#exile()) {
      this.#lose(chunk.lines, chunk.bytes.toString())
      this.#isExiled = true
      this.#comeBackAt = performance.now()
      this.#settle()
      return
    }
    if (this.#patience !== null) clearInterval(this.#patience)
    const moved = { ...chunk, fd: this.#fd, position: 0 }
    this.#position = chunk.bytes.length
    this.#send(moved)
  }

  #exile(): boolean {
    const refuge = this.#options.refuge ?? tmpdir()
    const path = join(refuge, `${basename(logFileName(this.#series, this.#number))}.kept`)
    try {
      this.#fd = this.#disk.create(path)
    } catch {
      return false
    }
    process.stderr.write(`sandpiper: the log cannot be written in ${this.#options.folder}; it goes on in ${path}\n`)
    this.#path = path
    this.#isExiled = true
    this.#comeBackAt = performance.now() + COME_BACK_MS
    return true
  }

  /** A file that cannot be opened leaves everything as it is. */
  #rotate(): void {
    const path = join(this.#options.folder, logFileName(this.#series, this.#number + 1))
    let fd: number
    try {
      fd = this.#disk.create(path)
    } catch {
      this.#comeBackAt = performance.now() + COME_BACK_MS
      return
    }
    const full = { path: this.#path, fd: this.#fd, isOurs: !this.#isExiled }
    this.#number++
    this.#isExiled = false
    this.#path = path
    this.#fd = fd
    this.#position = 0
    this.#disk.close(full.fd)
    if (full.isOurs) void pack(full.path).then(() => prune(this.#options.folder, this.#series))
  }

  #lose(lines: number, text: string): void {
    this.lost += lines
    process.stderr.write(text)
  }

  #stopTimers(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#patience !== null) clearInterval(this.#patience)
    this.#timer = null
    this.#patience = null
  }
}

const REAL_DISK: LogDisk = {
  create: createLogFile,
  write: writeWhole,
  writeSync: (fd, bytes, position) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  },
  close: (fd) => close(fd, () => {}),
}

function writeWhole(fd: number, bytes: Buffer, position: number, done: (error: Error | null) => void, from = 0): void {
  write(fd, bytes, from, bytes.length - from, position + from, (error, written) => {
    if (error) done(error)
    else if (from + written < bytes.length) writeWhole(fd, bytes, position, done, from + written)
    else done(null)
  })
}
