import type { CommandArgument, CommandOutput, ExportProgress, Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { ExportTickets } from './export-tickets.ts'
import type { HostActions } from './host-actions.ts'
import type { Library } from './library.ts'

/** Exports, from the ticket to the saved file. */
export class ExportCommands {
  readonly #library: Library
  readonly tickets = new ExportTickets()

  constructor(library: Library, _actions: HostActions | null) {
    this.#library = library
  }

  readonly handlers: Handlers<'export.prepare' | 'export.save' | 'export.cancel' | 'export.reveal'> = {
    'export.prepare': (input) => this.#prepare(input),
    'export.save': () => notYet(),
    'export.cancel': () => notYet(),
    'export.reveal': () => notYet(),
  }

  /** Exports under way and those that ended in the last minute, by ticket. */
  progress(): Record<string, ExportProgress> {
    return {}
  }

  #prepare({ id, source, format, preset }: CommandArgument<'export.prepare'>): CommandOutput<'export.prepare'> {
    const { state, trouble } = this.#library.read(id)
    if (state === 'unreadable') throw new Failure('damaged_crawl_file', trouble)
    if (!('view' in source)) notYet()
    const { view } = source
    const name = `${id.replace(/\.sandpiper$/, '')}-${view}.${format}`
    return { ticket: this.tickets.issue({ file: this.#library.path(id), view, format, preset, name }), name }
  }
}

function notYet(): never {
  throw new Failure('internal', 'not built yet')
}
