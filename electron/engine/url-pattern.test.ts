import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UrlPattern } from './url-pattern.ts'

const matches = (pattern: string, url: string): boolean => new UrlPattern(pattern).matches(url)

describe('UrlPattern', () => {
  it.each([
    ['/blog/*', 'https://example.org/blog/', true],
    ['/blog/*', 'https://example.org/blog', false],
    ['/blog/*', 'https://example.org/my/blog/x', false],
    ['*/blog/*', 'https://example.org/my/blog/x', true],
    ['/a', 'https://example.org/a', true],
    ['/a', 'https://example.org/a?x', false],
    ['*.pdf', 'https://example.org/x/y.pdf', true],
    ['*.pdf', 'https://example.org/x/y.pdf?z', false],
    ['*?*', 'https://example.org/x?y', true],
    ['*?*', 'https://example.org/x', false],
    ['/*a*a', 'https://example.org/a', false],
    ['/*a*a', 'https://example.org/aa', true],
    ['/ab*ba', 'https://example.org/aba', false],
    ['*ab*ab*ab', 'https://example.org/abab', false],
    ['*', 'https://example.org/', true],
    ['/*/./b', 'https://example.org/a/./b', true],
    ['/A', 'https://example.org/a', false],
  ])('%s against the path and query of %s: %s', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected)
  })

  it.each([
    ['https://example.org/*', 'https://example.org/a', true],
    ['https://example.org/*', 'http://example.org/a', false],
    ['*://example.org/*', 'http://example.org/a', true],
    ['http*://*.example.org/*', 'https://www.example.org/a', true],
    ['http*://*.example.org/*', 'https://example.org/a', false],
    ['HTTPS://Example.ORG/A', 'https://example.org/A', true],
    ['https://example.org', 'https://example.org/', true],
    ['https://example.org', 'https://example.org/a', false],
    ['https://example.org?x', 'https://example.org/?x', true],
    ['https://example.org*', 'https://example.org/a/b', true],
    ['http://example.org:8080/*', 'http://example.org:8080/a', true],
    ['http://example.org:8080/*', 'http://example.org/a', false],
    ['http://[::1]:8080/*', 'http://[::1]:8080/a', true],
    ['https://bücher.test/*', 'https://xn--bcher-kva.test/a', true],
    ['http://例え.テスト:8080/*', 'http://xn--r8jz45g.xn--zckzah:8080/a', true],
    ['http://example.org:*', 'http://example.org:8080/a', true],
    ['https://*.bücher.test/*', 'https://www.xn--bcher-kva.test/a', true],
  ])('%s against all of %s: %s', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected)
  })

  it('takes an address inside a query for part of the path', () => {
    expect(matches('/out?to=http://*', 'https://example.org/out?to=http://example.com/')).toBe(true)
  })

  it.each([
    '/café',
    '/a b',
    '/a"b',
    '/{a}|^`',
    "/it's",
    "/a?b='c'",
    '/a?{b}',
    '/日本?語=é',
    '/<a>?<b>',
    '/x%20y',
    '/~a',
  ])('reads %s as the URL parser does', (typed) => {
    const { href } = new URL(typed, 'https://example.org/')
    expect(matches(typed, href)).toBe(true)
    expect(matches(`https://example.org${typed}`, href)).toBe(true)
  })

  it('agrees with a pattern tried letter by letter', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 12 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 16 })
    fc.assert(
      fc.property(letters, text, (pattern, path) => {
        expect(matches(`/${pattern}`, `https://example.org/${path}`)).toBe(matchesNaively(`/${pattern}`, `/${path}`))
      }),
      { numRuns: 1_000 },
    )
  })

  it('matches every URL that is its own pattern', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const { href } = new URL(`/x${path}?${query.replaceAll('*', '')}`, 'https://example.org/')
        expect(matches(href, href)).toBe(true)
      }),
    )
  })
})

function matchesNaively(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') {
    for (let from = 0; from <= text.length; from++) if (matchesNaively(pattern.slice(1), text.slice(from))) return true
    return false
  }
  return pattern[0] === text[0] && matchesNaively(pattern.slice(1), text.slice(1))
}
