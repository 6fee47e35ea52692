import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type CrawlProfile, crawlProfile, MAX_PROFILES } from '../../shared/crawl-profile.ts'
import { Failure } from '../../shared/failure.ts'

/**
 * Saved profiles, in one small JSON file that is replaced as a whole. What cannot be read is never overwritten: the file is
 * set aside, and what is readable in it is kept.
 */

const FILE = 'profiles.json'

export class ProfileStore {
  readonly #path: string
  /** One change at a time: each reads what the one before it wrote. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#path = join(folder, FILE)
  }

  /** By name. @throws Failure `storage_failed`, once, if the file was damaged: it has been set aside then */
  list(): Promise<CrawlProfile[]> {
    return this.#inTurn(() => this.#read())
  }

  /** Replaces one of the same name, upper case or lower. @throws Failure `bad_input` if there are too many, or as the disk says */
  save(profile: CrawlProfile): Promise<void> {
    return this.#inTurn(async () => {
      const others = (await this.#read()).filter((each) => keyOf(each.name) !== keyOf(profile.name))
      if (others.length >= MAX_PROFILES) {
        throw new Failure('bad_input', `There are ${MAX_PROFILES} profiles already: delete one to save another.`)
      }
      await this.#write([...others, profile])
    })
  }

  /** One that is not there is deleted already. @throws Failure as the disk says */
  delete(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const profiles = await this.#read()
      const others = profiles.filter((each) => keyOf(each.name) !== keyOf(name))
      if (others.length < profiles.length) await this.#write(others)
    })
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task)
    this.#queue = result.catch(() => {})
    return result
  }

  async #read(): Promise<CrawlProfile[]> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return null
      throw diskFailure(this.#path, error)
    })
    if (text === null) return []
    const { profiles, damaged } = parse(text)
    if (damaged) await this.#setAside(profiles)
    return profiles.sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1))
  }

  async #setAside(readable: CrawlProfile[]): Promise<never> {
    const aside = this.#path.replace(/\.json$/, `-damaged-${Date.now()}.json`)
    await rename(this.#path, aside).catch((error) => {
      throw diskFailure(this.#path, error)
    })
    if (readable.length > 0) await this.#write(readable)
    throw new Failure(
      'storage_failed',
      `The file of your profiles was damaged: ${readable.length} could be read and kept, the file was set aside as ${basename(aside)}.`,
    )
  }

  /** All or nothing, also when the power goes. */
  async #write(profiles: readonly CrawlProfile[]): Promise<void> {
    const draft = `${this.#path}.tmp`
    try {
      const file = await open(draft, 'w', 0o600)
      try {
        await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, this.#path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw diskFailure(this.#path, error)
    }
  }
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** The profiles of a file, one of each name; `damaged` if there is anything else in it. */
function parse(text: string): { profiles: CrawlProfile[]; damaged: boolean } {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    return { profiles: [], damaged: true }
  }
  if (!Array.isArray(entries)) return { profiles: [], damaged: true }
  const byName = new Map<string, CrawlProfile>()
  for (const entry of entries.slice(0, MAX_PROFILES)) {
    const profile = crawlProfile.safeParse(entry)
    if (profile.success && !byName.has(keyOf(profile.data.name))) byName.set(keyOf(profile.data.name), profile.data)
  }
  return { profiles: [...byName.values()], damaged: byName.size < entries.length }
}

function diskFailure(path: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ENOSPC') {
    return new Failure('disk_full', 'Profiles cannot be saved, the disk is full: free some space and try again.', {
      cause,
    })
  }
  return new Failure('storage_failed', `${path} cannot be used (${code}): check who may read and write it.`, { cause })
}
