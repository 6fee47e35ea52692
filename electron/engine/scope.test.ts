import { describe, expect, it } from 'vitest'
import { canonicalUrl } from './canonical-url.ts'
import { Scope } from './scope.ts'

type Settings = Partial<{ include: string[]; exclude: string[]; subdomains: boolean }>

function decide(seeds: string[], settings: Settings, url: string): string {
  const scope = new Scope({ seeds, scope: { include: [], exclude: [], subdomains: false, ...settings } })
  const verdict = scope.decide(canonicalUrl(url)!)
  return verdict.in ? 'in' : verdict.reason
}

describe('Scope', () => {
  it.each([
    ['https://example.org/deep/start', 'https://example.org/', 'in'],
    ['https://example.org/', 'http://example.org/a', 'in'],
    ['https://example.org/', 'https://example.org:443/a', 'in'],
    ['https://example.org/', 'https://example.org:8443/a', 'external'],
    ['http://example.org:8080/', 'https://example.org:8080/a', 'in'],
    ['http://example.org:8080/', 'http://example.org/a', 'external'],
    ['https://example.org/', 'https://www.example.org/', 'external'],
    ['https://example.org/', 'https://example.org.evil.test/', 'external'],
    ['https://bücher.test/', 'https://xn--bcher-kva.test/', 'in'],
    ['http://[::1]:8080/', 'http://[::1]:8080/x', 'in'],
  ])('of seed %s: %s is %s', (seed, url, expected) => {
    expect(decide([canonicalUrl(seed)!.url], {}, url)).toBe(expected)
  })

  it.each([
    ['https://www.example.org/', 'https://example.org/', 'in'],
    ['https://example.org/', 'http://a.b.example.org/', 'in'],
    ['https://example.org/', 'https://notexample.org/', 'external'],
    ['https://example.org/', 'https://shop.example.org:8443/', 'external'],
    ['http://example.org:8080/', 'http://shop.example.org:8080/', 'in'],
    ['http://example.org:8080/', 'http://shop.example.org/', 'in'],
    ['https://a.example.co.uk/', 'https://b.example.co.uk/', 'in'],
    ['https://a.example.co.uk/', 'https://other.co.uk/', 'external'],
    ['https://me.github.io/', 'https://blog.me.github.io/', 'in'],
    ['https://me.github.io/', 'https://you.github.io/', 'external'],
    ['https://github.io/', 'https://you.github.io/', 'external'],
    ['http://127.0.0.1/', 'http://127.0.0.2/', 'external'],
    ['http://[::1]/', 'http://[::2]/', 'external'],
    ['http://localhost/', 'http://example.org/', 'external'],
  ])('with subdomains of %s: %s is %s', (seed, url, expected) => {
    expect(decide([seed], { subdomains: true }, url)).toBe(expected)
  })

  it('lets exclude win over include and seeds win over both', () => {
    const settings = { include: ['/docs/*'], exclude: ['*.pdf', '/start'] }
    const verdictOn = (path: string): string =>
      decide(['https://example.org/start'], settings, `https://example.org${path}`)
    expect(verdictOn('/docs/a')).toBe('in')
    expect(verdictOn('/docs/a.pdf')).toBe('excluded')
    expect(verdictOn('/blog/a.pdf')).toBe('excluded')
    expect(verdictOn('/blog/a')).toBe('not_included')
    expect(verdictOn('/start')).toBe('in')
    expect(verdictOn('/start?x')).toBe('not_included')
  })

  it('calls another site external whatever the patterns say', () => {
    const settings = { include: ['https://example.com/*'], exclude: ['*'] }
    expect(decide(['https://example.org/'], settings, 'https://example.com/a')).toBe('external')
  })

  it('refuses addresses longer than 8,192 characters', () => {
    const url = (length: number): string => 'https://example.org/'.padEnd(length, 'a')
    expect(decide(['https://example.org/'], {}, url(8_192))).toBe('in')
    expect(decide(['https://example.org/'], {}, url(8_193))).toBe('url_too_long')
  })

  it('knows the hosts of its seeds, and takes in another', () => {
    const scope = new Scope({
      seeds: ['http://example.org:8080/'],
      scope: { include: [], exclude: [], subdomains: true },
    })
    const www = new URL('https://www.example.org/')
    expect(scope.isSeedHost('example.org')).toBe(true)
    expect(scope.isSeedHost('www.example.org')).toBe(false)
    expect(scope.isSeedSite(new URL('https://example.org:8080/a'))).toBe(true)
    expect(scope.isSeedSite(new URL('http://example.org/a'))).toBe(false)
    expect(scope.isSeedSite(www)).toBe(false)
    scope.addHost(www)
    expect(scope.isSeedHost('www.example.org')).toBe(true)
    expect(scope.isSeedSite(www)).toBe(true)
    expect(scope.decide(canonicalUrl('http://www.example.org/x')!)).toEqual({ in: true })
  })
})
