import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { type CrawlListing, crawlId } from '../../shared/crawl-listing.ts'
import { isLive, isResumable } from '../../shared/crawl-state.ts'
import { Failure } from '../../shared/failure.ts'
import { CrawlFile } from '../store/crawl-file.ts'
import { openForReading } from '../store/database.ts'
import { type CrawlHead, countStates, readHead } from '../store/listing.ts'
import { readOwner } from '../store/lock.ts'
import { freeName } from './file-name.ts'
import { JsonFile } from './json-file.ts'
import { Pace, waitAtMost } from './tables/pace.ts'

/**
 * The crawl files that the app shows: those of its folder, and those that were opened where they are. Files are named, never
 * addressed by path. What was read of a file is kept until the file changes.
 */

type Counts = CrawlListing['counts']

interface Known {
  /** Of the file when it was read. */
  stamp: string
  head: CrawlHead
  counts: Counts
}

/** For the rows of all files to be counted. */
const PATIENCE_MS = 100

/** Paths of files that were opened where they are, by name. */
const openedFiles = z.record(crawlId, z.string())

export class Library {
  readonly folder: string
  readonly #openedFile: JsonFile
  /** Paths of files outside the folder, by name. */
  #opened: Record<string, string>
  readonly #onCounted: () => void
  readonly #known = new Map<string, Known>()
  readonly #counting = new Map<string, Promise<void>>()

