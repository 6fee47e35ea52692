import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRobots } from './robots.ts'

const TOKEN = 'Sandpiper'

const file = (...lines: string[]): string => lines.join('\n')
const isAllowed = (body: string | Uint8Array, path: string): boolean => parseRobots(body, TOKEN).check(path).allowed
/** One group for everyone with these rules. */
const obeys = (rules: string, path: string): boolean => isAllowed(file('User-agent: *', ...rules.split(' ; ')), path)

describe('precedence (RFC 9309 §2.2.2)', () => {
  const rules = file('User-agent: *', 'Disallow: /', 'Allow: /public/', 'Disallow: /public/priv', 'Allow: /public/priv')

  it.each([
    ['/public/x', true, 3, 'Allow: /public/'],
    ['/other', false, 2, 'Disallow: /'],
    ['/public/priv', true, 5, 'Allow: /public/priv'],
    ['/robots.txt', true, 0, ''],
    ['/robots.txt?x', false, 2, 'Disallow: /'],
  ])('%s: %s by line %i', (path, allowed, line, rule) => {
    expect(parseRobots(rules, TOKEN).check(path)).toEqual({ allowed, line, rule })
  })

  it.each([
    ['Disallow: /a ; Allow: /a', '/a', true],
    ['Allow: /a ; Disallow: /a', '/a', true],
    ['Allow: /a ; Disallow: /a/b', '/a/b', false],
    ['Disallow: /a/b ; Allow: /a', '/a/b', false],
    ['Allow: /p ; Disallow: /*.html', '/p.html', false],
    ['Allow: /page.h ; Disallow: /*.html', '/page.html', true],
    ['Allow: /$ ; Disallow: /', '/', true],
    ['Allow: /$ ; Disallow: /', '/a', false],
    ['Disallow: /*a*a ; Allow: /aaaa', '/aaaa', true],
    ['Disallow: /a%7Eb ; Allow: /a~b', '/a~b', true],
    ['Disallow: /ab* ; Allow: /ab', '/abc', false],
    ['Disallow:', '/a', true],
    ['Disallow: ; Allow:', '/a', true],
    ['Disallow: / ; Disallow:', '/a', false],
    ['Allow: /x', '/y', true],
  ])('%s lets %s pass: %s', (rules, path, expected) => {
    expect(obeys(rules, path)).toBe(expected)
  })

  it('names the first of equal rules', () => {
    const { check } = parseRobots(
      file('User-agent: *', '', 'Disallow: /x # no', 'Disallow: /x', 'Disallow: /*y$'),
      TOKEN,
    )
    expect(check('/x')).toEqual({ allowed: false, line: 3, rule: 'Disallow: /x' })
    expect(check('/ay')).toEqual({ allowed: false, line: 5, rule: 'Disallow: /*y$' })
    expect(check('/z')).toEqual({ allowed: true, line: 0, rule: '' })
  })
})

