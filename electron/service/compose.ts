import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { AppFacts, AppSettings } from '../../shared/app-settings.ts'
import { type CommandResult, failed, succeeded } from '../../shared/command-result.ts'
import type { CommandName, Handlers } from '../../shared/contract.ts'
import { AppCommands } from './app-commands.ts'
import type { HostFacts } from './crawl-run.ts'
import { CrawlService } from './crawl-service.ts'
import { DesktopCommands } from './desktop-commands.ts'
import { EventBatcher } from './event-batcher.ts'
import { ExportCommands } from './export-commands.ts'
import type { HostActions } from './host-actions.ts'
import { importCrawlFile } from './import-crawl-file.ts'
import { Library } from './library.ts'
import { LibraryCommands } from './library-commands.ts'
import { SetupCommands } from './setup-commands.ts'
import { SiteCommands } from './site-commands.ts'
import { TableCommands } from './table-commands.ts'
import { UrlCommands } from './url-commands.ts'

declare const __VERSION__: string

/** The application without a host, put together. */
export interface Application {
  /** Every command of the contract; hosts reach them through dispatch only. */
  handlers: Handlers<CommandName>
  crawls: CrawlService
  exports: ExportCommands
  tables: TableCommands
  settings(): AppSettings
  /** Lists a crawl file where it is. Returns its name here. @throws Failure when it cannot be read */
  openFile(path: string): string
  /** Lets go of every file, once no crawl runs any more; an export under way is cancelled and leaves nothing. */
  close: () => Promise<void>
  events: EventBatcher
  /** Takes a crawl file that was sent into the library. Never rejects. */
  importFile(name: string, source: Readable): Promise<CommandResult<{ id: string }>>
}

/**
 * @param folder the library's
 * @param actions null where the host is no desktop
 * @throws when the folder cannot be created
 */
export function compose(folder: string, host: HostFacts, actions: HostActions | null): Application {
  const facts: Omit<AppFacts, 'settings'> = {
    version: __VERSION__,
    host: actions === null ? 'browser' : 'desktop',
    platform: process.platform,
    folder,
  }
  const profile = dirname(folder)
  const library = new Library(folder, () => events.noteLibrary())
  const app = new AppCommands(facts, profile, () => {
    crawls.beginWaiting()
    events.noteLibrary()
  })
  const crawls = new CrawlService(
    library,
    host,
    () => app.settings.maxRunning,
    () => events.noteLibrary(),
  )
  const setup = new SetupCommands(host, profile)
  const tables = new TableCommands(library, host.sortWorker)
  const exports = new ExportCommands(library, tables, actions)
  const libraryCommands = new LibraryCommands({ library, crawls, tables, actions }, () => events.noteLibrary())
  const urls = new UrlCommands(crawls, tables)
  const sites = new SiteCommands(crawls, tables)
  const desktop = new DesktopCommands(actions)
  const events = new EventBatcher({ progress: () => crawls.progress(), exports: () => exports.progress() })
  const handlers = {
    ...app.handlers,
    ...libraryCommands.handlers,
    ...crawls.handlers,
    ...urls.handlers,
    ...sites.handlers,
    ...setup.handlers,
    ...tables.handlers,
    ...exports.handlers,
    ...desktop.handlers,
  }
  const importFile: Application['importFile'] = async (name, source) => {
    try {
      const id = await importCrawlFile(folder, name, source)
      events.noteLibrary()
      return succeeded({ id })
    } catch (error) {
      return failed(error)
    }
  }
  return {
    handlers,
    crawls,
    exports,
    tables,
    events,
    settings: () => app.settings,
    openFile: (path) => libraryCommands.open(path),
    importFile,
    close: async () => {
      tables.close()
      await Promise.all([exports.close(), crawls.close()])
    },
  }
}
