/** Collects the text of one element, white space collapsed, up to a limit: what lies beyond is not even copied. */
export class TextCapture {
  readonly #limit: number
  #text = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    if (this.#text.length < this.#limit * 2)
      this.#text += text.length > this.#limit * 2 ? text.slice(0, this.#limit * 2) : text
  }

  get isBlank(): boolean {
    return this.#text.trim() === ''
  }

  toString(): string {
    return collapse(this.#text, this.#limit)
  }
}

/** No white space at either end, single spaces inside: most text is. */
const IS_COLLAPSED = /^(?:[^\t\n\f\r ]+(?: [^\t\n\f\r ]+)*)?$/

/** HTML white space runs become one space; cut at `limit` characters, never inside a surrogate pair. */
export function collapse(text: string, limit: number): string {
  const whole = IS_COLLAPSED.test(text) ? text : text.replace(/[\t\n\f\r ]+/g, ' ').trim()
  return whole.length <= limit ? whole : whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
}