  /**
   * @param folder of the crawl files; what was opened elsewhere is noted beside it
   * @param onCounted called when the rows of a large file have been counted, some time after it was listed
   */
  constructor(folder: string, onCounted: () => void) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.folder = realpathSync(folder)
    this.#openedFile = new JsonFile(join(dirname(folder), 'opened.json'), 'The list of opened crawls')
    this.#opened = this.#readOpened()
    this.#onCounted = onCounted
  }

  path(id: string): string {
    return this.#opened[id] ?? join(this.folder, id)
  }

  /** Is there a file of this name? */
  has(id: string): boolean {
    return existsSync(this.path(id))
  }

  /** Latest first. Counts that take long are null, and told of later. */
  async list(): Promise<CrawlListing[]> {
    this.#opened = this.#readOpened()
    const ids = new Set([...this.#own(), ...Object.keys(this.#opened)])
    const heads = [...ids].filter((id) => this.has(id)).map((id) => this.read(id))
    await waitAtMost(Promise.all(this.#counting.values()), PATIENCE_MS)
    return heads
      .map((listing) => ({ ...listing, counts: this.#countsOf(listing) }))
      .sort((a, b) => b.changedAt - a.changedAt)
  }

  /** One of the list, counted. @throws Failure `file_missing` */
  async readCounted(id: string): Promise<CrawlListing> {
    const listing = this.read(id)
    await this.#counting.get(this.path(id))
    return { ...listing, counts: this.#countsOf(listing) }
  }

  /** One of the list, with the counts that are known. @throws Failure `file_missing` */
  read(id: string): CrawlListing {
    const path = this.path(id)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) throw missing(id)
    // A crawl that is running keeps its latest commits in the log beside the file.
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
    const bytes = stat.size + (log?.size ?? 0)
    try {
      const { head, counts } = this.#read(path, stampOf(stat, log))
      const { endReason, seeds, changedAt, hasMore } = head
      const state = stateOf(path, head)
      const resumable = isResumable(state, hasMore)
      return { id, bytes, state, endReason, seeds, counts, resumable, changedAt, trouble: '' }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return unreadable(id, bytes, stat.mtimeMs, error)
    }
  }

  /** Lists a crawl file where it is. Returns its name here. @throws Failure when it cannot be read */
  add(path: string): string {
    const real = realpathOf(path)
    const name = basename(real)
    if (dirname(real) === this.folder && crawlId.safeParse(name).success) return name
    this.#opened = this.#readOpened()
    const known = Object.entries(this.#opened).find(([, each]) => each === real)
    if (known !== undefined) return known[0]
    openForReading(real).close()
    const wished = crawlId.safeParse(name).success ? name : 'opened.sandpiper'
    const id = freeName(wished, (each) => each in this.#opened || this.has(each))
    this.#writeOpened({ ...this.#opened, [id]: real })
    return id
  }

  /**
   * Moves a crawl to the trash, whole.
   * @param trash the system's; without one the library has its own, from where a file can be taken back by hand
   * @throws Failure `file_missing`, `crawl_file_busy`
   */
  async remove(id: string, trash: ((path: string) => Promise<void>) | null): Promise<void> {
    const path = this.path(id)
    if (!existsSync(path)) throw missing(id)
    settle(path)
    if (trash === null) this.#moveToTrash(id, path)
    else await trash(path)
    const { [id]: gone, ...others } = this.#readOpened()
    if (gone !== undefined) this.#writeOpened(others)
    this.#known.delete(path)
  }

  #own(): string[] {
    return readdirSync(this.folder).filter((name) => crawlId.safeParse(name).success)
  }

  /** A list that cannot be read is as good as none: the files themselves are where they were. */
  #readOpened(): Record<string, string> {
    const opened = openedFiles.safeParse(this.#openedFile.read())
    return opened.success ? opened.data : {}
  }

  #writeOpened(opened: Record<string, string>): void {
    this.#openedFile.write(opened)
    this.#opened = opened
  }

  #read(path: string, stamp: string): Known {
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known
    const db = openForReading(path)
    let head: CrawlHead
    try {
      head = readHead(db, path)
    } finally {
      db.close()
    }
    const now = { stamp, head, counts: known?.counts ?? null }
    this.#known.set(path, now)
    if (!this.#counting.has(path)) {
      const counting = this.#count(path).finally(() => this.#counting.delete(path))
      this.#counting.set(path, counting)
    }
    return now
  }

  /** Whatever goes wrong is told when the file itself is used. */
  async #count(path: string): Promise<void> {
    const began = performance.now()
    try {
      for (let counted = ''; counted !== this.#known.get(path)?.stamp; ) {
        const known = this.#known.get(path)!
        counted = known.stamp
        known.counts = await countAll(path)
      }
    } catch {
      return
    }
    if (performance.now() - began > PATIENCE_MS) this.#onCounted()
  }

  #countsOf({ id }: CrawlListing): Counts {
    return this.#known.get(this.path(id))?.counts ?? null
  }

  #moveToTrash(id: string, path: string): void {
    const trash = join(this.folder, '.trash')
    mkdirSync(trash, { recursive: true, mode: 0o700 })
    const target = join(trash, `${Date.now()}-${id}`)
    try {
      renameSync(path, target)
      for (const suffix of ['-wal', '-shm']) {
        if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${target}${suffix}`)
      }
    } catch (cause) {
      throw new Failure('storage_failed', `${path} cannot be moved to the trash: delete it in its folder.`, { cause })
    }
  }
}

async function countAll(path: string): Promise<Counts> {
  const db = openForReading(path)
  try {
    const pace = new Pace(() => {})
    return await countStates(db, () => pace.next())
  } finally {
    db.close()
  }
}

const stampOf = (file: Stats, log: Stats | undefined): string =>
  `${file.mtimeMs} ${file.size} ${log?.mtimeMs ?? ''} ${log?.size ?? ''}`

function stateOf(path: string, { state }: CrawlHead): CrawlListing['state'] {
  if (!isLive(state)) return state
  return readOwner(path) === null ? 'interrupted' : 'elsewhere'
}

function unreadable(id: string, bytes: number, changedAt: number, { message }: Failure): CrawlListing {
  const nothing = { endReason: null, seeds: [], counts: null, resumable: false }
  return { id, state: 'unreadable', bytes, changedAt, trouble: message, ...nothing }
}

/** Brings what a kill left in the log into the file, so that the file alone is the crawl. @throws Failure `crawl_file_busy` */
function settle(path: string): void {
  try {
    CrawlFile.open(path, Date.now).close()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'crawl_file_busy') throw error
    // What cannot be read goes as it is.
  }
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw new Failure('file_missing', `There is no file at ${path}: check the path.`, { cause })
  }
}

const missing = (id: string): Failure =>
  new Failure('file_missing', `There is no crawl ${id} in the library: reload the list.`)
