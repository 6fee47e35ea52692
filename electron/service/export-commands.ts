import type { Writable } from 'node:stream'
import { TABLE_COLUMNS } from '../../shared/columns.ts'
import type { CommandArgument, CommandOutput, ExportProgress, ExportSource, Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { readListed } from '../store/url-rows.ts'
import { exportRows, type RowExport, viewRows } from './export/export-file.ts'
import { ExportTickets, type TicketedExport } from './export-tickets.ts'
import { type HostActions, onDesktop } from './host-actions.ts'
import type { Library } from './library.ts'
import type { TableCommands } from './table-commands.ts'

/** Exports, from the ticket to the saved file. Each is known by its ticket, also when the ticket has been used. */

/** One that has ended is told of for so long. */
const REMEMBERED_MS = 60_000

interface Running {
  progress: ExportProgress
  controller: AbortController
  ended: Promise<void>
}

/** An export whose ticket was taken; it is written once. */
export interface Download {
  name: string
  format: 'csv' | 'jsonl'
  /** Rejects when the output is not whole. */
  write(output: Writable): Promise<void>
  cancel(): void
}

export class ExportCommands {
  readonly #library: Library
  readonly #tables: TableCommands
  readonly #actions: HostActions | null
  readonly #tickets = new ExportTickets()
  readonly #running = new Map<string, Running>()
  /** Where exports were saved, for as long as the app runs: they may be shown late. */
  readonly #saved = new Map<string, string>()

  constructor(library: Library, tables: TableCommands, actions: HostActions | null) {
    this.#library = library
    this.#tables = tables
    this.#actions = actions
  }

  readonly handlers: Handlers<'export.prepare' | 'export.save' | 'export.cancel' | 'export.reveal'> = {
    'export.prepare': (input) => this.#prepare(input),
    'export.save': ({ ticket }) => this.#save(ticket),
    'export.cancel': ({ ticket }) => {
      this.#tickets.redeem(ticket)
      this.#running.get(ticket)?.controller.abort()
      return {}
    },
    'export.reveal': ({ ticket }) => {
      const path = this.#saved.get(ticket)
      if (path === undefined) throw new Failure('bad_input', 'This export was not saved here: export again.')
      onDesktop(this.#actions).reveal(path)
      return {}
    },
  }

  /** Exports under way and those that ended in the last minute, by ticket. */
  progress(): Record<string, ExportProgress> {
    return Object.fromEntries([...this.#running].map(([ticket, { progress }]) => [ticket, { ...progress }]))
  }

  /** For a carrier that sends the rows itself. Null for a ticket that was never issued, was used, or has expired. */
  take(ticket: string): Download | null {
    const request = this.#tickets.redeem(ticket)
    if (request === null) return null
    const { name, format } = request
    const controller = new AbortController()
    return {
      name,
      format,
      write: (output) => this.#run(ticket, request, output, controller),
      cancel: () => controller.abort(),
    }
  }

  /** Cancels what is under way; resolves when nothing is left of it. */
  async close(): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  #prepare(input: CommandArgument<'export.prepare'>): CommandOutput<'export.prepare'> {
    const { id, source, format } = input
    const { state, trouble } = this.#library.read(id)
    if (state === 'unreadable') throw new Failure('damaged_crawl_file', trouble)
    const name = `${id.replace(/\.sandpiper$/, '')}-${wordFor(source)}.${format}`
    return { ticket: this.#tickets.issue({ ...input, name }), name }
  }

  async #save(ticket: string): Promise<CommandOutput<'export.save'>> {
    const actions = onDesktop(this.#actions)
    const request = this.#tickets.redeem(ticket)
    if (request === null) throw new Failure('bad_input', 'This export has been waiting for too long: export again.')
    const path = await actions.chooseExportPath(request.name)
    if (path === null) return { saving: false }
    if (path.endsWith('.sandpiper')) {
      throw new Failure('bad_input', `${path} would replace a crawl file: choose another name.`)
    }
    // What goes wrong from here on is told by its progress.
    this.#run(ticket, request, path, new AbortController()).catch(() => {})
    return { saving: true }
  }

  async #run(
    ticket: string,
    request: TicketedExport,
    output: string | Writable,
    controller: AbortController,
  ): Promise<void> {
    const path = typeof output === 'string' ? output : ''
    const progress: ExportProgress = {
      name: request.name,
      rows: 0,
      bytes: 0,
      state: 'writing',
      place: path,
      trouble: '',
    }
    const written = this.#write(request, output, progress, controller.signal)
    const ended = written.then(
      () => this.#end(ticket, path, progress),
      () => this.#end(ticket, path, progress),
    )
    this.#running.set(ticket, { progress, controller, ended })
    await written
  }

  #end(ticket: string, path: string, progress: ExportProgress): void {
    if (path !== '' && progress.state === 'done') this.#saved.set(ticket, path)
    setTimeout(() => this.#running.delete(ticket), REMEMBERED_MS).unref()
  }

  async #write(
    request: TicketedExport,
    output: string | Writable,
    progress: ExportProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, format, preset } = request
    try {
      const rows = await this.#rows(id, request.source)
      const file = this.#library.path(id)
      const written = await exportRows({ ...rows, file, format, preset, output }, signal, (sofar) => {
        Object.assign(progress, sofar)
      })
      if (typeof output !== 'string' && output.destroyed) throw new Failure('bad_input', 'The reader has gone.')
      Object.assign(progress, written, { state: 'done' })
    } catch (error) {
      const isCancelled = signal.aborted || (typeof output !== 'string' && output.destroyed)
      progress.state = isCancelled ? 'cancelled' : 'failed'
      if (!isCancelled) progress.trouble = describe(error)
      throw error
    }
  }

  async #rows(id: string, source: ExportSource): Promise<Pick<RowExport, 'columns' | 'rows'>> {
    if ('view' in source) return viewRows(source.view)
    const ids = await this.#tables.use(id, (tables) => tables.ids(source.query))
    return { columns: TABLE_COLUMNS, rows: (db) => readListed(db, ids) }
  }
}

function wordFor(source: ExportSource): string {
  if ('view' in source) return source.view
  const { view } = source.query.filter
  return view === 'all' ? 'urls' : view
}

const describe = (error: unknown): string =>
  error instanceof Failure ? error.message : `The export could not be written: ${String(error)}`
