import { nameByte, TAG_COUNT } from './tags.ts'

/** Browsers nest no deeper. */
const MAX_DEPTH = 512

/**
 * How deep the page is nested, counting the elements that must be closed by a tag of their own. An end tag closes all that
 * was opened since its start tag; one without start tag closes nothing. Names of no special meaning count as one name.
 */
export class Nesting {
  readonly #open = new Uint8Array(MAX_DEPTH)
  readonly #openByName = new Uint16Array(TAG_COUNT)
  #depth = 0
  /** Once an element did not fit; those are not counted. */
  isTooDeep = false

  enter(tag: number): void {
    if (this.#depth >= MAX_DEPTH) {
      this.isTooDeep = true
      return
    }
    const name = nameByte(tag)
    this.#open[this.#depth++] = name
    this.#openByName[name]!++
  }

  leave(tag: number): void {
    const name = nameByte(tag)
    if (this.#openByName[name] === 0) return
    let closed: number
    do {
      closed = this.#open[--this.#depth]!
      this.#openByName[closed]!--
    } while (closed !== name)
  }
}
