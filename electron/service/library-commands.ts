import type { Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { readCrawl } from '../store/crawl-store.ts'
import type { CrawlService } from './crawl-service.ts'
import { type HostActions, onDesktop } from './host-actions.ts'
import type { Library } from './library.ts'
import type { TableCommands } from './table-commands.ts'

/** What is done with crawls as files. */
export class LibraryCommands {
  readonly #library: Library
  readonly #crawls: CrawlService
  readonly #tables: TableCommands
  readonly #actions: HostActions | null
  readonly #onChange: () => void

  /** @param onChange called when a crawl appeared or went */
  constructor(
    parts: { library: Library; crawls: CrawlService; tables: TableCommands; actions: HostActions | null },
    onChange: () => void,
  ) {
    this.#library = parts.library
    this.#crawls = parts.crawls
    this.#tables = parts.tables
    this.#actions = parts.actions
    this.#onChange = onChange
  }

  readonly handlers: Handlers<
    'library.list' | 'library.open' | 'library.reveal' | 'crawl.read' | 'crawl.settings' | 'crawl.delete'
  > = {
    'library.list': async () => (await this.#library.list()).map((listing) => this.#crawls.asNow(listing)),
    'library.open': async () => {
      const path = await onDesktop(this.#actions).chooseCrawlFile()
      return path === null ? null : { id: this.open(path) }
    },
    'library.reveal': ({ id }) => {
      onDesktop(this.#actions).reveal(this.#library.path(id))
      return {}
    },
    'crawl.read': async ({ id }) => this.#crawls.asNow(await this.#library.readCounted(id)),
    'crawl.settings': ({ id }) => this.#tables.use(id, ({ db }) => readCrawl(db, id).settings),
    'crawl.delete': async ({ id }) => {
      await this.#delete(id)
      return {}
    },
  }

  /** Lists a crawl file where it is. Returns its name here. @throws Failure when it cannot be read */
  open(path: string): string {
    const id = this.#library.add(path)
    this.#onChange()
    return id
  }

  async #delete(id: string): Promise<void> {
    if (this.#crawls.runOf(id) !== null) throw new Failure('bad_input', `${id} is running: stop it first.`)
    this.#crawls.unqueue(id)
    this.#tables.forget(id)
    const { trash } = this.#actions ?? { trash: null }
    await this.#library.remove(id, trash)
    this.#onChange()
  }
}
