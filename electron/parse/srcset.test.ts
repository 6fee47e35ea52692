import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSrcset } from './srcset.ts'

describe('parseSrcset', () => {
  it.each<[string, string[]]>([
    ['a.png', ['a.png']],
    ['a.png 1x, b.png 2x', ['a.png', 'b.png']],
    ['a.png 1x,b.png 2x', ['a.png', 'b.png']],
    ['a.png, b.png 2x', ['a.png', 'b.png']],
    ['a.png,b.png 2x', ['a.png,b.png']],
    ['/w_1,h_2/a.png 100w, /w_2,h_4/a.png 200w', ['/w_1,h_2/a.png', '/w_2,h_4/a.png']],
    ['data:image/png;base64,iVBO 1x, b.png 2x', ['data:image/png;base64,iVBO', 'b.png']],
    [' \n , ,a.png \t 1x \n,\f b.png,,, ', ['a.png', 'b.png']],
    ['a.png 100w 50h, b.png', ['a.png', 'b.png']],
    ['a.png calc(1x, 2x), b.png', ['a.png', 'b.png']],
    ['a.png (( ), b.png', ['a.png', 'b.png']],
    ['a.png (, b.png', ['a.png']],
    ['a.png ), b.png', ['a.png', 'b.png']],
    ['', []],
    [' ,, ', []],
  ])('%j', (value, urls) => {
    expect(parseSrcset(value)).toEqual(urls)
  })

  it('has an end', () => {
    expect(parseSrcset('a, '.repeat(100_000))).toHaveLength(200)
  })

  it('never throws, and no address is empty, has space in it or a comma at its ends', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(',', ' ', '(', ')', '\n', 'a', '2x'), fc.string())), (parts) => {
        for (const url of parseSrcset(parts.join('')))
          expect(url).toMatch(/^[^\t\n\f\r ,](?:[^\t\n\f\r ]*[^\t\n\f\r ,])?$/)
      }),
    )
  })
})
