import { decodeAttribute } from './entities.ts'

/** The attributes that anybody asks for. */
const NAMES = [
  'alt',
  'content',
  'href',
  'hreflang',
  'http-equiv',
  'lang',
  'name',
  'rel',
  'src',
  'srcdoc',
  'srcset',
  'xlink:href',
  'xml:lang',
] as const
export type AttributeName = (typeof NAMES)[number]

const SLOTS: ReadonlyMap<string, number> = new Map(NAMES.map((name, slot) => [name, slot]))
const NO_SLOT = -1

/**
 * The attributes of the tag that is being read, as positions in the markup: a value becomes a string only when somebody
 * asks. Of two with one name the first counts (HTML §13.2.5.33). Others cost no memory.
 */
export class Attributes {
  readonly #markup: string
  readonly #starts = new Int32Array(NAMES.length)
  readonly #ends = new Int32Array(NAMES.length)
  /** A bit for each slot that is taken. */
  #present = 0
  #slot = NO_SLOT

  constructor(markup: string) {
    this.#markup = markup
  }

  clear(): void {
    this.#present = 0
  }

  /** A name as the tokenizer found it. */
  addName(start: number, end: number): void {
    const written = this.#markup.slice(start, end)
    const slot = SLOTS.get(written) ?? SLOTS.get(written.length > 10 ? '' : written.toLowerCase()) ?? NO_SLOT
    const isNew = slot !== NO_SLOT && (this.#present & (1 << slot)) === 0
    this.#slot = isNew ? slot : NO_SLOT
    if (!isNew) return
    this.#present |= 1 << slot
    this.#starts[slot] = end
    this.#ends[slot] = end
  }

  /** The value of the name that came last. */
  addValue(start: number, end: number): void {
    if (this.#slot === NO_SLOT) return
    this.#starts[this.#slot] = start
    this.#ends[this.#slot] = end
  }

  /** Character references decoded; empty if it has no value; undefined if the tag has no such attribute. */
  get(name: AttributeName): string | undefined {
    const slot = SLOTS.get(name)!
    if ((this.#present & (1 << slot)) === 0) return undefined
    return decodeAttribute(this.#markup.slice(this.#starts[slot], this.#ends[slot]))
  }
}
