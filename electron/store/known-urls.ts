/**
 * What the store remembers of URLs it has lately seen, so that a link to a known URL costs no query. A cache in front of
 * the unique index, never the authority: a miss asks the database. Exact (it compares whole keys) and bounded: two
 * generations, the older one dropped when the younger is full.
 */
const GENERATION = 65_536

export interface KnownUrl {
  id: number
  isPage: boolean
  /** Fewest links from a seed as far as known; Infinity if only a sitemap names it. */
  depth: number
}

export class KnownUrls {
  #young = new Map<string, KnownUrl>()
  #old = new Map<string, KnownUrl>()

  get(key: string): KnownUrl | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, known: KnownUrl): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, known)
  }

  /** After a rolled back group: whatever it added may not exist. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
