import type { CommandOutput, Handlers } from '../../shared/contract.ts'
import type { UrlChange } from '../engine/frontier.ts'
import { UrlPattern } from '../engine/url-pattern.ts'
import { readAddresses } from '../store/url-rows.ts'
import type { CrawlService } from './crawl-service.ts'
import type { TableCommands } from './table-commands.ts'
import type { CrawlTables } from './tables/crawl-tables.ts'

/** What a user changes about URLs, in a crawl that runs or not. */

/** Changed in one commit; between two of them the event loop has a turn. */
const URLS_A_COMMIT = 500
const MAX_EXAMPLES = 5

export class UrlCommands {
  readonly #crawls: CrawlService
  readonly #tables: TableCommands

  constructor(crawls: CrawlService, tables: TableCommands) {
    this.#crawls = crawls
    this.#tables = tables
  }

  readonly handlers: Handlers<
    'url.retry' | 'url.moveToFront' | 'crawl.retryFailed' | 'exclude.preview' | 'exclude.add'
  > = {
    'url.retry': ({ id, urlIds }) => this.#change(id, urlIds, (ids) => ({ kind: 'retry', ids })),
    'url.moveToFront': ({ id, urlIds }) => this.#change(id, urlIds, (ids) => ({ kind: 'moveToFront', ids })),
    'crawl.retryFailed': async ({ id }) => {
      const failed = await this.#tables.use(id, (tables) => tables.inStates(['final_failed']))
      return this.#change(id, failed, (ids) => ({ kind: 'retry', ids }))
    },
    'exclude.preview': async ({ id, pattern }) => {
      const { ids, examples } = await this.#tables.use(id, (tables) => waitingThatMatch(tables, pattern))
      return { waiting: ids.length, examples }
    },
    'exclude.add': async ({ id, pattern }) => {
      const { ids } = await this.#tables.use(id, (tables) => waitingThatMatch(tables, pattern))
      await this.#crawls.edit(id, (crawl) => crawl.exclude(pattern))
      return this.#change(id, ids, (some) => ({ kind: 'skip', ids: some, reason: 'excluded', detail: pattern }))
    },
  }

  async #change(
    id: string,
    urlIds: ArrayLike<number>,
    changeOf: (ids: number[]) => UrlChange,
  ): Promise<CommandOutput<'url.retry'>> {
    const all = Array.from(urlIds)
    let changed = 0
    await this.#crawls.edit(id, async (crawl) => {
      for (let from = 0; from < all.length; from += URLS_A_COMMIT) {
        changed += crawl.change(changeOf(all.slice(from, from + URLS_A_COMMIT)))
        await new Promise(setImmediate)
      }
    })
    return { changed }
  }
}

async function waitingThatMatch(tables: CrawlTables, text: string): Promise<{ ids: number[]; examples: string[] }> {
  const pattern = new UrlPattern(text)
  // Most of what is in hand has not been sent yet.
  const waiting = await tables.inStates(['pending', 'processing', 'failed'])
  const pace = tables.newPace()
  const ids: number[] = []
  const examples: string[] = []
  for (let from = 0; from < waiting.length; ) {
    const some = waiting.subarray(from, from + pace.batch)
    for (const [id, url] of readAddresses(tables.db, some)) {
      if (!pattern.matches(url)) continue
      ids.push(id)
      if (examples.length < MAX_EXAMPLES) examples.push(url)
    }
    from += some.length
    await pace.rest()
  }
  return { ids, examples }
}
