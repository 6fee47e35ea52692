/**
 * Finds all of many words in one pass over a text, whatever the words are: the automaton of Aho and Corasick. A site that
 * writes 40,000 rules for its robots.txt must not make every URL cost 40,000 searches.
 */

const ROOT = 0

export class WordFinder {
  /** Each word's number: the node of the tree of words where it ends. */
  readonly numberOf: ReadonlyMap<string, number>
  /** Numbers are below this. */
  readonly size: number
  readonly #firstChild: Int32Array
  readonly #sibling: Int32Array
  readonly #letter: Uint16Array
  readonly #depth: Int32Array
  /** The node of the longest proper suffix that starts a word. */
  readonly #fallback: Int32Array
  /** The longest proper suffix that is a word. */
  readonly #shorterWord: Int32Array
  readonly #isWord: Uint8Array

  /** @param words none of them empty */
  constructor(words: ReadonlySet<string>) {
    let capacity = 1
    for (const word of words) capacity += word.length
    this.#firstChild = new Int32Array(capacity)
    this.#sibling = new Int32Array(capacity)
    this.#letter = new Uint16Array(capacity)
    this.#depth = new Int32Array(capacity)
    this.#fallback = new Int32Array(capacity)
    this.#shorterWord = new Int32Array(capacity)
    this.#isWord = new Uint8Array(capacity)
    const numberOf = new Map<string, number>()
    let nodes = 1
    for (const word of words) {
      let node = ROOT
      for (let at = 0; at < word.length; at++) {
        const letter = word.charCodeAt(at)
        const child = this.#child(node, letter)
        node = child === ROOT ? this.#grow(nodes++, node, letter) : child
      }
      this.#isWord[node] = 1
      numberOf.set(word, node)
    }
    this.numberOf = numberOf
    this.size = nodes
    this.#linkSuffixes()
  }

  /**
   * Calls `found` for the occurrences, ordered by their end; `start` and `end` as in slice().
   * @param wanted by number: 1 for the words to report; may change while the scan runs
   */
  scan(text: string, wanted: Uint8Array, found: (word: number, start: number, end: number) => void): void {
    let node = ROOT
    for (let at = 0; at < text.length; at++) {
      node = this.#advance(node, text.charCodeAt(at))
      let word = this.#isWord[node] === 1 ? node : this.#shorterWord[node]!
      for (; word !== ROOT; word = this.#shorterWord[word]!) {
        if (wanted[word] === 1) found(word, at + 1 - this.#depth[word]!, at + 1)
      }
    }
  }

  #grow(node: number, parent: number, letter: number): number {
    this.#letter[node] = letter
    this.#depth[node] = this.#depth[parent]! + 1
    this.#sibling[node] = this.#firstChild[parent]!
    this.#firstChild[parent] = node
    return node
  }

  #child(node: number, letter: number): number {
    let child = this.#firstChild[node]!
    while (child !== ROOT && this.#letter[child] !== letter) child = this.#sibling[child]!
    return child
  }

  #advance(node: number, letter: number): number {
    for (let from = node; ; from = this.#fallback[from]!) {
      const child = this.#child(from, letter)
      if (child !== ROOT || from === ROOT) return child
    }
  }

  /** Breadth first, so that every shorter suffix is linked before the longer ones. */
  #linkSuffixes(): void {
    const queue = new Int32Array(this.size)
    let filled = 1
    for (let next = 0; next < filled; next++) {
      const parent = queue[next]!
      for (let node = this.#firstChild[parent]!; node !== ROOT; node = this.#sibling[node]!) {
        const suffix = parent === ROOT ? ROOT : this.#advance(this.#fallback[parent]!, this.#letter[node]!)
        this.#fallback[node] = suffix
        this.#shorterWord[node] = this.#isWord[suffix] === 1 ? suffix : this.#shorterWord[suffix]!
        queue[filled++] = node
      }
    }
  }
}
