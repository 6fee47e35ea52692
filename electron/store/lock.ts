import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import Sqlite from 'better-sqlite3'
import { Failure } from '../../shared/failure.ts'
import { errorCode, guarded } from './database.ts'

/**
 * One writer per crawl file, whatever the host: an exclusive SQLite lock held for life on `<file>-lock`, which the
 * operating system drops when the process dies, and the owner's name beside it in `<file>-owner` for people to read.
 */
export interface Owner {
  pid: number
  host: string
  since: string
}

export interface Lock {
  release(): void
}

const lockPath = (file: string): string => `${file}-lock`
const ownerPath = (file: string): string => `${file}-owner`

/** @throws Failure `crawl_file_busy` naming the owner, `folder_not_writable` */
export function acquireLock(file: string, now: Date): Lock {
  for (let round = 0; round < 5; round++) {
    const db = tryLock(file)
    if (db) {
      const owner: Owner = { pid: process.pid, host: hostname(), since: now.toISOString() }
      writeFileSync(ownerPath(file), JSON.stringify(owner), { mode: 0o600 })
      return { release: () => release(file, db) }
    }
  }
  throw busy(file)
}

/** The live owner of a crawl file; null if nobody has it open for writing. */
export function readOwner(file: string): Owner | null {
  const path = lockPath(file)
  if (inode(path) === null) return null
  const probe = new Sqlite(path, { timeout: 0, readonly: true })
  try {
    probe.pragma('schema_version')
    return null
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_BUSY')) return null
    return ownerOf(file)
  } finally {
    probe.close()
  }
}

/** Null when the lock file was replaced between opening and locking it: a former owner removed it while leaving. */
function tryLock(file: string): Sqlite.Database | null {
  const path = lockPath(file)
  const db = guarded(file, () => new Sqlite(path, { timeout: 100 }))
  const opened = inode(path)
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw errorCode(error).startsWith('SQLITE_BUSY') ? busy(file) : error
  }
  if (opened !== null && inode(path) === opened) return db
  db.close()
  return null
}

function release(file: string, db: Sqlite.Database): void {
  rmSync(ownerPath(file), { force: true })
  try {
    rmSync(lockPath(file), { force: true })
  } catch {
    // Windows keeps an open file; an unlocked lock file harms nobody.
  }
  db.close()
}

function ownerOf(file: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(ownerPath(file), 'utf8')) as Partial<Owner>
    return { pid: Number(owner.pid), host: String(owner.host), since: String(owner.since) }
  } catch {
    return { pid: 0, host: 'unknown', since: '' }
  }
}

const inode = (path: string): bigint | null => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null

function busy(file: string): Failure {
  const owner = ownerOf(file)
  const who = owner && owner.pid > 0 ? `process ${owner.pid} on ${owner.host}` : 'another process'
  return new Failure(
    'crawl_file_busy',
    `${file} is already being crawled by ${who}: end that one first, or choose another --file.`,
  )
}
