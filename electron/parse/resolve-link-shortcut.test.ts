import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LinkResolver, type Resolved } from './resolve-link.ts'

const BASE = 'https://example.test/dev/repo?x=1#top'
/** Empty if it is refused, null if it is no web address. */
const urlOf = (resolved: Resolved): string | null =>
  resolved.kind === 'url' ? resolved.url : resolved.kind === 'invalid' ? '' : null
const resolve = (raw: string, base = BASE): string | null => urlOf(new LinkResolver(base).resolve(raw))

describe('LinkResolver', () => {
  it.each([
    ['scripts/', 'https://example.test/dev/scripts/'],
    ['/a/b.html?x=1&y=/../z#f', 'https://example.test/a/b.html?x=1&y=/../z'],
    ['../x', 'https://example.test/x'],
    ['./', 'https://example.test/dev/'],
    ['', 'https://example.test/dev/repo?x=1'],
    ['#foot', 'https://example.test/dev/repo?x=1'],
    ['?page=2', 'https://example.test/dev/repo?page=2'],
    ['//other.test/p', 'https://other.test/p'],
    [' \n/a\tb ', 'https://example.test/ab'],
    ['\\a\\b', 'https://example.test/a/b'],
    ['HTTP://Example.TEST:80/A', 'http://example.test/A'],
    ['https://example.test', 'https://example.test/'],
    ['https:rel', 'https://example.test/dev/rel'],
    ['/caf\u00e9', 'https://example.test/caf%C3%A9'],
    ['/a%2Fb/%7E', 'https://example.test/a%2Fb/%7E'],
    ['/a/%2e%2E/b', 'https://example.test/b'],
    ['/wiki/Special:Search', 'https://example.test/wiki/Special:Search'],
    ['http://b\u00fccher.test/', 'http://xn--bcher-kva.test/'],
    ['https://u:pw@example.test/x', 'https://example.test/x'],
    ['//u@example.test/', 'https://example.test/'],
  ])('%j leads to %s', (raw, url) => {
    expect(resolve(raw)).toBe(url)
  })

  it.each([
    'mailto:x@example.test',
    'javascript:void(0)',
    'tel:+1',
    'data:,x',
    ' JavaScript:x',
    'java\nscript:x',
    'ftp://a/',
    'about:blank',
    'x:y',
  ])('%j is no web address', (raw) => {
    expect(resolve(raw)).toBeNull()
  })

  it.each(['http://exa mple.test/', 'http://', 'https://[1/', 'http://a:99999/', '//'])('%j is refused', (raw) => {
    expect(resolve(raw)).toBe('')
  })

  it('refuses what is too long, but knows a long data address for what it is', () => {
    expect(resolve(`/${'x'.repeat(8_192 - 'https://example.test/'.length)}`)).toHaveLength(8_192)
    expect(resolve(`/${'x'.repeat(8_193 - 'https://example.test/'.length)}`)).toBe('')
    expect(resolve(`/${'\u00e9'.repeat(5_000)}`)).toBe('')
    expect(resolve(`/${' '.repeat(5_000)}y`)).toBe('')
    expect(resolve(`data:image/png;base64,${'A'.repeat(100_000)}`)).toBeNull()
  })

  it('resolves against bases that are no web pages', () => {
    expect(resolve('x', 'file:///a/b')).toBeNull()
    expect(resolve('x', 'mailto:a')).toBe('')
    expect(resolve('http://example.test/', 'mailto:a')).toBe('http://example.test/')
  })

  it('gives byte for byte what the URL parser gives', () => {
    const scrap = fc.constantFrom(
      ...[
        '/',
        '//',
        '.',
        '..',
        '/.',
        '?',
        '#',
        ':',
        '@',
        '%',
        '%2',
        '%2e',
        '%2E',
        '%20',
        '\\',
        ' ',
        '\t',
        '\n',
        '&',
        '=',
        ';',
        ',',
        '*',
        '(',
        "'",
      ],
      ...[
        '"',
        '<',
        '|',
        '^',
        '`',
        '{',
        '[',
        ']',
        '~',
        '!',
        '$',
        '+',
        '-',
        '_',
        '0',
        'a',
        'B',
        'index',
        '.html',
        'x=1',
        '\u00e9',
        '\ud800',
        '\0',
        '\x7f',
      ],
      ...[
        'http:',
        'https:',
        'http://example.test',
        'https://example.test',
        'https://example.test:8443',
        'HTTPS://',
        'mailto:',
        'C:',
        'http',
      ],
    )
    const raws = fc.oneof(
      fc.array(scrap, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string({ maxLength: 12 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
    )
    const bases = fc.constantFrom(
      BASE,
      'http://example.test/',
      'https://example.test/a/b/c.html',
      'https://example.test:8443/a//b/?q#',
      'https://example.test/?',
      'http://u:p@example.test/x/y',
      'http://[::1]:8080/a/',
      'file:///a/b',
    )
    const expected = (raw: string, base: string): string | null => {
      const url = URL.parse(raw, base)
      if (url === null) return ''
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
      url.username = ''
      url.password = ''
      return url.href.replace(/#.*$/s, '')
    }
    fc.assert(
      fc.property(raws, bases, (raw, base) => {
        expect(resolve(raw, base)).toBe(expected(raw, base))
      }),
      { numRuns: 20_000 },
    )
  })
})
