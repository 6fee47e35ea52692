import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Failure } from '../../shared/failure.ts'
import { APPLICATION_ID, assertKnownVersion } from './migrate.ts'

export type Database = Sqlite.Database
export type Statement = Sqlite.Statement

/** Blocks the event loop for its whole length, so it is short; one process writes a crawl file. */
const BUSY_TIMEOUT_MS = 250

/**
 * Opens a crawl file for writing, creating it if `create` says so. Every pragma is set and read back on every open:
 * better-sqlite3's SQLite runs a reopened WAL file at synchronous=NORMAL unless told otherwise.
 * @throws Failure `not_a_crawl_file`, `damaged_crawl_file`, `folder_not_writable`, `storage_failed`
 */
export function openForWriting(file: string, create: boolean): Database {
  if (!create) assertCrawlFile(file)
  const db = guarded(file, () => new Sqlite(file, { fileMustExist: !create, timeout: BUSY_TIMEOUT_MS }))
  try {
    guarded(file, () => {
      set(db, 'journal_mode', 'WAL', 'wal')
      set(db, 'synchronous', 'FULL', 2)
      set(db, 'foreign_keys', 'ON', 1)
      set(db, 'trusted_schema', 'OFF', 0)
      set(db, 'mmap_size', '0', 0)
      set(db, 'cache_size', '-32768', -32768)
      set(db, 'journal_size_limit', String(64 * 1024 * 1024), 64 * 1024 * 1024)
      set(db, 'wal_autocheckpoint', '4000', 4000)
    })
    if (!create) assertApplicationId(db, file)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Opens a crawl file for reading; needs no lock and works while a crawl writes. @throws Failure as openForWriting */
export function openForReading(file: string): Database {
  assertCrawlFile(file)
  const db = guarded(file, () => openReader(file))
  try {
    guarded(file, () => {
      db.pragma('trusted_schema = OFF')
      db.pragma('cache_size = -32768')
      assertApplicationId(db, file)
      assertKnownVersion(db, file)
    })
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/**
 * A reader that could write cleans up the log beside the file when it is the last to close; it is told not to write. In a
 * folder that may not be written, a plain reader must do.
 */
function openReader(file: string): Database {
  const timeout = 5_000
  try {
    const db = new Sqlite(file, { fileMustExist: true, timeout })
    db.pragma('query_only = ON')
    return db
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_CANTOPEN') && !errorCode(error).startsWith('SQLITE_READONLY')) throw error
    return new Sqlite(file, { readonly: true, fileMustExist: true, timeout })
  }
}

function set(db: Database, name: string, value: string, expected: string | number): void {
  db.pragma(`${name} = ${value}`)
  const actual = db.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new Failure('storage_failed', `The database refused ${name}=${value} (it reports ${String(actual)}).`)
  }
}

/** Nothing there yet, or what a kill in the middle of creating a crawl file leaves: no bytes, or no tables. */
export function isBlank(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined || size === 0) return true
  if (readHead(file) !== MAGIC) return false
  const db = guarded(file, () => new Sqlite(file, { timeout: BUSY_TIMEOUT_MS }))
  try {
    const tables = guarded(file, () => db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
    return tables === 0 && db.pragma('application_id', { simple: true }) === 0
  } finally {
    db.close()
  }
}

const MAGIC = 'SQLite format 3\0'

function assertCrawlFile(file: string): void {
  if (!existsSync(file)) {
    throw new Failure('file_missing', `There is no crawl file at ${file}: check the path.`)
  }
  if (readHead(file) !== MAGIC) throw notACrawlFile(file)
}

function readHead(file: string): string {
  const head = Buffer.alloc(MAGIC.length)
  try {
    const handle = openSync(file, 'r')
    try {
      return head.toString('latin1', 0, readSync(handle, head, 0, head.length, 0))
    } finally {
      closeSync(handle)
    }
  } catch (cause) {
    throw new Failure('storage_failed', `${file} cannot be read (${errorCode(cause)}): check its permissions.`, {
      cause,
    })
  }
}

function assertApplicationId(db: Database, file: string): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw notACrawlFile(file)
}

const notACrawlFile = (file: string): Failure =>
  new Failure('not_a_crawl_file', `${file} is not a Sandpiper crawl file: choose a file that ends in .sandpiper.`)

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error'

/** Runs a database call and turns SQLite's errors into ours. */
export function guarded<T>(file: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw toFailure(file, cause)
  }
}

function toFailure(file: string, cause: unknown): unknown {
  if (cause instanceof Failure) return cause
  const code = errorCode(cause)
  if (code === 'SQLITE_NOTADB') return notACrawlFile(file)
  if (code === 'SQLITE_CORRUPT')
    return new Failure('damaged_crawl_file', `${file} is damaged and was left as it is: restore it from a copy.`, {
      cause,
    })
  if (code === 'SQLITE_FULL')
    return new Failure('disk_full', `The disk that holds ${file} is full: free some space and resume.`, { cause })
  if (code === 'SQLITE_BUSY')
    return new Failure('crawl_file_busy', `${file} is in use by another program: close it there and try again.`, {
      cause,
    })
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || code === 'EACCES' || code === 'EROFS')
    return new Failure(
      'folder_not_writable',
      `${file} cannot be written: choose a folder you may write to with --file.`,
      {
        cause,
      },
    )
  return code.startsWith('SQLITE_')
    ? new Failure('storage_failed', `${file} could not be used (${code}).`, { cause })
    : cause
}
