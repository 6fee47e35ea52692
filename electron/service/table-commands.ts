import type { Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import type { Library } from './library.ts'

/** What tables and the details pane ask for. */
export class TableCommands {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  readonly handlers: Handlers<'table.counts' | 'table.read' | 'url.read' | 'url.links'> = {
    'table.counts': ({ id }) => this.#notYet(id),
    'table.read': ({ id }) => this.#notYet(id),
    'url.read': ({ id }) => this.#notYet(id),
    'url.links': ({ id }) => this.#notYet(id),
  }

  #notYet(id: string): never {
    throw new Failure('internal', `${this.#library.path(id)}: not built yet`)
  }
}
