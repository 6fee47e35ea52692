import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LinkResolver } from './resolve-link.ts'

const BASES = [
  'http://site.test/',
  'https://site.test:8443/a/b/c.html?q=1',
  'http://[::1]:8080/dir/',
  'http://127.0.0.1/x',
  'file:///a/b',
]

/** What the URL parser alone says. */
function reference(raw: string, base: string): string {
  const url = URL.parse(raw, base)
  if (url === null) return 'invalid'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'other_scheme'
  url.username = ''
  url.password = ''
  url.hash = ''
  return url.href
}

const piece = fc.constantFrom(
  '/',
  '//',
  'a',
  'B',
  '.',
  '..',
  '?',
  '#',
  '&',
  '=',
  '%2e',
  '%41',
  ':',
  '@',
  'http:',
  'http://',
  'site.test',
  ' ',
  '\t',
  '\\',
  'é',
  '~',
  '-',
  '_',
  ';',
  "'",
  '"',
  '|',
  '[',
  '1',
  '*',
  '+',
  '$',
  '(',
  ',',
  '!',
)

it('resolves every address as the URL parser does, shortcut or not', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BASES), fc.array(piece, { maxLength: 12 }), (base, pieces) => {
      const raw = pieces.join('')
      const resolved = new LinkResolver(base).resolve(raw)
      expect(resolved.kind === 'url' ? resolved.url : resolved.kind).toBe(reference(raw, base))
    }),
    { numRuns: 20_000 },
  )
})

it('resolves any text as the URL parser does', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BASES), fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), (base, raw) => {
      const resolved = new LinkResolver(base).resolve(raw)
      expect(resolved.kind === 'url' ? resolved.url : resolved.kind).toBe(reference(raw, base))
    }),
    { numRuns: 5_000 },
  )
})

it('takes no address longer than 8,192 characters', () => {
  const resolver = new LinkResolver('http://site.test/')
  expect(resolver.resolve(`/${'a'.repeat(9_000)}`).kind).toBe('invalid')
  expect(resolver.resolve(`/${'é'.repeat(3_000)}`).kind).toBe('invalid')
})
