import { join } from 'node:path'
import type { Claim } from '../../electron/engine/frontier.ts'
import type { Answer } from '../../electron/engine/page-sink.ts'
import type { CrawlListing } from '../../shared/crawl-listing.ts'

/**
 * The loopback host with a crawl that is made up behind the engine's ports: pages are claimed, recorded and committed to a
 * real crawl file at a given rate, and nothing is fetched. For tests of the window under load.
 *
 *   node e2e/app/busy-host.ts LIBRARY PAGES_PER_SECOND
 */

// The build gives the program its version; here it runs from its sources.
Object.assign(globalThis, { __VERSION__: 'test', __PLANT__: '' })
const { HttpHost } = await import('../../electron/node/http-host.ts')
const { compose } = await import('../../electron/service/compose.ts')
const { hostFacts } = await import('../../electron/service/crawl-run.ts')
const { StaticAssets } = await import('../../electron/service/static-assets.ts')
const { CrawlFile } = await import('../../electron/store/crawl-file.ts')
const { crawlSettings } = await import('../../shared/crawl-settings.ts')

const [folder = '', rate = '1500'] = process.argv.slice(2)
const TURN_MS = 33
const PER_TURN = Math.round((Number(rate) * TURN_MS) / 1_000)
const LINKS = 4
const OUT = join(import.meta.dirname, '../../out')
const ID = 'busy.sandpiper'

const facts = hostFacts(join(OUT, 'main'))
const application = compose(folder, facts, null)
const origin = 'http://busy.test'
const file = CrawlFile.create(join(folder, ID), crawlSettings.parse({ seeds: [`${origin}/0`] }), Date.now, 'test')
const { frontier, sink } = file.begin(() => ({ admitted: true, origin }))
const startedAt = performance.now()
let known = 0
let pagesFinished = 0

function add(): void {
  const url = `${origin}/section-${known % 97}/page-${known++}.html`
  frontier.add({ url, key: url, isPage: true, depth: 1, found: 'link' })
}

function answer(claim: Claim): Answer {
  return {
    status: claim.id % 50 === 0 ? 404 : 200,
    contentType: 'text/html; charset=utf-8',
    headers: '',
    wireBytes: 4_000,
    responseMs: 20 + (claim.id % 100),
    bytes: 16_000,
    hash: '',
    redirectTo: '',
    page: null,
  }
}

/** One group commit, as the engine makes them. */
function turn(): void {
  for (let n = 0; n < PER_TURN * LINKS; n++) add()
  sink.commit()
  const at = Date.now()
  for (const claim of frontier.claim(1, PER_TURN, 'all')) {
    sink.record({ claim, outcome: { state: 'done', answer: answer(claim) }, startedAt: at, endedAt: at })
    pagesFinished++
  }
  sink.commit()
}

const progress = (): ReturnType<typeof application.crawls.progress> => ({
  [ID]: {
    counts: { ...frontier.tally },
    inFlight: 64,
    requests: pagesFinished,
    wireBytes: pagesFinished * 4_000,
    pagesFinished,
    state: 'running',
    elapsedMs: performance.now() - startedAt,
  },
})
application.crawls.progress = progress
const list = application.handlers['library.list']
application.handlers['library.list'] = async (input) =>
  (await list(input)).map((each): CrawlListing => (each.id === ID ? { ...each, state: 'running' } : each))

turn()
const timer = setInterval(turn, TURN_MS)
const host = await HttpHost.listen({ application, assets: new StaticAssets(join(OUT, 'renderer')) }, 0)
console.log(host.url)
process.stdin.resume()
process.stdin.on('end', () => {
  clearInterval(timer)
  process.exit(0)
})
