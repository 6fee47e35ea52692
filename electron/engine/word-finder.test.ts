import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordFinder } from './word-finder.ts'

/** "word@start-end" for every occurrence. */
function occurrences(words: string[], text: string): string[] {
  const finder = new WordFinder(new Set(words))
  const wordOf = new Map([...finder.numberOf].map(([word, number]) => [number, word]))
  const found: string[] = []
  finder.scan(text, new Uint8Array(finder.size).fill(1), (word, start, end) =>
    found.push(`${wordOf.get(word)}@${start}-${end}`),
  )
  return found
}

describe('WordFinder', () => {
  it('finds words inside and across each other, in the order of their ends', () => {
    expect(occurrences(['he', 'she', 'his', 'hers'], 'ushers')).toEqual(['she@1-4', 'he@2-4', 'hers@2-6'])
    expect(occurrences(['a', 'aa'], 'aaa')).toEqual(['a@0-1', 'aa@0-2', 'a@1-2', 'aa@1-3', 'a@2-3'])
  })

  it('passes over words that are not wanted, or no longer', () => {
    const finder = new WordFinder(new Set(['a', 'ba', 'cba']))
    const wanted = new Uint8Array(finder.size)
    const ba = finder.numberOf.get('ba')!
    wanted[ba] = 1
    const starts: number[] = []
    finder.scan('cbacbacba', wanted, (word, start) => {
      expect(word).toBe(ba)
      if (starts.push(start) === 2) wanted[ba] = 0
    })
    expect(starts).toEqual([1, 4])
  })

  it('finds nothing without words or text', () => {
    expect(occurrences([], 'abc')).toEqual([])
    expect(occurrences(['abc'], '')).toEqual([])
  })

  it('finds what a search word by word finds', () => {
    const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength })
    fc.assert(
      fc.property(fc.uniqueArray(letters(1, 5), { maxLength: 12 }), letters(0, 30), (words, text) => {
        const expected = words.flatMap((word) =>
          Array.from(text, (_, at) => at)
            .filter((at) => text.startsWith(word, at))
            .map((at) => `${word}@${at}-${at + word.length}`),
        )
        expect(occurrences(words, text).sort()).toEqual(expected.sort())
      }),
      { numRuns: 1_000 },
    )
  })
})
