import { Failure } from '../../shared/failure.ts'

const MAX_NAME_TRIES = 100

/** `<hostname>-<YYYYMMDD-HHMMSS>.sandpiper`, in local time; characters that some file systems refuse become `_`. */
export function defaultFileName(seed: string, now: Date): string {
  return `${new URL(seed).hostname.replace(/[^A-Za-z0-9.-]/g, '_')}-${timeStamp(now)}.sandpiper`
}

export function timeStamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${date}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
}

/** A crawl file's name, then with -2, -3 and so on for where that is taken. */
export function* numberedNames(name: string): Generator<string> {
  yield name
  for (let n = 2; n <= MAX_NAME_TRIES; n++) yield name.replace(/\.sandpiper$/, `-${n}.sandpiper`)
}

/** The first of the numbered names that is not taken. @throws Failure `file_exists` */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (const candidate of numberedNames(name)) if (!isTaken(candidate)) return candidate
  throw tooManyNamed(name)
}

export const tooManyNamed = (name: string): Failure =>
  new Failure('file_exists', `There are ${MAX_NAME_TRIES} crawls named like ${name}: rename or delete some of them.`)
