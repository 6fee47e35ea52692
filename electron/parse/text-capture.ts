/** Collects the text of one element: HTML white space collapsed, at most `limit` characters; more is not even copied. */
export class TextCapture {
  readonly #limit: number
  #text = ''
  /** White space was seen since the last character. */
  #gap = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What is added from now on is ignored. */
  get isFull(): boolean {
    return this.#text.length >= this.#limit
  }

  add(text: string): void {
    for (let at = 0; at < text.length && !this.isFull; ) {
      const start = at
      while (at < text.length && !isSpace(text.charCodeAt(at))) at++
      if (at > start) this.#addWord(text.slice(start, Math.min(at, start + this.#limit)))
      const end = at
      while (at < text.length && isSpace(text.charCodeAt(at))) at++
      if (at > end) this.#gap = true
    }
  }

  /** The boundary of a block separates words as a space does. */
  addGap(): void {
    this.#gap = true
  }

  #addWord(word: string): void {
    this.#text += this.#gap && this.#text !== '' ? ` ${word}` : word
    this.#gap = false
  }

  /** Never ends inside a surrogate pair. */
  toString(): string {
    const cut = this.#text.length > this.#limit ? this.#text.slice(0, this.#limit) : this.#text
    return cut.length === this.#limit ? cut.replace(/[\ud800-\udbff]$/, '').trimEnd() : cut
  }
}

/** `text` as a TextCapture of it would give it. */
export function collapse(text: string, limit: number): string {
  const capture = new TextCapture(limit)
  capture.add(text)
  return capture.toString()
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 12
