import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * The files of the log. Each process has a series of its own, so that no two ever write to one file:
 * `sandpiper-<when it began>-<pid>-<number>.log`; the full ones are packed (`.log.gz`).
 */

export const LOG_FILE_BYTES = 10 * 1024 * 1024
/** Of one process. */
const MAX_FILES = 7
/** Of all processes together. */
const MAX_TOTAL_BYTES = 200 * 1024 * 1024

export interface LogFile {
  path: string
  /** Names the process. */
  series: string
  pid: number
  number: number
  packed: boolean
}

const NAME = /^(sandpiper-\d{8}T\d{9}-(\d+))-(\d{4,})\.log(\.gz)?$/

export const seriesName = (startedAt: Date, pid: number): string =>
  `sandpiper-${startedAt.toISOString().replaceAll(/[-:.Z]/g, '')}-${pid}`

export const logFileName = (series: string, number: number): string =>
  `${series}-${String(number).padStart(4, '0')}.log`

/** In the order of their beginnings. An empty list where there is no folder. */
export function listLogFiles(folder: string): LogFile[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const files = names.flatMap((name) => {
    const [, series, pid, number, packed] = NAME.exec(name) ?? []
    if (series === undefined) return []
    return { path: join(folder, name), series, pid: Number(pid), number: Number(number), packed: packed !== undefined }
  })
  // A kill between packing and deleting leaves both: the packed one was renamed when it was whole.
  const packed = new Set(files.filter((file) => file.packed).map(({ path }) => path))
  return files
    .filter(({ path }) => !packed.has(`${path}.gz`))
    .sort((a, b) => (a.series === b.series ? a.number - b.number : a.series < b.series ? -1 : 1))
}

/** Creates a file for nobody else's eyes; whatever is there already, a link too, is left alone. @throws as openSync */
export function createLogFile(path: string): number {
  const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW } = constants
  return openSync(path, O_CREAT | O_EXCL | O_RDWR | (O_NOFOLLOW ?? 0), 0o600)
}

/** Puts the folder in order: mends what dead processes left, packs it, and removes the oldest beyond the caps. */
export async function tidy(folder: string, ownSeries: string): Promise<void> {
  for (const file of listLogFiles(folder)) {
    if (file.packed || file.series === ownSeries || isAlive(file.pid)) continue
    mendTail(file.path)
    await pack(file.path)
  }
  prune(folder, ownSeries)
}

/** The file is whole: nobody writes to it any more. */
export async function pack(path: string): Promise<void> {
  const part = `${path}.gz.part`
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(part, { mode: 0o600 }))
    renameSync(part, `${path}.gz`)
    rmSync(path)
  } catch {
    // No space, or somebody looks at it: the plain file stays and is as good.
    rmSync(part, { force: true })
  }
}

export function prune(folder: string, ownSeries: string): void {
  const files = listLogFiles(folder)
  const own = files.filter(({ series }) => series === ownSeries)
  const surplus = own.slice(0, Math.max(0, own.length - MAX_FILES))
  let total =
    files.reduce((sum, { path }) => sum + sizeOf(path), 0) - surplus.reduce((sum, { path }) => sum + sizeOf(path), 0)
  for (const { path } of surplus) rmSync(path, { force: true })
  for (const { path, series, pid } of files) {
    if (total <= MAX_TOTAL_BYTES) return
    if (series === ownSeries || isAlive(pid)) continue
    total -= sizeOf(path)
    rmSync(path, { force: true })
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** A line that was cut off is marked as such: nobody takes it for a whole one, and the next begins on a line of its own. */
export function mendTail(path: string): void {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  } catch {
    return
  }
  try {
    const { size } = fstatSync(fd)
    const tail = Buffer.alloc(Math.min(size, 64 * 1024))
    readSync(fd, tail, 0, tail.length, size - tail.length)
    // A positional write that came before an earlier one, cut off by a lost power supply, leaves zeros.
    let end = tail.length
    while (end > 0 && tail[end - 1] === 0) end--
    if (end < tail.length) ftruncateSync(fd, size - tail.length + end)
    if (end > 0 && tail[end - 1] !== 0x0a) writeSync(fd, `${TORN_MARK}\n`, size - tail.length + end)
  } finally {
    closeSync(fd)
  }
}

/** Ends a line that was cut off. */
export const TORN_MARK = ' (cut off)'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
