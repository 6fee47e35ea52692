import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRobots } from './robots.ts'

const TOKEN = 'Sandpiper'

const file = (...lines: string[]): string => lines.join('\n')
const isAllowed = (body: string | Uint8Array, path: string): boolean => parseRobots(body, TOKEN).check(path).allowed

describe('groups (RFC 9309 §2.2.1)', () => {
  it.each([
    ['the product token in any case', 'User-agent: SANDPIPER', false],
    ['a version behind the token', 'User-agent: sandpiper/1.0 (x)', false],
    ['words behind the token', 'User-agent: Sandpiper bot', false],
    ['a longer name', 'User-agent: SandpiperNews', true],
    ['a shorter name', 'User-agent: Sand', true],
    ['another name', 'User-agent: otherbot', true],
    ['an empty name', 'User-agent:', true],
    ['everyone', 'User-agent: *', false],
    ['a star and a remark', 'User-agent: * all of you', false],
    ['a star glued to a name', 'User-agent: *bot', true],
    ['no agent line', '', true],
  ])('%s', (_, agent, expected) => {
    expect(isAllowed(file(agent, 'Disallow: /'), '/x')).toBe(expected)
  })

  it('leaves everyone’s rules aside once a group names us, even an empty one', () => {
    expect(isAllowed(file('User-agent: *', 'Disallow: /', 'User-agent: sandpiper', 'Allow: /y'), '/x')).toBe(true)
    expect(isAllowed(file('User-agent: sandpiper', 'Disallow:', 'User-agent: *', 'Disallow: /'), '/x')).toBe(true)
    expect(isAllowed(file('User-agent: *', 'Disallow: /', 'User-agent: sandpiper'), '/x')).toBe(true)
  })

  it('merges the groups of one name', () => {
    const body = file(
      'User-agent: sandpiper',
      'Disallow: /a',
      'User-agent: otherbot',
      'Disallow: /b',
      'User-agent: Sandpiper',
      'Disallow: /c',
      'User-agent: *',
      'Disallow: /d',
    )
    expect(['/a', '/b', '/c', '/d'].filter((path) => isAllowed(body, path))).toEqual(['/b', '/d'])
  })

  it('gives one group to all agents that stand together', () => {
    const body = file(
      'User-agent: otherbot',
      '',
      '# note',
      'User-agent: sandpiper',
      'User-agent: third',
      'Disallow: /a',
    )
    expect(isAllowed(body, '/a')).toBe(false)
  })

  it.each(['', 'Sitemap: https://example.org/s.xml', 'Noindex: /z', 'Crawl-delay: 1', 'garbage'])(
    'is not ended by the line %j',
    (line) => {
      expect(isAllowed(file('User-agent: sandpiper', line, 'Disallow: /a', line, 'Disallow: /b'), '/b')).toBe(false)
      expect(isAllowed(file('User-agent: sandpiper', line, 'User-agent: otherbot', 'Disallow: /a'), '/a')).toBe(false)
    },
  )

  it('is ended by the next agent line after a rule, even an empty rule', () => {
    expect(isAllowed(file('User-agent: sandpiper', 'Disallow:', 'User-agent: otherbot', 'Disallow: /'), '/x')).toBe(
      true,
    )
  })
})

describe('lines (RFC 9309 §2.2)', () => {
  const RULES = ['User-agent: *', 'Disallow: /x', 'Allow: /x/y']

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['blank lines between', '\n\n\n'],
  ])('ended by %s', (_, end) => {
    const rules = parseRobots(RULES.join(end), TOKEN)
    expect(rules.check('/x').allowed).toBe(false)
    expect(rules.check('/x/y').allowed).toBe(true)
  })

  it('are counted alike whatever ends them', () => {
    expect(parseRobots('User-agent: *\r\n\r\n\rDisallow: /x\n', TOKEN).check('/x').line).toBe(4)
  })

  it('may follow a byte order mark', () => {
    expect(isAllowed(`\ufeff${RULES.join('\r')}`, '/x')).toBe(false)
    expect(isAllowed(Buffer.from(`\ufeff${RULES.join('\r')}`), '/x')).toBe(false)
  })

  it.each([
    'disallow:/x',
    'DISALLOW \t:\t /x \t',
    '   Disallow: /x',
    'Disallow: /x # for a reason',
    'Disallow: /x#fragment',
    'Disallow /x',
    'Disallow\t/x',
    'dissallow: /x',
    'dissalow: /x',
    'disalow: /x',
    'diasllow: /x',
    'disallaw: /x',
  ])('%j forbids', (line) => {
    expect(isAllowed(file('User-agent: *', line), '/x')).toBe(false)
  })

  it.each(['# Disallow: /x', 'Disallow /x y', 'Disallow', ': /x', 'Disallow; /x', 'constructor: /x', '__proto__: /x'])(
    '%j does not',
    (line) => {
      expect(isAllowed(file('User-agent: *', line), '/x')).toBe(true)
    },
  )

  it.each(['user-agent: *', 'Useragent: *', 'User agent: *', 'User-agent *', 'user-agent:*'])(
    '%j opens a group',
    (line) => {
      expect(isAllowed(file(line, 'Disallow: /x'), '/x')).toBe(false)
    },
  )
})

