import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collapse, TextCapture } from './text-capture.ts'

describe('collapse', () => {
  it('makes one space of white space and trims', () => {
    expect(collapse(' \n a \t\f\r b\u00a0 c ', 100)).toBe('a b\u00a0 c')
  })

  it('cuts at the limit, never inside a surrogate pair or after a space', () => {
    expect(collapse('abcdef', 4)).toBe('abcd')
    expect(collapse('abc😀', 4)).toBe('abc')
    expect(collapse('abc def', 4)).toBe('abc')
    expect(collapse(`${' '.repeat(100_000)}abc`, 4)).toBe('abc')
  })

  it('is the same for any way of cutting the text into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab \n]{0,5}$/)), fc.integer({ min: 1, max: 20 }), (pieces, limit) => {
        const capture = new TextCapture(limit)
        for (const piece of pieces) capture.add(piece)
        expect(capture.toString()).toBe(collapse(pieces.join(''), limit))
        expect(capture.toString()).toBe(
          pieces
            .join('')
            .split(/[ \n]+/)
            .filter(Boolean)
            .join(' ')
            .slice(0, limit)
            .trim(),
        )
      }),
    )
  })
})
