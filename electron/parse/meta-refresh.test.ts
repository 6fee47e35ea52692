import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRefresh } from './meta-refresh.ts'

describe('parseRefresh', () => {
  it.each([
    ['0;url=/next', '/next'],
    ['5; URL = /next', '/next'],
    ["0; url='/a b'; x", '/a b'],
    ['0; url="/next', '/next'],
    ['0;/next', '/next'],
    ['0,/next', '/next'],
    ['0 /next', '/next'],
    ['  1.5.2 ; url=/next', '/next'],
    ['.5; url=/next', '/next'],
    ["3; '/next'", '/next'],
    ['0; urlx', 'urlx'],
    ['0; url', 'url'],
    ['0; uri=/x', 'uri=/x'],
    ['0;url==x', '=x'],
    ['0; url=https://example.test/?a=1;b=2', 'https://example.test/?a=1;b=2'],
    ['0;; url=x', '; url=x'],
  ])('%j leads to %j', (content, address) => {
    expect(parseRefresh(content)).toBe(address)
  })

  it.each(['', '5', '5;', ' 5 ; ', '0; url=', "0; url=''", 'url=/x', '/x', 'x; url=/y', '-1; url=/x', '5x; url=/y'])(
    '%j to nothing',
    (content) => {
      expect(parseRefresh(content)).toBeNull()
    },
  )

  it('never throws, and gives a part of what it got', () => {
    const scraps = fc.constantFrom('0', '.', ';', ',', ' ', 'url', '=', '"', "'", 'x')
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string())), (parts) => {
        const content = parts.join('')
        expect(content).toContain(parseRefresh(content) ?? '')
      }),
    )
  })
})
