import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crawlId } from '../../shared/crawl-listing.ts'
import { Failure } from '../../shared/failure.ts'
import { openForReading } from '../store/database.ts'
import { numberedNames, tooManyNamed } from './file-name.ts'

/**
 * Takes a crawl file that a browser sends into the library's folder: it appears there whole and readable, under a name that
 * was free, or not at all.
 */

/**
 * @param name what the user's file is called; only its last part counts
 * @returns the name it got
 * @throws Failure `not_a_crawl_file`, `newer_crawl_file`, `damaged_crawl_file`, `disk_full`, `storage_failed`, `file_exists`
 */
export async function importCrawlFile(folder: string, name: string, source: Readable): Promise<string> {
  const incoming = join(folder, `.incoming-${randomUUID()}`)
  try {
    await pipeline(source, createWriteStream(incoming, { flags: 'wx', mode: 0o600 })).catch((cause: unknown) => {
      throw storageFailure(cause)
    })
    assertReadable(incoming, name)
    return await settle(folder, incoming, safeName(name))
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(`${incoming}${suffix}`, { force: true })
  }
}

/** People know the file by the name it has with them. */
function assertReadable(incoming: string, name: string): void {
  try {
    openForReading(incoming).close()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, error.message.replaceAll(incoming, name), { cause: error })
  }
}

/** A link never replaces what is there. */
async function settle(folder: string, incoming: string, name: string): Promise<string> {
  for (const candidate of numberedNames(name)) {
    try {
      await link(incoming, join(folder, candidate))
      return candidate
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storageFailure(error)
    }
  }
  throw tooManyNamed(name)
}

function safeName(name: string): string {
  const last = basename(name.replaceAll('\\', '/')).slice(0, 200)
  return crawlId.safeParse(last).success ? last : 'imported.sandpiper'
}

function storageFailure(cause: unknown): Failure {
  return (cause as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new Failure('disk_full', 'The disk is full: make room and open the file again.', { cause })
    : new Failure('storage_failed', 'The file did not arrive whole: open it again.', { cause })
}
