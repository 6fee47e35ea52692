import type { Database } from 'better-sqlite3'
import { Failure } from '../../shared/failure.ts'
import { initial } from './migrations/0001-initial.ts'

/** "SPPR": marks a SQLite file as a Sandpiper crawl file. */
export const APPLICATION_ID = 0x53505052

/** In order; a file at version n has had the first n. Never change one that has been released: add the next. */
const MIGRATIONS: readonly string[] = [initial]
export const SCHEMA_VERSION = MIGRATIONS.length

/** The file's schema version. @throws Failure `newer_crawl_file` */
export function assertKnownVersion(db: Database, file: string): number {
  const version = db.pragma('user_version', { simple: true }) as number
  if (version > SCHEMA_VERSION) {
    throw new Failure(
      'newer_crawl_file',
      `${file} was written by a newer version of Sandpiper (file format ${version}, this version reads up to ${SCHEMA_VERSION}): update Sandpiper to open it.`,
    )
  }
  return version
}

/** Brings the file to the current schema and fills a new one, all of it or nothing. @throws Failure `newer_crawl_file` */
export function migrate(db: Database, file: string, fill: () => void = () => {}): void {
  const version = assertKnownVersion(db, file)
  if (version === SCHEMA_VERSION) return
  db.transaction(() => {
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration)
    fill()
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).immediate()
}
