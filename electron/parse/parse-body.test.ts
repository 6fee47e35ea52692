import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParseJob, ParseResult } from '../../shared/parse-job.ts'
import { parseBody } from './parse-body.ts'

const arrayBufferOf = (body: Buffer): ArrayBuffer => Uint8Array.from(body).buffer

const parse = (body: string | Buffer, job: Partial<ParseJob> = {}): ParseResult =>
  parseBody({
    id: 7,
    want: 'page',
    url: 'https://example.test/dir/page',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    contentEncoding: '',
    body: arrayBufferOf(Buffer.from(body as string)),
    maxBytes: 1_000_000,
    ...job,
  })

const PAGE = '<title>T</title><a href=x>text</a>'

describe('parseBody', () => {
  it('gives size and hash of the decoded body', () => {
    const { id, fault, bytes, hash, mediaType, page, sitemap } = parse(gzipSync(PAGE), { contentEncoding: 'gzip' })
    const expected = createHash('sha256').update(PAGE).digest('hex').slice(0, 32)
    expect({ id, fault, bytes, hash, mediaType, sitemap }).toEqual({
      id: 7,
      fault: null,
      bytes: PAGE.length,
      hash: expected,
      mediaType: 'text/html',
      sitemap: null,
    })
    expect([page?.title, page?.links.urls]).toEqual(['T', ['https://example.test/dir/x']])
  })

  it.each<[string, Partial<ParseJob>]>([
    ['a status other than 2xx', { status: 404 }],
    ['a redirect', { status: 301 }],
    ['another media type', { contentType: 'text/plain' }],
    ['a resource', { want: 'resource' }],
    ['a sitemap', { want: 'sitemap' }],
  ])('reads no page from %s', (_, job) => {
    const result = parse(PAGE, job)
    expect([result.fault, result.page, result.bytes]).toEqual([null, null, PAGE.length])
  })

  it('reads a page whose type is not named', () => {
    expect(parse(PAGE, { contentType: '' })).toMatchObject({ mediaType: 'text/html', page: { title: 'T' } })
  })

  it('reads a sitemap', () => {
    const body = gzipSync('<urlset><url><loc>https://example.test/a</loc></url></urlset>')
    expect(parse(body, { want: 'sitemap', contentType: 'application/gzip' })).toMatchObject({
      mediaType: 'application/gzip',
      sitemap: { type: 'urlset', entries: ['https://example.test/a'] },
      page: null,
    })
  })

  it('reads an empty body', () => {
    expect(parse('')).toMatchObject({ fault: null, bytes: 0, page: { title: '', words: 0 } })
  })

  it.each<[string, string | Buffer, Partial<ParseJob>]>([
    ['truncated', gzipSync(PAGE).subarray(0, -4), { contentEncoding: 'gzip' }],
    ['body_too_large', PAGE, { maxBytes: 10 }],
    ['unsupported_encoding', PAGE, { contentEncoding: 'sdch' }],
    ['bad_encoding', PAGE, { contentEncoding: 'br' }],
    ['parse_failed', PAGE, { url: 'not absolute' }],
  ])('gives nothing but the fault %s', (fault, body, job) => {
    const result = parse(body, job)
    expect(result).toMatchObject({ id: 7, fault, bytes: 0, hash: '', mediaType: '', page: null, sitemap: null })
    expect(result.faultDetail).not.toBe('')
  })

  it('never throws', () => {
    const jobs = fc.record<Partial<ParseJob>>({
      want: fc.constantFrom('page', 'resource', 'sitemap'),
      url: fc.oneof(fc.constant('https://example.test/'), fc.string()),
      contentType: fc.oneof(fc.constantFrom('text/html', '', 'text/html; charset=utf-16'), fc.string()),
      contentEncoding: fc.oneof(fc.constantFrom('', 'gzip', 'deflate', 'br', 'zstd', 'gzip, br'), fc.string()),
    })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), jobs, (body, job) => {
        expect(parse(Buffer.from(body), job).id).toBe(7)
      }),
      { numRuns: 1_000 },
    )
  })
})
