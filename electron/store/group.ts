import type { Database } from './database.ts'

/**
 * The group commit: the transaction that finished pages and claims gather in. Opened by the first write, closed by
 * `commit`; each page has a savepoint of its own, so that one bad page cannot poison the group.
 */
export class Group {
  readonly #begin
  readonly #commit
  readonly #rollback
  readonly #savepoint
  readonly #release
  readonly #rollbackTo
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#commit = db.prepare('COMMIT')
    this.#rollback = db.prepare('ROLLBACK')
    this.#savepoint = db.prepare('SAVEPOINT page')
    this.#release = db.prepare('RELEASE page')
    this.#rollbackTo = db.prepare('ROLLBACK TO page')
  }

  open(): void {
    if (!this.#db.inTransaction) this.#begin.run()
  }

  /** Runs `write` whole or not at all, inside the group. */
  savepoint(write: () => void): void {
    this.open()
    this.#savepoint.run()
    try {
      write()
    } catch (error) {
      // SQLite itself ends the transaction when the disk is full or fails.
      if (this.#db.inTransaction) {
        this.#rollbackTo.run()
        this.#release.run()
      }
      throw error
    }
    this.#release.run()
  }

  commit(): void {
    if (this.#db.inTransaction) this.#commit.run()
  }

  rollback(): void {
    if (this.#db.inTransaction) this.#rollback.run()
  }
}
