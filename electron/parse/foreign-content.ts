import { BREAKOUT, FOREIGN_ROOT, INTEGRATION } from './tags.ts'

/** Drawings nest far less; what lies beyond counts for nothing, so that no end tag is searched for in vain for long. */
const MAX_OPEN = 32

/** Whether the scanner is in svg or math, where other rules hold (HTML §13.2.6.5). */
export class ForeignContent {
  /** Open svg and math elements and, between them, those whose content is HTML again. */
  readonly #open: { name: string; isForeign: boolean }[] = []

  /** At the top: in svg or math, and not in HTML inside it. */
  get isHere(): boolean {
    return this.#open.length > 0 && this.#open.at(-1)!.isForeign
  }

  /** Anywhere around. */
  get isAround(): boolean {
    return this.#open.length > 0
  }

  enter(tag: number, name: string): void {
    if (this.#open.length >= MAX_OPEN) return
    if ((tag & FOREIGN_ROOT) !== 0) this.#open.push({ name, isForeign: true })
    else if ((tag & INTEGRATION) !== 0 && this.isHere) this.#open.push({ name, isForeign: false })
  }

  /** A start tag that svg and math cannot contain ends them. */
  breakOut(tag: number): void {
    if ((tag & BREAKOUT) !== 0) while (this.isHere) this.#open.pop()
  }

  leave(tag: number, name: string): void {
    if ((tag & (FOREIGN_ROOT | INTEGRATION)) === 0) return
    const position = this.#open.findLastIndex((each) => each.name === name)
    if (position >= 0) this.#open.length = position
  }
}
