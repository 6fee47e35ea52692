/** The one error family. Callers branch on `code`; `message` is one sentence for people that names the field and the fix. */
export const FAILURE_KINDS = [
  'bad_input',
  'file_missing',
  'file_exists',
  'not_a_crawl_file',
  'newer_crawl_file',
  'damaged_crawl_file',
  'crawl_file_busy',
  'folder_not_writable',
  'disk_full',
  'storage_failed',
  'seed_unreachable',
  'closing',
  'internal',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

export class Failure extends Error {
  readonly code: FailureKind

  constructor(code: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
  }
}
