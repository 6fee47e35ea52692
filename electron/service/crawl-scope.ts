import type { CrawlSettings } from '../../shared/crawl-settings.ts'
import { canonicalUrl } from '../engine/canonical-url.ts'
import type { Admit } from '../engine/frontier.ts'
import { Scope } from '../engine/scope.ts'

/** A crawl's settings turned into the decisions that the engine asks for. */
export class CrawlScope {
  readonly #scope: Scope
  readonly #maxDepth: number | null
  readonly #headers: Readonly<Record<string, string>>
  readonly #seedHostnames: ReadonlySet<string>

  /** @param settings with canonical seeds */
  constructor(settings: CrawlSettings) {
    this.#scope = new Scope(settings)
    this.#maxDepth = settings.limits.maxDepth
    this.#headers = Object.fromEntries(settings.requests.headers.map(({ name, value }) => [name.toLowerCase(), value]))
    this.#seedHostnames = new Set(settings.seeds.map((seed) => new URL(seed).hostname))
  }

  /** A resource belongs to the page that shows it, so the depth limit allows it one link more. */
  readonly admit: Admit = ({ url, depth, isPage }) => {
    const canonical = canonicalUrl(url)
    if (canonical === null) return { admitted: false, reason: 'unsupported_scheme', detail: '' }
    const verdict = this.#scope.decide(canonical)
    if (!verdict.in) return { admitted: false, reason: verdict.reason, detail: '' }
    const tooDeep = this.#maxDepth !== null && (depth ?? Number.POSITIVE_INFINITY) > this.#maxDepth + (isPage ? 0 : 1)
    if (tooDeep) return { admitted: false, reason: 'max_depth', detail: '' }
    return { admitted: true, origin: new URL(url).origin }
  }

  /** A seed's redirect from http to https or to or from www is followed as if that had been the seed. */
  readonly follow = (target: string): void => {
    const { hostname, port } = new URL(target)
    const isVariant =
      this.#seedHostnames.has(hostname.replace(/^www\./, '')) || this.#seedHostnames.has(`www.${hostname}`)
    if (isVariant && port === '') this.#scope.addHost({ hostname, port })
  }

  /** Leaves out what a pattern matches, from now on. */
  exclude(pattern: string): void {
    this.#scope.exclude(pattern)
  }

  readonly isSeedHost = (hostname: string): boolean => this.#scope.isSeedHost(hostname)

  readonly isSeedOrigin = (origin: string): boolean => this.#scope.isSeedSite(new URL(origin))

  /** The user's own headers go to the hosts of the seeds and nowhere else. */
  readonly headersFor = (url: URL): Record<string, string> => (this.#scope.isSeedSite(url) ? { ...this.#headers } : {})
}
