import { expect, it } from 'vitest'
import { charsetOf, decodeText } from './encoding.ts'

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

it.each<[string, Buffer, string, string, string]>([
  ['meta charset', bytes('<meta charset=Shift_JIS>', [0x93, 0xfa, 0x96, 0x7b]), '', '日本', 'shift_jis'],
  [
    'meta content without media type',
    bytes('<meta http-equiv=content-type content="charset=gbk">', [0xbc, 0xd2, 0xbe, 0xd3]),
    '',
    '家居',
    'gbk',
  ],
  ['byte order mark over meta', bytes([0xef, 0xbb, 0xbf], '<meta charset=latin1>é'), '', 'é', 'utf-8'],
  ['header over meta', bytes('<meta charset=latin1>é'), 'text/html; charset=utf-8', 'é', 'utf-8'],
  ['iso-8859-1 means windows-1252', bytes([0x80]), 'text/html; charset=iso-8859-1', '€', 'windows-1252'],
  ['gb2312 means gbk', bytes([0xbc, 0xd2]), 'text/html;charset="gb2312"', '家', 'gbk'],
  ['utf-16 in meta is a lie', bytes('<meta charset=utf-16>é'), '', 'é', 'utf-8'],
  ['a byte order mark of utf-16', bytes([0xff, 0xfe, 0x41, 0x00]), 'text/html; charset=utf-8', 'A', 'utf-16le'],
  ['no word and valid utf-8', bytes('naïve'), '', 'naïve', 'utf-8'],
  ['no word and not utf-8', bytes([0x6e, 0x61, 0xef, 0x76, 0x65]), '', 'naïve', 'windows-1252'],
  ['an unknown label is passed over', bytes('<meta charset=klingon>é'), 'text/html; charset=elvish', 'é', 'utf-8'],
  ['a meta in a comment does not count', bytes('<!-- <meta charset=gbk> -->é'), '', 'é', 'utf-8'],
  ['a meta after 1,024 bytes does not count', bytes(' '.repeat(1024), '<meta charset=gbk>é'), '', 'é', 'utf-8'],
])('%s', (_name, body, contentType, end, encoding) => {
  const decoded = decodeText(body, contentType)
  expect(decoded.encoding).toBe(encoding)
  expect(decoded.text.endsWith(end)).toBe(true)
  expect(decoded.text).not.toContain('\ufeff')
})

it.each([
  ['text/html; charset=utf-8', 'utf-8'],
  ["text/html; charset='gbk' ; x=y", 'gbk'],
  ['text/html; CharSet = "shift_jis"', 'shift_jis'],
  ['text/html', ''],
])('the charset of %s', (contentType, expected) => {
  expect(charsetOf(contentType)).toBe(expected)
})
