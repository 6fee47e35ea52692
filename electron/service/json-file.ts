import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Failure } from '../../shared/failure.ts'

/** A small JSON file of the app's own, replaced as a whole: a reader finds the old one or the new one, also when the power goes. */
export class JsonFile {
  readonly #path: string
  readonly #what: string

  /** @param what it holds, for people ("Settings") */
  constructor(path: string, what: string) {
    this.#path = path
    this.#what = what
  }

  /** What it holds; undefined if there is no file, null if it is no JSON. @throws Failure as the disk says */
  read(): unknown {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw this.#failure(error)
    }
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }

  /** @throws Failure as the disk says; the file is as it was then */
  write(value: unknown): void {
    const draft = `${this.#path}.tmp`
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      const file = openSync(draft, 'w', 0o600)
      try {
        writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(draft, this.#path)
    } catch (error) {
      discard(draft)
      throw this.#failure(error)
    }
  }

  /** Keeps a damaged file under another name, which it returns. @throws Failure as the disk says */
  setAside(): string {
    const aside = this.#path.replace(/\.json$/, `-damaged-${Date.now()}.json`)
    try {
      renameSync(this.#path, aside)
    } catch (error) {
      throw this.#failure(error)
    }
    return basename(aside)
  }

  #failure(cause: unknown): Failure {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause)
    if (code === 'ENOSPC') {
      const message = `${this.#what} cannot be saved, the disk is full: free some space and try again.`
      return new Failure('disk_full', message, { cause })
    }
    return new Failure('storage_failed', `${this.#path} cannot be used (${code}): check who may read and write it.`, {
      cause,
    })
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // What kept it from being written may keep it from being removed.
  }
}
