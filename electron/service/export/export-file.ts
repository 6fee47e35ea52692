import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { COLUMNS, type View } from '../../../shared/columns.ts'
import { Failure } from '../../../shared/failure.ts'
import { type Database, errorCode, openForReading } from '../../store/database.ts'
import { readView } from '../../store/view-reader.ts'
import { BYTE_ORDER_MARK, csvHeader, csvRow, type Preset } from './csv.ts'
import { jsonLine } from './jsonl.ts'

/**
 * Writes a view of a crawl file: one moment of the crawl, streamed with flat memory, while the crawl may go on. A file
 * appears whole under its name or not at all.
 */
export interface ExportRequest {
  file: string
  view: View
  format: 'csv' | 'jsonl'
  /** For CSV. */
  preset: Preset
  /** A path, or `-` for the standard output. */
  output: string
}

export interface Exported {
  rows: number
}

const CHUNK_CHARS = 64 * 1024
/** The event loop is given a turn at least this often. */
const SLICE_MS = 8

/** @throws Failure when the crawl file cannot be read or the output cannot be written */
export async function exportView(request: ExportRequest, signal?: AbortSignal): Promise<Exported> {
  const db = openForReading(request.file)
  try {
    db.exec('BEGIN')
    return request.output === '-' ? await toStandardOutput(db, request) : await toFile(db, request, signal)
  } finally {
    db.close()
  }
}

async function toFile(db: Database, request: ExportRequest, signal?: AbortSignal): Promise<Exported> {
  const { output } = request
  const temporary = join(dirname(output), `.${basename(output)}.${process.pid}.tmp`)
  let handle: FileHandle | undefined
  try {
    const target = await open(temporary, 'w')
    handle = target
    const exported = await write(db, request, async (chunk) => {
      signal?.throwIfAborted()
      await target.write(chunk)
    })
    await target.sync()
    await target.close()
    handle = undefined
    await rename(temporary, output)
    return exported
  } catch (cause) {
    await handle?.close()
    await rm(temporary, { force: true })
    throw toFailure(output, cause)
  }
}

function toFailure(output: string, cause: unknown): unknown {
  const code = errorCode(cause)
  if (code === 'ENOSPC') return new Failure('disk_full', `The disk is full: ${output} was not written.`, { cause })
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EISDIR', 'ENOTDIR'].includes(code)) return cause
  return new Failure(
    'folder_not_writable',
    `${output} cannot be written (${code}): choose another path with --output or --export.`,
    {
      cause,
    },
  )
}

async function toStandardOutput(db: Database, request: ExportRequest): Promise<Exported> {
  const { stdout } = process
  return write(db, request, (chunk) => send(stdout, chunk))
}

/** Waits while the reader is slow; a reader that has gone ends the writing quietly. */
function send(stream: Writable, chunk: string): Promise<boolean> {
  return new Promise((resolve) => stream.write(chunk, (error) => resolve(!error)))
}

/** @param put takes a chunk; false ends the writing */
async function write(
  db: Database,
  request: ExportRequest,
  put: (chunk: string) => Promise<unknown>,
): Promise<Exported> {
  const columns = COLUMNS[request.view]
  const isCsv = request.format === 'csv'
  let chunk = isCsv ? (request.preset === 'excel' ? BYTE_ORDER_MARK : '') + csvHeader(columns) : ''
  let rows = 0
  let sliceEnds = performance.now() + SLICE_MS
  for (const row of readView(db, request.view)) {
    chunk += isCsv ? csvRow(row, columns, request.preset) : jsonLine(row, columns)
    rows++
    if (chunk.length >= CHUNK_CHARS) {
      if ((await put(chunk)) === false) return { rows }
      chunk = ''
    }
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + SLICE_MS
  }
  if (chunk !== '') await put(chunk)
  return { rows }
}
