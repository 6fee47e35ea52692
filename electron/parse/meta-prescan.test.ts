import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from './encoding.ts'

const bytesOf = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const encodingOf = (markup: string, contentType = ''): string =>
  decodeText(Buffer.from(markup, 'latin1'), contentType).encoding

describe('order of the sources', () => {
  it('meta where the header is silent', () => {
    const { text, encoding } = decodeText(bytesOf('<meta charset=Shift_JIS>', [0x93, 0xfa, 0x96, 0x7b]), 'text/html')
    expect([text.slice(-2), encoding]).toEqual(['日本', 'shift_jis'])
  })

  it('charset in a content without media type', () => {
    const bytes = bytesOf('<meta http-equiv="Content-Type" content="charset=gbk">', [0xbc, 0xd2, 0xbe, 0xd3])
    const { text, encoding } = decodeText(bytes, '')
    expect([text.slice(-2), encoding]).toEqual(['家居', 'gbk'])
  })

  it('a byte order mark before everything, and it is no text', () => {
    const bytes = bytesOf([0xef, 0xbb, 0xbf], '<meta charset=latin1>', [0xc3, 0xa9])
    expect(decodeText(bytes, 'text/html; charset=latin1')).toEqual({
      text: '<meta charset=latin1>é',
      encoding: 'utf-8',
    })
    expect(decodeText(bytesOf([0xff, 0xfe, 0x41, 0]), 'text/html; charset=utf-8')).toEqual({
      text: 'A',
      encoding: 'utf-16le',
    })
    expect(decodeText(bytesOf([0xfe, 0xff, 0, 0x41]), '')).toEqual({ text: 'A', encoding: 'utf-16be' })
  })

  it('the header before meta', () => {
    const bytes = bytesOf('<meta charset=latin1>', [0xc3, 0xa9])
    expect(decodeText(bytes, 'text/html; charset=utf-8').text.slice(-1)).toBe('é')
    expect(encodingOf('<meta charset=gbk>', 'text/html;charset="Shift_JIS"; x=y')).toBe('shift_jis')
    expect(encodingOf('<meta charset=gbk>', "text/html; CHARSET = 'koi8-r'")).toBe('koi8-r')
  })

  it('an unknown label counts for none', () => {
    expect(encodingOf('<meta charset=gbk>', 'text/html; charset=nonsense')).toBe('gbk')
    expect(encodingOf('<meta charset=nonsense><meta charset=gbk>')).toBe('gbk')
    expect(encodingOf(`<p>`, `text/html; charset=${'x'.repeat(10_000)}`)).toBe('utf-8')
  })

  it('without any, UTF-8 if it is valid, else windows-1252', () => {
    expect(decodeText(Buffer.from('naïve'), 'text/html')).toEqual({ text: 'naïve', encoding: 'utf-8' })
    expect(decodeText(bytesOf([0x93, 0x41, 0x94]), 'text/html')).toEqual({ text: '“A”', encoding: 'windows-1252' })
  })

  it('names by what a label means', () => {
    expect(encodingOf('', 'text/html; charset=iso-8859-1')).toBe('windows-1252')
    expect(encodingOf('', 'text/html; charset=gb2312')).toBe('gbk')
    expect(encodingOf('', 'text/html; charset=UTF8')).toBe('utf-8')
  })

  it('bytes that the encoding does not have become U+FFFD', () => {
    expect(decodeText(bytesOf([0xff, 0x41]), 'text/html; charset=utf-8').text).toBe('\ufffdA')
  })
})

describe('prescan', () => {
  it.each([
    ['no quotes', '<meta charset=koi8-r>'],
    ['single quotes', "<meta charset='koi8-r'>"],
    ['spaces', '<meta   charset  =  "koi8-r"  >'],
    ['capitals', '<META CHARSET="KOI8-R">'],
    ['a slash for a space', '<meta/charset="koi8-r"/>'],
    ['other attributes before it', '<meta a b=c d="e>f" charset=koi8-r>'],
    ['content before http-equiv', '<meta content="text/html; charset=koi8-r" http-equiv=content-type>'],
    ['quotes inside content', `<meta http-equiv=Content-Type content="text/html; charset='koi8-r'">`],
    ['the second charset in content', '<meta http-equiv=content-type content="charset; charset=koi8-r">'],
    ['charset beside content', '<meta content="text/html; charset=gbk" charset=koi8-r>'],
    ['the first of two', '<meta charset=koi8-r charset=gbk>'],
    ['a comment before it', '<!-- <meta charset=gbk> --><meta charset=koi8-r>'],
    ['an empty comment before it', '<!--><meta charset=koi8-r>'],
    ['a declaration before it', '<!DOCTYPE html><?php <meta charset=gbk> ?><meta charset=koi8-r>'],
    ['an attribute that looks like it', '<p title="<meta charset=gbk>"><meta charset=koi8-r>'],
    ['an end tag with attributes', '</p title="<meta charset=gbk>"><meta charset=koi8-r>'],
    ['a tag that starts the same', '<metadata charset=gbk><meta charset=koi8-r>'],
    ['no meta, but an XML declaration', '<?xml version="1.0" encoding="koi8-r"?><html>'],
  ])('%s', (_, markup) => {
    expect(encodingOf(markup)).toBe('koi8-r')
  })

  it.each([
    ['content without http-equiv', '<meta name=x content="text/html; charset=koi8-r">'],
    ['another http-equiv', '<meta http-equiv=refresh content="0; charset=koi8-r">'],
    ['an unclosed comment', '<!-- <meta charset=koi8-r>'],
    ['beyond the first 1,024 bytes', `${' '.repeat(1_010)}<meta charset=koi8-r>`],
    ['cut by byte 1,024', `${' '.repeat(1_008)}<meta charset=koi8-r>`],
    ['an unclosed quote', '<meta charset="koi8-r>'],
    ['an unclosed quote in content', `<meta http-equiv=content-type content="charset='koi8-r">`],
    ['no value', '<meta charset>'],
  ])('is silent about %s', (_, markup) => {
    expect(encodingOf(markup)).toBe('utf-8')
  })

  it('does not believe UTF-16 and x-user-defined', () => {
    expect(encodingOf('<meta charset=utf-16>\xe9')).toBe('utf-8')
    expect(encodingOf('<meta charset=utf-16be>\xe9')).toBe('utf-8')
    expect(encodingOf('<?xml version="1.0" encoding="utf-16"?>\xe9')).toBe('utf-8')
    expect(encodingOf('<meta charset=x-user-defined>')).toBe('windows-1252')
  })

  it('never throws', () => {
    const scraps = fc.constantFrom(
      '<',
      '>',
      '<!--',
      '-->',
      '<meta ',
      'charset',
      '=',
      '"',
      "'",
      'content',
      ' ',
      '/',
      'utf-8',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string()), { maxLength: 40 }), fc.string(), (parts, contentType) => {
        expect(typeof decodeText(Buffer.from(parts.join('')), contentType).text).toBe('string')
      }),
    )
  })
})
