import type { HostFacts } from './crawl-run.ts'
import { CrawlService } from './crawl-service.ts'
import { EventBatcher } from './event-batcher.ts'
import { Library } from './library.ts'

/** The application without a host, put together. */
export interface Application {
  service: CrawlService
  events: EventBatcher
}

/** @param folder the library's @throws when it cannot be created */
export function compose(folder: string, host: HostFacts): Application {
  const events = new EventBatcher(() => service.progress())
  const service = new CrawlService(new Library(folder), host, () => events.noteLibrary())
  return { service, events }
}
