import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSitemapFile } from './sitemap-file.ts'

const BASE = 'http://site.test/sitemap.xml'
const read = (body: string | Buffer, contentType = 'application/xml') =>
  readSitemapFile(Buffer.from(body as string), contentType, BASE, 10_000_000)

it('reads a urlset, with and without a namespace prefix, entities and CDATA', () => {
  const entries = ['http://site.test/a?x=1&y=2', 'http://site.test/b']
  expect(
    read(
      '<urlset><url><loc> http://site.test/a?x=1&amp;y=2 </loc></url><url><loc><![CDATA[http://site.test/b]]></loc></url></urlset>',
    ),
  ).toEqual({
    type: 'urlset',
    entries,
    warnings: [],
  })
  expect(
    read('<sm:urlset xmlns:sm="x"><sm:url><sm:loc>http://site.test/b</sm:loc></sm:url></sm:urlset>').entries,
  ).toEqual([entries[1]])
})

it('reads an index, plain text, RSS and Atom', () => {
  expect(read('<sitemapindex><sitemap><loc>http://site.test/1.xml.gz</loc></sitemap></sitemapindex>')).toMatchObject({
    type: 'index',
    entries: ['http://site.test/1.xml.gz'],
  })
  expect(read('http://site.test/a\r\nhttp://site.test/b\n', 'text/plain')).toMatchObject({
    type: 'text',
    entries: ['http://site.test/a', 'http://site.test/b'],
  })
  expect(read('<rss><channel><item><link>http://site.test/r</link></item></channel></rss>')).toMatchObject({
    type: 'feed',
    entries: ['http://site.test/r'],
  })
  expect(read('<feed><entry><link href="http://site.test/f"/></entry></feed>')).toMatchObject({
    type: 'feed',
    entries: ['http://site.test/f'],
  })
})

it('unpacks gzip by its first bytes, whatever the headers say', () => {
  expect(read(gzipSync('<urlset><url><loc>http://site.test/z</loc></url></urlset>'), 'gzip').entries).toEqual([
    'http://site.test/z',
  ])
  expect(read(gzipSync('<urlset>'.repeat(1000)).subarray(0, 30)).warnings).toHaveLength(1)
})

it('skips empty entries, keeps both of two, resolves relative ones with a word', () => {
  const found = read(
    '<urlset><url><loc/></url><url><loc></loc></url><url><loc>/p</loc><loc>http://site.test/q</loc></url></urlset>',
  )
  expect(found.entries).toEqual(['http://site.test/p', 'http://site.test/q'])
  expect(found.warnings[0]).toMatch(/1 relative addresses, such as \/p/)
})

it('says so when there are more than 50,000, and reads them', () => {
  const found = read(`<urlset>${'<url><loc>http://site.test/x</loc></url>'.repeat(50_001)}</urlset>`)
  expect(found.entries).toHaveLength(50_001)
  expect(found.warnings).toEqual(['It lists 50,001 addresses; the limit is 50,000.'])
})

it('keeps what it read of a damaged one, expands no foreign entity, and knows what is no sitemap', () => {
  expect(read('<urlset><url><loc>http://site.test/a</loc></url><url><loc>http://site').entries).toEqual([
    'http://site.test/a',
  ])
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>http://site.test/&b;</loc></url></urlset>'
  expect(read(bomb).entries).toEqual(['http://site.test/&b;'])
  expect(read('<html><body><a href="/x">', 'text/html')).toEqual({
    type: 'none',
    entries: [],
    warnings: ['This is no sitemap.'],
  })
})

it('reads a million nested elements', () => {
  expect(read(`<urlset>${'<url>'.repeat(1_000_000)}<loc>http://site.test/deep</loc>`).entries).toEqual([
    'http://site.test/deep',
  ])
})

it('never throws', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => Array.isArray(read(Buffer.from(bytes)).entries)))
})
