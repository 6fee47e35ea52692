import type { FrontierState } from '../../shared/frontier-state.ts'

/** Keeps a crawl at its page limit exactly: pages in hand count until it is known what became of them. */
export class PageQuota {
  readonly #limit: number
  #fetched: number
  #inHand = 0
  /** Of this run. */
  finished = 0

  /** @param limit null for none @param fetched pages of earlier runs */
  constructor(limit: number | null, fetched: number) {
    this.#limit = limit ?? Number.MAX_SAFE_INTEGER
    this.#fetched = fetched
  }

  /** How many pages may still be claimed. */
  get left(): number {
    return this.#limit - this.#fetched - this.#inHand
  }

  claim(): void {
    this.#inHand++
  }

  /** Pages of this run or an earlier one that wait again. */
  giveBack(pages: number): void {
    this.#fetched -= pages
  }

  /** A claimed page has been committed. */
  settle(state: FrontierState): void {
    this.#inHand--
    if (state !== 'done' && state !== 'final_failed') return
    this.#fetched++
    this.finished++
  }
}
