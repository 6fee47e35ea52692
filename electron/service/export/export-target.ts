import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { Failure } from '../../../shared/failure.ts'
import { errorCode } from '../../store/database.ts'

/** Where the bytes of an export go. Its errors are Failures. */
export interface ExportTarget {
  /** Resolves when more may come; false when nobody reads any more. */
  write(chunk: Buffer): Promise<boolean>
  /** Everything is there. */
  finish(): Promise<void>
  /** It will never be: nothing is left behind. */
  discard(): Promise<void>
}

/**
 * @param output a path, `-` for the standard output, or a stream, whose owner ends it and listens for its errors
 * @throws Failure `folder_not_writable`, `disk_full`
 */
export async function openTarget(output: string | Writable): Promise<ExportTarget> {
  if (output === '-') return streamTarget(process.stdout)
  if (typeof output !== 'string') return streamTarget(output)
  return withFailures(output, async () => {
    const existing = await stat(output).catch(() => null)
    const isDevice = existing !== null && !existing.isFile() && !existing.isDirectory()
    return isDevice ? deviceTarget(output, await open(output, 'w')) : openFile(output)
  })
}

/** Exports of one process to one path, at one time, must not share their temporary file. */
let serial = 0

/** Appears whole under its name or not at all. */
async function openFile(path: string): Promise<ExportTarget> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${++serial}.tmp`)
  const handle = await open(temporary, 'w')
  return {
    ...deviceTarget(path, handle),
    finish: () =>
      withFailures(path, async () => {
        await handle.sync()
        await handle.close()
        await rename(temporary, path)
      }),
    discard: async () => {
      await handle.close().catch(() => {})
      await rm(temporary, { force: true }).catch(() => {})
    },
  }
}

/** A pipe or a device, such as /dev/null: written as it is, for a rename would put a file in its place. */
function deviceTarget(path: string, handle: FileHandle): ExportTarget {
  return {
    write: (chunk) =>
      withFailures(path, async () => {
        // Unlike write(), it goes on after a short write.
        await handle.writeFile(chunk)
        return true
      }),
    finish: () => handle.close(),
    discard: () => handle.close().catch(() => {}),
  }
}

const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/** Waits while the reader is slow; a reader that has gone (`| head`) ends the writing quietly. */
function streamTarget(stream: Writable): ExportTarget {
  const send = (chunk: Buffer): Promise<boolean> =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => {
        if (!error) resolve(true)
        else if (READER_GONE.has(errorCode(error))) resolve(false)
        else reject(error)
      })
    })
  return {
    write: (chunk) => withFailures('The output', () => send(chunk)),
    finish: async () => {},
    discard: async () => {},
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const NOT_WRITABLE: ReadonlySet<string> = new Set([
  'EACCES',
  'EBUSY',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])

async function withFailures<T>(output: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const code = errorCode(cause)
    if (FULL.has(code)) {
      throw new Failure('disk_full', `The disk is full: ${output} was not written; free some space and export again.`, {
        cause,
      })
    }
    if (!NOT_WRITABLE.has(code)) throw cause
    throw new Failure(
      'folder_not_writable',
      `${output} cannot be written (${code}): choose another path (--output or --export on the command line), or close the program that has it open.`,
      { cause },
    )
  }
}
