import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import { Failure } from '../../shared/failure.ts'
import { crawlStatus } from './crawl-status.ts'

/** The folder of crawl files that the app shows. Files are named, never addressed by path. */
export class Library {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  path(id: string): string {
    return join(this.folder, id)
  }

  /** Latest first. */
  list(): CrawlListing[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.sandpiper') && !name.startsWith('.'))
      .map((name) => this.read(name))
      .sort((a, b) => b.changedAt - a.changedAt)
  }

  /** @throws Failure `file_missing` */
  read(id: string): CrawlListing {
    const path = this.path(id)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) throw missing(id)
    // A crawl that is running keeps its latest commits in the log beside the file.
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
    const file = { id, bytes: stat.size + (log?.size ?? 0), changedAt: Math.max(stat.mtimeMs, log?.mtimeMs ?? 0) }
    try {
      const { state, endReason, seeds, counts, resumable } = crawlStatus(path)
      return { ...file, state, endReason, seeds, counts, resumable, trouble: '' }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return {
        ...file,
        state: 'unreadable',
        endReason: null,
        seeds: [],
        counts: null,
        resumable: false,
        trouble: error.message,
      }
    }
  }

  /** Moves a crawl to the library's trash, from where it can be taken back by hand. @throws Failure `file_missing` */
  remove(id: string, now: number): void {
    if (statSync(this.path(id), { throwIfNoEntry: false }) === undefined) throw missing(id)
    const trash = join(this.folder, '.trash')
    mkdirSync(trash, { recursive: true, mode: 0o700 })
    renameSync(this.path(id), join(trash, `${now}-${id}`))
  }
}

const missing = (id: string): Failure =>
  new Failure('file_missing', `There is no crawl ${id} in the library: reload the list.`)
