import { describe, expect, it } from 'vitest'
import { isHtml, mediaTypeOf } from './media-type.ts'

const sniff = (body: string, contentType = ''): string => mediaTypeOf(contentType, Buffer.from(body, 'latin1'))

describe('the header', () => {
  it.each([
    ['text/html; charset=utf-8', 'text/html'],
    ['TEXT/HTML', 'text/html'],
    [' application/xhtml+xml ;x=y', 'application/xhtml+xml'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/plain', 'text/plain'],
  ])('%s is believed', (header, essence) => {
    expect(sniff('<html>', header)).toBe(essence)
  })

  it.each([
    '',
    'html',
    'text/',
    '/html',
    'text html',
    'unknown/unknown',
    '*/*',
    'application/octet-stream',
    `${'x'.repeat(5_000)}/y`,
  ])('"%s" is not', (header) => {
    expect(sniff('<html >', header)).toBe('text/html')
  })

  it('that says text/plain may lie about binary files only', () => {
    expect(sniff('%PDF-1.7\0', 'text/plain')).toBe('application/pdf')
    expect(sniff('\0\x01\x02', 'text/plain; charset=utf-8')).toBe('application/octet-stream')
    expect(sniff('<html>\0', 'text/plain')).toBe('application/octet-stream')
    expect(sniff('\xff\xfea\0', 'text/plain')).toBe('text/plain')
  })
})

describe('the first bytes', () => {
  it.each([
    '<!DOCTYPE HTML>',
    '<html>',
    '<HEAD >',
    '<script\n>',
    '<iframe>',
    '<h1>',
    '<div>',
    '<font>',
    '<table>',
    '<a >',
    '<style>',
    '<title>',
    '<b>',
    '<body>',
    '<br>',
    '<p>',
    '<!-- x',
    ' \t\r\n\f<p>',
    '\xef\xbb\xbf<html>',
  ])('%j is HTML', (body) => {
    expect(sniff(body)).toBe('text/html')
  })

  it.each([
    ['<pre>', 'text/plain'],
    ['<htmlx>', 'text/plain'],
    ['hello', 'text/plain'],
    ['', 'text/plain'],
    ['<?xml version="1.0"?>', 'text/xml'],
    ['%PDF-1.4', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['GIF87a', 'image/gif'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['\x1f\x8b\x08\0', 'application/gzip'],
    ['PK\x03\x04', 'application/zip'],
    ['\0\0\0', 'application/octet-stream'],
    ['\xfe\xff\0a', 'text/plain'],
  ])('%j is %s', (body, essence) => {
    expect(sniff(body)).toBe(essence)
  })
})

it('isHtml', () => {
  expect(['text/html', 'application/xhtml+xml', 'text/xml', 'text/htmlx'].map(isHtml)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
