/** Counts words: runs between white space, and each ideograph or hiragana for itself, as those scripts have no spaces. */

/** By UTF-16 code unit: bit 0, what follows is outside of a word; bit 1, a word in itself. */
const CLASS = new Uint8Array(65_536)
const SPACE = 1
const IDEOGRAPH = 3
const AMPERSAND = 4
CLASS.fill(SPACE, 0, 0x21)
for (const code of [0x7f, 0xa0, 0x1680, 0x200b, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]) CLASS[code] = SPACE
CLASS.fill(SPACE, 0x2000, 0x200b)
CLASS.fill(IDEOGRAPH, 0x3041, 0x30a0)
CLASS.fill(IDEOGRAPH, 0x3400, 0x4dc0)
CLASS.fill(IDEOGRAPH, 0x4e00, 0xa000)
CLASS.fill(IDEOGRAPH, 0xf900, 0xfb00)
CLASS[0x26] = AMPERSAND

/** References to white space; all others are part of a word. */
const SPACE_REFERENCE = /&(?:nbsp|ensp|emsp|thinsp|#(?:160|32|10|9|x0*a0|x0*20));?/iy

export class WordCount {
  words = 0
  #outside = 1

  /** Between blocks a word ends even without white space. */
  endWord(): void {
    this.#outside = 1
  }

  /** @param text markup in which `start` to `end` is text, its character references not decoded */
  add(text: string, start: number, end: number): void {
    let outside = this.#outside
    let words = 0
    for (let at = start; at < end; at++) {
      let kind = CLASS[text.charCodeAt(at)]!
      if (kind === AMPERSAND) {
        SPACE_REFERENCE.lastIndex = at
        kind = 0
        if (SPACE_REFERENCE.test(text)) {
          at = SPACE_REFERENCE.lastIndex - 1
          kind = SPACE
        }
      }
      // Without branches: a word begins where what is no space follows what is.
      words += (outside & (kind ^ 1)) + (kind >> 1)
      outside = kind & 1
    }
    this.#outside = outside
    this.words += words
  }
}
