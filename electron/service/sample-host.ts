import { type SampleSite, startSampleSite } from './sample-site.ts'

/** The sample site, served from the first time it is asked for until the app ends. */

/** The same every time, so that a crawl of it can be resumed when the app has been started anew. */
const PORT = 47_825
/** So that the crawl can be watched. */
const LATENCY_MS = 40

export class SampleHost {
  readonly #folder: string
  #site: Promise<SampleSite> | null = null

  /** @param folder of the site's files */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Its address. Rejects with the system's error if it cannot be served. */
  async start(): Promise<string> {
    this.#site ??= this.#serve()
    return (await this.#site).url
  }

  /** Is this an address of the sample site? */
  isHome(seed: string): boolean {
    return seed.startsWith(`http://127.0.0.1:${PORT}/`)
  }

  async close(): Promise<void> {
    const site = await this.#site?.catch(() => null)
    await site?.close()
  }

  /** On another port where something else has the usual one. */
  #serve(): Promise<SampleSite> {
    return startSampleSite(this.#folder, { latencyMs: LATENCY_MS, port: PORT }).catch(() =>
      startSampleSite(this.#folder, { latencyMs: LATENCY_MS }),
    )
  }
}
