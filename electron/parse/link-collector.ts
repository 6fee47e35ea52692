import { LINK_FLAG, type LinkKind, linkKindNumber } from '../../shared/link-kind.ts'
import type { LinkColumns } from '../../shared/parse-job.ts'
import type { LinkResolver } from './resolve-link.ts'
import { collapse } from './text-capture.ts'

/** The links of a page as they are found: raw addresses, resolved only when the page's base is known. */

/** Real reference manuals have pages with more than 20,000. */
const MAX_LINKS = 50_000
export const MAX_LINK_TEXT = 200

export class LinkCollector {
  readonly #addresses: string[] = []
  readonly #kinds: number[] = []
  readonly #flags: number[] = []
  readonly #texts: string[] = []
  truncated = false

  /** The position of the new link; -1 when the page has too many. */
  add(kind: LinkKind, address: string, rel: string, text: string): number {
    if (this.#addresses.length >= MAX_LINKS) {
      this.truncated = true
      return -1
    }
    this.#kinds.push(linkKindNumber[kind])
    this.#flags.push(rel === '' ? 0 : flagsOf(rel))
    this.#texts.push(text)
    return this.#addresses.push(address) - 1
  }

  setText(position: number, text: string): void {
    if (position >= 0) this.#texts[position] = text
  }

  /** Leaves out what is no web address; one that cannot be resolved stays, with its raw form as text. */
  resolve(resolver: LinkResolver): LinkColumns {
    const urls: string[] = []
    const texts: string[] = []
    const kinds: number[] = []
    const flags: number[] = []
    for (let n = 0; n < this.#addresses.length; n++) {
      const address = this.#addresses[n]!
      const resolved = resolver.resolve(address)
      if (resolved.kind === 'other_scheme') continue
      urls.push(resolved.kind === 'url' ? resolved.url : '')
      texts.push(resolved.kind === 'url' ? this.#texts[n]! : collapse(address, MAX_LINK_TEXT))
      kinds.push(this.#kinds[n]!)
      flags.push(this.#flags[n]!)
    }
    return { urls, kinds: new Uint8Array(kinds), flags: new Uint8Array(flags), texts }
  }
}

const MAX_TOKENS = 50

function flagsOf(rel: string): number {
  let flags = 0
  for (const token of tokensOf(rel)) {
    if (token === 'nofollow') flags |= LINK_FLAG.nofollow
    else if (token === 'ugc') flags |= LINK_FLAG.ugc
    else if (token === 'sponsored') flags |= LINK_FLAG.sponsored
  }
  return flags
}

/** The first fifty of a set of space-separated tokens (HTML §2.3.7), lower case. */
export const tokensOf = (value: string): string[] => value.toLowerCase().split(/[\t\n\f\r ]+/, MAX_TOKENS)
