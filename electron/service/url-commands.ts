import type { CommandOutput, Handlers } from '../../shared/contract.ts'
import type { UrlChange } from '../engine/frontier.ts'
import { UrlPattern } from '../engine/url-pattern.ts'
import { readAddresses } from '../store/url-rows.ts'
import type { CrawlService, EditableCrawl } from './crawl-service.ts'
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
      return this.#crawls.edit(id, (crawl) => {
        crawl.exclude(pattern)
        return change(crawl, ids, (some) => ({ kind: 'skip', ids: some, reason: 'excluded', detail: pattern }))
      })
    },
  }

  #change(id: string, urlIds: ArrayLike<number>, changeOf: ChangeOf): Promise<CommandOutput<'url.retry'>> {
    return this.#crawls.edit(id, (crawl) => change(crawl, Array.from(urlIds), changeOf))
  }
}

type ChangeOf = (ids: number[]) => UrlChange

/** Commits at least once, also where no URL is to be changed: what was changed of the crawl besides is durable then. */
async function change(
  crawl: EditableCrawl,
  urlIds: readonly number[],
  changeOf: ChangeOf,
): Promise<CommandOutput<'url.retry'>> {
  let [changed, from] = [0, 0]
  do {
    changed += crawl.change(changeOf(urlIds.slice(from, from + URLS_A_COMMIT)))
    await new Promise(setImmediate)
    from += URLS_A_COMMIT
  } while (from < urlIds.length)
  return { changed }
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