describe('path patterns (RFC 9309 §2.2.2, §2.2.3)', () => {
  it.each([
    // Case, prefixes, and rules that do not start with a slash.
    ['/x', '/x/y', false],
    ['/x', '/xy', false],
    ['/x/', '/x', true],
    ['/X', '/x', true],
    ['/x?y', '/x?yz', false],
    ['/x?y', '/x', true],
    ['x', '/x', true],
    ['*x', '/abx', false],
    // Stars.
    ['/*.json$', '/d.json', false],
    ['/*.json$', '/d.json.html', true],
    ['/*.json$', '/d.json?x', true],
    ['/*?', '/s?x=1', false],
    ['/*?', '/s', true],
    ['/*q=*rel*', '/c/4?q=%3Arel%3Atype', false],
    ['/*q=*rel*', '/c/4?rel=q', true],
    ['/a*b', '/ab', false],
    ['/a*b', '/axxb/c', false],
    ['/a*b$', '/axbx', true],
    ['/a*b$', '/abxb', false],
    ['/a***b', '/a-b', false],
    ['/a*', '/a', false],
    ['/a*$', '/abc', false],
    ['*', '/anything', false],
    ['/*ab*ab', '/abab', false],
    ['/*ab*ab', '/abb', true],
    ['/*aba*aba', '/ababa', true],
    ['/*aba*ba$', '/ababa', false],
    ['/*aba*ba$', '/abaa', true],
    // Anchors: only at the end.
    ['/x$', '/x', false],
    ['/x$', '/xy', true],
    ['/x$y', '/x$y', false],
    ['/x$y', '/x', true],
    ['$', '/', true],
    // Characters that stand for themselves.
    ['/file-with-a-%2A.html', '/file-with-a-*.html', false],
    ['/file-with-a-%2A.html', '/file-with-a-%2a.html', false],
    ['/file-with-a-%2A.html', '/file-with-a-b.html', true],
    ['/foo-%24', '/foo-$', false],
    ['/foo-%24', '/foo-', true],
    ['/a*b', '/a*b', false],
    // Octets.
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', false],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar', false],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', false],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar', false],
    ['/*to=https://', '/out?to=https://foo.bar', false],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ', false],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', false],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A', false],
    ['/~joe', '/%7Ejoe', false],
    ['/a%2Fb', '/a/b', true],
    ['/a/b', '/a%2Fb', true],
    ['/a%2fb', '/a%2Fb', false],
    ['/a b', '/a%20b', false],
    ['/a"<b>|{c}', '/a%22%3Cb%3E|%7Bc%7D', false],
    ['/100%x', '/100%25x', true],
    ['/100%zz', '/100%zz', false],
    ['/voilà', '/voil%C3%A0', false],
    ['/%23x', '/%23x', false],
  ])('Disallow: %s lets %s pass: %s', (pattern, path, expected) => {
    expect(isAllowed(file('User-agent: *', `Disallow: ${pattern}`), path)).toBe(expected)
  })

  it('compares octets that are not UTF-8', () => {
    expect(isAllowed(Buffer.from('User-agent: *\nDisallow: /caf\xe9', 'latin1'), '/caf%E9')).toBe(false)
  })

  it('shows a rule as it was written', () => {
    expect(parseRobots('User-agent: *\ndisallow : /ツ*%7e$ # x', TOKEN).check('/ツ~').rule).toBe('Disallow: /ツ*%7e$')
  })
})

describe('for all rules and paths', () => {
  const letters = (maxLength: number, ...extra: string[]): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom('a', 'b', '/', ...extra), maxLength })
  const rules = fc.array(fc.tuple(fc.boolean(), letters(10, '*', '*', '$')), { maxLength: 12 })

  it('decides as the standard’s words do, applied rule by rule', () => {
    fc.assert(
      fc.property(rules, fc.array(letters(14), { minLength: 1, maxLength: 4 }), (drawn, paths) => {
        const lines = drawn.map(([allow, pattern]) => `${allow ? 'Allow' : 'Disallow'}: /${pattern}`)
        const { check } = parseRobots(file('User-agent: *', ...lines), TOKEN)
        for (const path of paths) expect(check(`/${path}`).line).toBe(decidingLine(lines, `/${path}`))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Compares every rule with the path letter by letter; 0 if none matches. */
function decidingLine(lines: string[], path: string): number {
  const matching = lines
    .map((line, n) => ({ line: n + 2, allow: line.startsWith('A'), pattern: line.slice(line.indexOf('/')) }))
    .filter(({ pattern }) => matchesNaively(pattern.replace(/\$$/, ''), pattern.endsWith('$'), path))
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow) || a.line - b.line)
  return matching[0]?.line ?? 0
}

function matchesNaively(pattern: string, anchored: boolean, path: string): boolean {
  if (pattern === '') return !anchored || path === ''
  if (pattern[0] === '*') {
    for (let from = 0; from <= path.length; from++) {
      if (matchesNaively(pattern.slice(1), anchored, path.slice(from))) return true
    }
    return false
  }
  return pattern[0] === path[0] && matchesNaively(pattern.slice(1), anchored, path.slice(1))
}
