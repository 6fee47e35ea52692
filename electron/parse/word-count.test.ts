import { describe, expect, it } from 'vitest'
import { WordCount } from './word-count.ts'

const count = (...pieces: string[]): number => {
  const counter = new WordCount()
  for (const piece of pieces) counter.add(piece, 0, piece.length)
  return counter.words
}

describe('WordCount', () => {
  it.each([
    ['', 0],
    ['  \n ', 0],
    ['one', 1],
    [' one two\nthree\t', 3],
    ['one\u00a0two\u2003three\u3000four', 4],
    ["it's 4 — words", 4],
    ['one&nbsp;two&#160;three&#xA0;four&ensp;five', 5],
    ['caf&eacute; &amp; bar', 3],
    ['&nbsp;&nbsp;', 0],
    ['日本語の文', 5],
    ['Tokyo東京2020', 4],
    ['한국어 문장', 2],
    ['naïve Ünïcode 😀', 3],
  ])('%j has %i', (text, words) => {
    expect(count(text)).toBe(words)
  })

  it('goes on with a word in the next piece, unless it was ended', () => {
    expect(count('on', 'e tw', 'o')).toBe(2)
    const counter = new WordCount()
    counter.add('one', 0, 3)
    counter.endWord()
    counter.add('two', 0, 3)
    expect(counter.words).toBe(2)
  })
})
