import { encodeQuery, encodeSpecials, normalise, toOctets } from './robots-path.ts'
import { WordFinder } from './word-finder.ts'

/** The rules of one group of a robots.txt, and which of them decides about a path (RFC 9309 §2.2.2, §2.2.3). */

export interface Rule {
  allow: boolean
  /** Where it stands in the file, from 1. */
  line: number
  /** The pattern in octets as written. */
  pattern: string
}

/** `prefix * middle * middle * tail`. */
interface Pattern {
  /** Index of its rule; the lowest that matches decides. */
  rank: number
  prefix: string
  /** Numbers of the finder's words. */
  middles: number[]
  /** What must end the path; null if the pattern is not anchored. */
  tail: string | null
  hasStar: boolean
}

const NONE = -1

export class RuleSet {
  /** The strongest first. */
  readonly #rules: Rule[]
  readonly #patterns: Pattern[] = []
  /** Indexes of #patterns by their prefix, the strongest first. */
  readonly #byPrefix = new Map<string, number[]>()
  readonly #prefixLengths: number[]
  readonly #finder: WordFinder
  /** For each word, the first pattern of those that wait for it; for each pattern, the next one in that list. */
  readonly #waiting: Int32Array
  readonly #nextWaiting: Int32Array
  /** 1 for each word that a pattern waits for. */
  readonly #wanted: Uint8Array
  /** How far each pattern has come: its middles found, and where the next one may start. */
  readonly #found: Int32Array
  readonly #from: Int32Array

  constructor(rules: readonly Rule[]) {
    const ranked = rules.map((rule) => ({ rule, text: normalise(rule.pattern) })).sort(byStrength)
    this.#rules = ranked.map(({ rule }) => rule)
    const patterns = new Map<string, number>()
    for (const [rank, { text }] of ranked.entries()) {
      for (const variant of [text, encodeQuery(text)]) if (!patterns.has(variant)) patterns.set(variant, rank)
    }
    const split = [...patterns].map(([text, rank]) => ({ rank, ...splitPattern(text) }))
    this.#finder = new WordFinder(new Set(split.flatMap(({ middles }) => middles)))
    for (const { middles, ...rest } of split.sort((a, b) => a.rank - b.rank)) {
      this.#add({ ...rest, middles: middles.map((word) => this.#finder.numberOf.get(word)!) })
    }
    this.#prefixLengths = [...new Set([...this.#byPrefix.keys()].map(({ length }) => length))].sort((a, b) => a - b)
    this.#waiting = new Int32Array(this.#finder.size).fill(NONE)
    this.#wanted = new Uint8Array(this.#finder.size)
    this.#nextWaiting = new Int32Array(this.#patterns.length)
    this.#found = new Int32Array(this.#patterns.length)
    this.#from = new Int32Array(this.#patterns.length)
  }

  /** The longest rule that matches; of equals one that allows; null if none does. @param path path and query of a URL */
  decide(path: string): Rule | null {
    const target = normalise(toOctets(path))
    const encoded = encodeQuery(target)
    let best = this.#strongest(encodeSpecials(target), this.#rules.length)
    if (encoded !== target) best = this.#strongest(encodeSpecials(encoded), best)
    return this.#rules[best] ?? null
  }

  #add(pattern: Pattern): void {
    const number = this.#patterns.push(pattern) - 1
    const bucket = this.#byPrefix.get(pattern.prefix)
    if (bucket === undefined) this.#byPrefix.set(pattern.prefix, [number])
    else bucket.push(number)
  }

  /** The lowest rank below `limit` that matches, or `limit`. */
  #strongest(target: string, limit: number): number {
    let best = limit
    let anyWaits = false
    for (const length of this.#prefixLengths) {
      if (length > target.length) break
      for (const number of this.#byPrefix.get(target.slice(0, length)) ?? []) {
        const pattern = this.#patterns[number]!
        if (pattern.rank >= best) break
        if (pattern.middles.length === 0) {
          if (endsAfter(pattern, target, length)) best = pattern.rank
        } else {
          this.#found[number] = 0
          this.#wait(number, pattern.middles[0]!, length)
          anyWaits = true
        }
      }
    }
    return anyWaits ? this.#race(target, best) : best
  }

  /** All waiting patterns at once: each takes the first place of a word that lies behind the word before it. */
  #race(target: string, limit: number): number {
    let best = limit
    this.#finder.scan(target, this.#wanted, (word, start, end) => {
      let number = this.#waiting[word]!
      this.#waiting[word] = NONE
      this.#wanted[word] = 0
      while (number !== NONE) {
        const following = this.#nextWaiting[number]!
        const pattern = this.#patterns[number]!
        if (pattern.rank < best) {
          if (start < this.#from[number]!) this.#wait(number, word, this.#from[number]!)
          else if (this.#advance(number, end)) this.#wait(number, pattern.middles[this.#found[number]!]!, end)
          else if (endsAfter(pattern, target, end)) best = pattern.rank
        }
        number = following
      }
    })
    this.#waiting.fill(NONE)
    this.#wanted.fill(0)
    return best
  }

  /** Has it more words to find? */
  #advance(number: number, end: number): boolean {
    this.#from[number] = end
    this.#found[number] = this.#found[number]! + 1
    return this.#found[number]! < this.#patterns[number]!.middles.length
  }

  #wait(number: number, word: number, from: number): void {
    this.#from[number] = from
    this.#nextWaiting[number] = this.#waiting[word]!
    this.#waiting[word] = number
    this.#wanted[word] = 1
  }
}

type Ranked = { rule: Rule; text: string }

/** By octets, stars and anchor included; then allow first; then the order of the file. */
const byStrength = (a: Ranked, b: Ranked): number =>
  b.text.length - a.text.length || Number(b.rule.allow) - Number(a.rule.allow) || a.rule.line - b.rule.line

function splitPattern(text: string): Omit<Pattern, 'rank' | 'middles'> & { middles: string[] } {
  const anchored = text.endsWith('$')
  const [prefix = '', ...rest] = (anchored ? text.slice(0, -1) : text).split('*').map(encodeSpecials)
  const tail = anchored ? (rest.pop() ?? '') : null
  return { prefix, middles: rest.filter((word) => word !== ''), tail, hasStar: text.includes('*') }
}

/** Does the path end as the pattern says, once everything up to `at` has been found? */
function endsAfter({ tail, hasStar }: Pattern, path: string, at: number): boolean {
  if (tail === null) return true
  if (!hasStar) return path.length === at
  return path.length - tail.length >= at && path.endsWith(tail)
}
