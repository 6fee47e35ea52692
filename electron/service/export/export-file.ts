import type { Writable } from 'node:stream'
import { COLUMNS, type Column, type View } from '../../../shared/columns.ts'
import { type Database, errorCode, guarded, openForReading } from '../../store/database.ts'
import type { Row, Rows } from '../../store/view-cells.ts'
import { readView } from '../../store/view-reader.ts'
import { BYTE_ORDER_MARK, csvHeader, csvRow, type Preset } from './csv.ts'
import { type ExportTarget, openTarget } from './export-target.ts'
import { jsonLine } from './jsonl.ts'

/**
 * Writes rows of a crawl file: one moment of the crawl, streamed with flat memory, while the crawl may go on. A file
 * appears whole under its name or not at all.
 */
export interface ExportRequest {
  file: string
  view: View
  format: 'csv' | 'jsonl'
  /** For CSV. */
  preset: Preset
  /** A path, `-` for the standard output, or a stream. */
  output: string | Writable
}

export interface RowExport extends Omit<ExportRequest, 'view'> {
  columns: readonly Column[]
  /** @param db inside a read transaction */
  rows: (db: Database) => Rows
}

export interface Exported {
  rows: number
  bytes: number
}

const CHUNK_CHARS = 64 * 1024
/** The event loop is given a turn at least this often. */
const SLICE_MS = 8

/** A view of the whole crawl. Signal and errors as in exportRows. */
export const exportView = (request: ExportRequest, signal?: AbortSignal): Promise<Exported> =>
  exportRows({ ...request, ...viewRows(request.view) }, signal)

export const viewRows = (view: View): Pick<RowExport, 'columns' | 'rows'> => ({
  columns: COLUMNS[view],
  rows: (db) => readView(db, view),
})

/**
 * @param signal leaves nothing behind; the promise rejects with its reason
 * @param onProgress told what has been written so far, now and then
 * @throws Failure when the crawl file cannot be read or the output cannot be written
 */
export async function exportRows(
  request: RowExport,
  signal?: AbortSignal,
  onProgress: (written: Exported) => void = () => {},
): Promise<Exported> {
  signal?.throwIfAborted()
  const db = openForReading(request.file)
  try {
    db.exec('BEGIN')
    const target = await openTarget(request.output)
    try {
      const exported = await write(db, request, target, onProgress, signal)
      signal?.throwIfAborted()
      await target.finish()
      return exported
    } catch (error) {
      await target.discard()
      throw error
    }
  } catch (error) {
    throw errorCode(error).startsWith('SQLITE_') ? storeFailure(request.file, error) : error
  } finally {
    db.close()
  }
}

function storeFailure(file: string, error: unknown): unknown {
  return guarded(file, () => {
    throw error
  })
}

async function write(
  db: Database,
  { columns, rows, format, preset }: RowExport,
  target: ExportTarget,
  onProgress: (written: Exported) => void,
  signal?: AbortSignal,
): Promise<Exported> {
  const isCsv = format === 'csv'
  const line = (row: Row): string => (isCsv ? csvRow(row, columns, preset) : jsonLine(row, columns))
  const exported = { rows: 0, bytes: 0 }
  let text = isCsv ? (preset === 'excel' ? BYTE_ORDER_MARK : '') + csvHeader(columns) : ''
  const flush = async (): Promise<boolean> => {
    const chunk = Buffer.from(text)
    text = ''
    exported.bytes += chunk.length
    onProgress(exported)
    return target.write(chunk)
  }
  let sliceEnds = performance.now() + SLICE_MS
  for (const row of rows(db)) {
    if (row !== null) {
      text += line(row)
      exported.rows++
    }
    if (text.length >= CHUNK_CHARS && !(await flush())) return exported
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    signal?.throwIfAborted()
    sliceEnds = performance.now() + SLICE_MS
  }
  if (text !== '') await flush()
  return exported
}
