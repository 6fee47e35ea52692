import { Failure, type FailureKind } from './failure.ts'

/** What crosses a boundary: a value, or an error as data. Callers branch on `code`; nothing else of an error travels. */
export type CommandResult<T> = { ok: true; value: T } | { ok: false; error: CommandError }

export interface CommandError {
  /** `unreachable`: the host does not answer. */
  code: FailureKind | 'unknown_command' | 'unreachable'
  message: string
}

export const succeeded = <T>(value: T): CommandResult<T> => ({ ok: true, value })

/** What is no Failure is a fault of ours: its details stay on this side. */
export function failed(error: unknown): { ok: false; error: CommandError } {
  const known = error instanceof Failure ? error : new Failure('internal', 'Something went wrong in Sandpiper.')
  return { ok: false, error: { code: known.code, message: known.message } }
}