describe('other records', () => {
  it('lists absolute http and https sitemaps wherever they stand, once each and without credentials', () => {
    const body = file(
      'Sitemap: https://example.org/1.xml',
      'User-agent: otherbot',
      'SITEMAP: HTTPS://Example.org/2.xml',
      'Disallow: /',
      'site-map: https://u:pw@cdn.example.com/3.xml',
      'Sitemap: /relative.xml',
      'Sitemap: ftp://example.org/4.xml',
      'Sitemap:',
      'Sitemap: https://example.org/1.xml # again',
    )
    expect(parseRobots(body, TOKEN).sitemaps).toEqual([
      'https://example.org/1.xml',
      'https://example.org/2.xml',
      'https://cdn.example.com/3.xml',
    ])
  })

  it.each([
    ['2', 2_000],
    ['0.5', 500],
    ['.25', 250],
    ['3.', 3_000],
    ['0', 0],
    ['-1', null],
    ['1e3', null],
    ['0x10', null],
    ['10 s', null],
    ['soon', null],
    ['', null],
  ])('reads Crawl-delay %j as %s ms', (value, delayMs) => {
    expect(parseRobots(file('User-agent: *', `Crawl-delay: ${value}`), TOKEN).crawlDelayMs).toBe(delayMs)
  })

  it('takes the delay of the group that is for us, the longest of several', () => {
    const everyones = ['User-agent: *', 'Crawl-delay: 9', 'Disallow: /x']
    const ours = ['User-agent: sandpiper', 'Crawl-delay: 1', 'Disallow: /x', 'Crawl-delay: 3', 'Crawl-delay: 2']
    expect(parseRobots(file(...everyones, ...ours), TOKEN).crawlDelayMs).toBe(3_000)
    expect(parseRobots(file(...everyones, 'User-agent: sandpiper', 'Disallow:'), TOKEN).crawlDelayMs).toBeNull()
    expect(parseRobots('Crawl-delay: 5', TOKEN).crawlDelayMs).toBeNull()
  })
})

describe('size (RFC 9309 §2.5)', () => {
  const LIMIT = 512_000
  const padded = (head: string, length: number, tail: string): string =>
    `${head}#${'x'.repeat(length - head.length - 2)}\n${tail}`

  it('reads a rule at octet 400,000 of a file of 2 MB', () => {
    const body = padded('\ufeffUser-agent: *\r', 400_000, `Disallow: /x\r${'#filler\r'.repeat(200_000)}`)
    expect(isAllowed(body, '/x')).toBe(false)
    expect(isAllowed(Buffer.from(body), '/x')).toBe(false)
  })

  it('reads the last whole line before 512,000 octets, nothing that is cut there and nothing after', () => {
    const body = padded('User-agent: *\n', LIMIT - 27, 'Disallow: /abc\nDisallow: /d/e\nDisallow: /f\n')
    expect(['/abc', '/d', '/d/e', '/f'].filter((path) => isAllowed(body, path))).toEqual(['/d', '/d/e', '/f'])
    expect(isAllowed(Buffer.from(body).subarray(0, LIMIT), '/d')).toBe(true)
  })

  it('ignores one line that fills the file', () => {
    expect(isAllowed(`User-agent: *\nDisallow: /${'a'.repeat(1_000_000)}`, '/a')).toBe(true)
  })
})

describe('what is no robots.txt', () => {
  const page = '<!doctype html>\n<title>Log in</title>\n<p>Disallow: /\n<form action="/login">User-agent: *</form>\n'

  it.each([
    ['nothing', ''],
    ['a login page', page],
    ['JSON', '{"user-agent": "*", "disallow": "/"}'],
    ['rules without an agent', 'Disallow: /\nAllow: /x\n'],
    ['NUL octets', '\0'.repeat(1_000)],
  ])('%s forbids nothing', (_, body) => {
    const { sitemaps, crawlDelayMs, check } = parseRobots(body, TOKEN)
    expect({ sitemaps, crawlDelayMs }).toEqual({ sitemaps: [], crawlDelayMs: null })
    expect(check('/x')).toEqual({ allowed: true, line: 0, rule: '' })
  })
})

describe('for all inputs', () => {
  const words = fc.constantFrom(
    'User-agent',
    'Disallow',
    'Allow',
    'Sitemap',
    'Crawl-delay',
    ':',
    '*',
    '$',
    '/',
    '%',
    '\n',
  )
  const robotsLike = fc
    .array(fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: fc.string() }), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join('')))

  it('never throws, and says the same each time', () => {
    const bodies = fc.oneof(fc.uint8Array({ maxLength: 2_000 }), robotsLike)
    fc.assert(
      fc.property(bodies, fc.string({ unit: 'binary' }), fc.string(), (body, path, between) => {
        const { check } = parseRobots(body, TOKEN)
        const first = check(`/${path}`)
        check(`/${between}`)
        expect(check(`/${path}`)).toEqual(first)
        expect(parseRobots(body, TOKEN).check(`/${path}`)).toEqual(first)
      }),
      { numRuns: 300 },
    )
  })
})
