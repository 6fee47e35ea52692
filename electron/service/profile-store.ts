import { join } from 'node:path'
import { type CrawlProfile, crawlProfile, MAX_PROFILES } from '../../shared/crawl-profile.ts'
import { Failure } from '../../shared/failure.ts'
import { JsonFile } from './json-file.ts'

/** Saved profiles, in one small file. What cannot be read is never overwritten: the file is set aside, and what is readable in it is kept. */
export class ProfileStore {
  readonly #file: JsonFile

  constructor(folder: string) {
    this.#file = new JsonFile(join(folder, 'profiles.json'), 'Profiles')
  }

  /** By name. @throws Failure `storage_failed`, once, if the file was damaged: it has been set aside then */
  list(): CrawlProfile[] {
    const content = this.#file.read()
    if (content === undefined) return []
    const { profiles, damaged } = parse(content)
    if (damaged) this.#setAside(profiles)
    return profiles.sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1))
  }

  /** Replaces one of the same name, upper case or lower. @throws Failure `bad_input` if there are too many, or as the disk says */
  save(profile: CrawlProfile): void {
    const others = this.list().filter((each) => keyOf(each.name) !== keyOf(profile.name))
    if (others.length >= MAX_PROFILES) {
      throw new Failure('bad_input', `There are ${MAX_PROFILES} profiles already: delete one to save another.`)
    }
    this.#file.write([...others, profile])
  }

  /** One that is not there is deleted already. @throws Failure as the disk says */
  delete(name: string): void {
    const profiles = this.list()
    const others = profiles.filter((each) => keyOf(each.name) !== keyOf(name))
    if (others.length < profiles.length) this.#file.write(others)
  }

  #setAside(readable: CrawlProfile[]): never {
    const aside = this.#file.setAside()
    if (readable.length > 0) this.#file.write(readable)
    throw new Failure(
      'storage_failed',
      `The file of your profiles was damaged: ${readable.length} could be read and kept, the file was set aside as ${aside}.`,
    )
  }
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** The profiles of a file, one of each name; `damaged` if there is anything else in it. */
function parse(entries: unknown): { profiles: CrawlProfile[]; damaged: boolean } {
  if (!Array.isArray(entries)) return { profiles: [], damaged: true }
  const byName = new Map<string, CrawlProfile>()
  for (const entry of entries.slice(0, MAX_PROFILES)) {
    const profile = crawlProfile.safeParse(entry)
    if (profile.success && !byName.has(keyOf(profile.data.name))) byName.set(keyOf(profile.data.name), profile.data)
  }
  return { profiles: [...byName.values()], damaged: byName.size < entries.length }
}
