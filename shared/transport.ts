import type { CommandResult } from './command-result.ts'
import type { EventBatch, WindowCommand } from './contract.ts'

/** A carrier of commands and events: the renderer knows this much of its host and no more. */
export interface Transport {
  invoke(name: string, input: unknown): Promise<CommandResult<unknown>>
  /** Calls `listener` with each batch until the returned function is called. A gap in the numbers means: ask for a snapshot. */
  subscribe(listener: (batch: EventBatch) => void): () => void
  /** What the application menu asks for; a browser has no such menu. */
  onWindowCommand(listener: (command: WindowCommand) => void): () => void
}
