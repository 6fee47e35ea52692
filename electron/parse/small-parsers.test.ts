import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHtml, mediaTypeOf } from './media-type.ts'
import { parseRefresh } from './meta-refresh.ts'
import { parseSrcset } from './srcset.ts'

describe('srcset', () => {
  it.each([
    ['a.png 1x, b.png 2x', ['a.png', 'b.png']],
    ['a.png, b.png', ['a.png', 'b.png']],
    ['a,b.png 1x', ['a,b.png']],
    ['data:image/png;base64,AA== 1x, b 2x', ['data:image/png;base64,AA==', 'b']],
    ['a.png calc(1px, 2px) 3w, b', ['a.png', 'b']],
    [' , ,, a ', ['a']],
    ['', []],
  ])('%s', (value, expected) => {
    expect(parseSrcset(value)).toEqual(expected)
  })

  it('never throws and never gives an empty address', () => {
    fc.assert(fc.property(fc.string(), (value) => parseSrcset(value).every((url) => url !== '')))
  })
})

describe('meta refresh', () => {
  it.each([
    ['0; url=/x', '/x'],
    ["5;URL='/x y' trailing", '/x y'],
    ['1.5 , url = "/q"', '/q'],
    ['3;/bare', '/bare'],
    ['5', null],
    ['url=/x', null],
    ['', null],
  ])('%s', (content, expected) => {
    expect(parseRefresh(content)).toBe(expected)
  })
})

describe('media types', () => {
  it.each<[string, string | Buffer, string]>([
    ['text/HTML; charset=utf-8', '', 'text/html'],
    ['', ' \n<!DOCTYPE html><p>', 'text/html'],
    ['', '<?xml version="1.0"?>', 'text/xml'],
    ['nonsense', '%PDF-1.4', 'application/pdf'],
    ['', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
    ['', Buffer.from([0, 1, 2]), 'application/octet-stream'],
    ['', 'just words', 'text/plain'],
    ['image/png', '<html>', 'image/png'],
  ])('%s', (header, body, expected) => {
    expect(mediaTypeOf(header, Buffer.from(body as string))).toBe(expected)
  })

  it('knows HTML by its essence', () => {
    expect([isHtml('text/html'), isHtml('application/xhtml+xml'), isHtml('text/plain')]).toEqual([true, true, false])
  })
})
