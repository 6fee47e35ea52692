import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalUrl, parseSeed, siteKeyOf } from './canonical-url.ts'

const keyOf = (text: string, base?: string): string | undefined => canonicalUrl(text, base)?.key

describe('canonicalUrl', () => {
  it.each([
    ['HTTP://EXAMPLE.test:80/a/../b', 'http://example.test/b'],
    ['http://example.test', 'http://example.test/'],
    ['http:\\\\example.test\\a', 'http://example.test/a'],
    ['http://bücher.test/', 'http://xn--bcher-kva.test/'],
    ['https://example.test:443/é', 'https://example.test/%C3%A9'],
    ['http://example.test/p#x', 'http://example.test/p'],
    ['http://example.test/p#', 'http://example.test/p'],
    ['http://example.test/?#x', 'http://example.test/?'],
    ['http://u:pw@example.test/x', 'http://example.test/x'],
    ['http://u@example.test/x', 'http://example.test/x'],
    ['http://:pw@example.test/x', 'http://example.test/x'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('%s is %s', (text, url) => {
    expect(canonicalUrl(text)).toMatchObject({ url, key: url })
  })

  it.each([
    ['/a', '/a/'],
    ['/A', '/a'],
    ['/a%2Fb', '/a/b'],
    ['/?', '/'],
    ['/%7E', '/~'],
    ['/%c3%a9', '/%C3%A9'],
    ['/?b=2&a=1', '/?a=1&b=2'],
    ['http://example.test/', 'https://example.test/'],
    ['http://example.test/', 'http://example.test:8080/'],
  ])('%s and %s differ', (one, other) => {
    const base = 'http://example.test/'
    expect(keyOf(one, base)).toBeTypeOf('string')
    expect(keyOf(one, base)).not.toBe(keyOf(other, base))
  })

  it('gives the parts of the address', () => {
    expect(canonicalUrl('//[::1]:8080/x', 'https://example.test/')).toEqual({
      url: 'https://[::1]:8080/x',
      key: 'https://[::1]:8080/x',
      hostname: '[::1]',
      port: '8080',
      protocol: 'https:',
    })
  })

  it('sees two pages in four links that differ by fragment', () => {
    const keys = ['#top', '/#foot', '/p#x', '/p'].map((link) => keyOf(link, 'http://example.test/'))
    expect([...new Set(keys)]).toEqual(['http://example.test/', 'http://example.test/p'])
  })

  it.each(['mailto:a@b', 'javascript:void(0)', 'data:,x', 'ftp://example.test/', 'file:///etc/passwd', 'about:blank'])(
    '%s is no web address',
    (text) => {
      expect(canonicalUrl(text, 'http://example.test/')).toBeNull()
    },
  )

  it.each(['http://exa mple.test/', 'http://', 'http://example.test:99999/', '/relative', ''])(
    '%j is invalid',
    (text) => {
      expect(canonicalUrl(text)).toBeNull()
    },
  )

  const addresses = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }).map((tail) => `http://u:p@example.test:8080/${tail}`),
    fc.string({ unit: 'binary' }),
  )

  it('is idempotent, and what the URL parser says without fragment and credentials', () => {
    fc.assert(
      fc.property(addresses, (text) => {
        const canonical = canonicalUrl(text, 'https://example.test/dir/')
        const parsed = URL.parse(text, 'https://example.test/dir/')
        if (canonical === null) {
          expect(parsed === null || !/^https?:$/.test(parsed.protocol)).toBe(true)
          return
        }
        expect(canonicalUrl(canonical.url)).toEqual(canonical)
        const { protocol, host, pathname, href } = parsed!
        const beforeFragment = href.split('#', 1)[0]!
        const query = beforeFragment.includes('?') ? beforeFragment.slice(beforeFragment.indexOf('?')) : ''
        expect(canonical.url).toBe(`${protocol}//${host}${pathname}${query}`)
      }),
    )
  })
})

describe('siteKeyOf', () => {
  const siteOf = (text: string): string => siteKeyOf(new URL(text))

  it('is one for http and https on their default ports', () => {
    expect(siteOf('http://example.test/a')).toBe('example.test')
    expect(siteOf('https://example.test:443/b')).toBe('example.test')
    expect(siteOf('https://bücher.test/')).toBe(siteOf('http://xn--bcher-kva.test/'))
  })

  it('differs by port and by hostname', () => {
    expect(siteOf('http://example.test:8080/')).toBe('example.test:8080')
    expect(siteOf('https://example.test:8080/')).toBe('example.test:8080')
    expect(siteOf('http://www.example.test/')).toBe('www.example.test')
    expect(siteOf('http://[::1]:81/')).toBe('[::1]:81')
  })
})

describe('parseSeed', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['  example.org/a?b#c ', 'https://example.org/a?b'],
    ['example.org:8080/x', 'https://example.org:8080/x'],
    ['example.org?q=a:b', 'https://example.org/?q=a:b'],
    ['example.org/@user', 'https://example.org/@user'],
    ['bücher.test', 'https://xn--bcher-kva.test/'],
    ['intranet', 'https://intranet/'],
    ['localhost', 'http://localhost/'],
    ['LOCALHOST:3000', 'http://localhost:3000/'],
    ['app.localhost/x', 'http://app.localhost/x'],
    ['127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['192.168.1.1', 'http://192.168.1.1/'],
    ['[::1]:8080', 'http://[::1]:8080/'],
    ['http://example.org', 'http://example.org/'],
    ['HTTPS://example.org/a', 'https://example.org/a'],
    ['https://u:pw@example.org/', 'https://example.org/'],
  ])('%s is %s', (typed, url) => {
    expect(parseSeed(typed)).toBe(url)
  })

  it.each([
    'htp:/x',
    'mailto:someone@example.org',
    'ftp://example.org/',
    'javascript:alert(1)',
    'someone@example.org',
    '/etc/hosts',
    '//example.org/',
    '\\\\server\\share',
    '?q',
    'two words',
    'http://',
    '[::1',
    '::1',
    'example.org:99999',
    '',
  ])('%j is refused by name', (typed) => {
    expect(() => parseSeed(typed)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(`"${typed}"`) }),
    )
  })
})
