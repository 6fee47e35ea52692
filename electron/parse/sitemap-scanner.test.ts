import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SitemapFile } from '../../shared/parse-job.ts'
import { readSitemapFile } from './sitemap-file.ts'

const MAX = 50_000_000
const read = (body: string | Buffer, contentType = 'application/xml', maxBytes = MAX): SitemapFile =>
  readSitemapFile(Buffer.from(body as string), contentType, 'https://example.test/dir/sitemap.xml', maxBytes)

const urlset = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

describe('kinds of files', () => {
  it('urlset', () => {
    expect(
      read(
        urlset(`<url>\n <loc>\n https://example.test/a?x=1&amp;y=2 </loc><lastmod>2024</lastmod></url>
        <url><loc><![CDATA[https://example.test/b?x&y]]></loc></url><url><loc>http://other.test/&#99;#f</loc></url>`),
      ),
    ).toEqual({
      type: 'urlset',
      entries: ['https://example.test/a?x=1&y=2', 'https://example.test/b?x&y', 'http://other.test/c'],
      warnings: [],
    })
  })

  it('index', () => {
    const { type, entries } = read(
      '<sitemapindex><sitemap><loc>https://example.test/s1.xml.gz</loc></sitemap></sitemapindex>',
    )
    expect([type, entries]).toEqual(['index', ['https://example.test/s1.xml.gz']])
  })

  it('without namespace, with prefixes, without declaration', () => {
    expect(read('<urlset><url><loc>https://example.test/a</loc></url></urlset>').entries).toEqual([
      'https://example.test/a',
    ])
    expect(
      read('<s:urlset xmlns:s="x"><s:url><s:loc>https://example.test/a</s:loc></s:url></s:urlset>').entries,
    ).toEqual(['https://example.test/a'])
  })

  it('takes no images, videos and languages for pages', () => {
    expect(
      read(
        urlset(`<url><loc>https://example.test/a</loc><image:image><image:loc>https://example.test/i.png</image:loc></image:image>
        <video:video><video:player_loc>https://example.test/v</video:player_loc></video:video>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.test/de"/></url>`),
      ).entries,
    ).toEqual(['https://example.test/a'])
  })

  it('plain text, with any line ends and a byte order mark', () => {
    expect(
      read('\ufeffhttps://example.test/a\r\n\r\n https://example.test/b\rhttps://example.test/c\n', 'text/plain'),
    ).toEqual({
      type: 'text',
      entries: ['https://example.test/a', 'https://example.test/b', 'https://example.test/c'],
      warnings: [],
    })
  })

  it('RSS', () => {
    const { type, entries } = read(`<rss version="2.0"><channel><link>https://example.test/</link>
      <atom:link rel="self" href="https://example.test/feed"/>
      <item><title>x</title><link>https://example.test/a?x&amp;y</link><guid>https://example.test/no</guid></item></channel></rss>`)
    expect([type, entries]).toEqual(['feed', ['https://example.test/', 'https://example.test/a?x&y']])
  })

  it('Atom', () => {
    const { type, entries } =
      read(`<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://example.test/feed"/>
      <entry><link href="https://example.test/a?x&amp;y"/><link rel="enclosure" href="https://example.test/a.mp3"/></entry>
      <entry><link rel="alternate" href="https://example.test/b"></link></entry></feed>`)
    expect([type, entries]).toEqual(['feed', ['https://example.test/a?x&y', 'https://example.test/b']])
  })

  it('RSS 1.0', () => {
    expect(read('<rdf:RDF><item><link>https://example.test/a</link></item></rdf:RDF>').type).toBe('feed')
  })

  it.each([
    ['<!DOCTYPE html><html><body><a href="/x">x</a></body></html>', 'application/xml'],
    ['<html>', 'text/html; charset=utf-8'],
    ['Not found', 'text/plain'],
    ['{"a":1}', 'application/json'],
    ['', ''],
    ['<?xml version="1.0"?><other><loc>https://example.test/</loc></other>', 'text/xml'],
  ])('none: %j', (body, contentType) => {
    expect(read(body, contentType)).toEqual({ type: 'none', entries: [], warnings: ['This is no sitemap.'] })
  })
})

describe('lenient reading', () => {
  it('skips empty entries and keeps two in one', () => {
    const { entries, warnings } = read(
      urlset(
        '<url><loc/></url><url><loc> </loc></url><url><loc>https://example.test/a</loc><loc>https://example.test/b</loc></url>',
      ),
    )
    expect([entries, warnings]).toEqual([['https://example.test/a', 'https://example.test/b'], []])
  })

  it('resolves relative entries, with a warning', () => {
    expect(read(urlset('<url><loc>/p</loc></url><url><loc>q</loc></url>'))).toEqual({
      type: 'urlset',
      entries: ['https://example.test/p', 'https://example.test/dir/q'],
      warnings: ['2 relative addresses, such as /p'],
    })
  })

  it('leaves out what is no web address, with a warning', () => {
    const { entries, warnings } = read(
      urlset(`<url><loc>mailto:x</loc></url><url><loc>http://exa mple.test/</loc></url>
      <url><loc>https://example.test/${'x'.repeat(9_000)}</loc></url><url><loc>https://example.test/a</loc></url>`),
    )
    expect([entries, warnings]).toEqual([
      ['https://example.test/a'],
      ['3 entries are no web addresses, such as mailto:x'],
    ])
  })

  it('reads more than 50,000, with a warning, and no more than 200,000', () => {
    const entry = (n: number): string => `<url><loc>https://example.test/${n}</loc></url>`
    const file = (count: number): SitemapFile =>
      read(urlset(Array.from({ length: count }, (_, n) => entry(n)).join('')))
    expect(file(50_000).warnings).toEqual([])
    expect([file(50_001).entries.length, file(50_001).warnings]).toEqual([
      50_001,
      ['It lists 50,001 addresses; the limit is 50,000.'],
    ])
    const huge = file(200_500)
    expect([huge.entries.length, huge.warnings]).toEqual([
      200_000,
      ['It lists 200,000 addresses; the limit is 50,000. The rest was not read.'],
    ])
  })

  it('keeps what stands before damage, and after it', () => {
    const { entries } = read(
      urlset(
        '<url><loc>https://example.test/a</loc></url><url><<loc>https://</url>& <url><loc>https://example.test/b</loc></url><url><loc>https://examp',
      ).replace('</urlset>', ''),
    )
    expect([entries[0], entries.at(-1)]).toEqual(['https://example.test/a', 'https://example.test/b'])
  })

  it('expands no entities of its own', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "https://example.test/">]>'
    expect(read(`${bomb}<urlset><url><loc>/&a;x&eacute;</loc></url></urlset>`).entries).toEqual([
      'https://example.test/&a;x&eacute;',
    ])
  })

  it('reads the encoding of its declaration', () => {
    const bytes = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>/caf\xe9</loc></url></urlset>',
      'latin1',
    )
    expect(read(bytes).entries).toEqual(['https://example.test/caf%C3%A9'])
  })

  it('never throws', () => {
    const scraps = fc.constantFrom(
      '<urlset>',
      '<url>',
      '<loc>',
      '</loc>',
      '<loc/>',
      '<',
      '>',
      '&',
      '&#',
      ';',
      '<![CDATA[',
      ']]>',
      '<!--',
      '<?',
      'http://',
      '/',
      '<rss>',
      '<link>',
      ' href="',
      '\x1f\x8b',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string()), { maxLength: 40 }), (parts) => {
        for (const entry of read(Buffer.from(parts.join(''), 'latin1')).entries) expect(URL.canParse(entry)).toBe(true)
      }),
    )
  })
})

describe('gzip', () => {
  const file = urlset(
    Array.from({ length: 2_000 }, (_, n) => `<url><loc>https://example.test/${(n * 7_919) % 10_007}</loc></url>`).join(
      '',
    ),
  )

  it('is seen by its first bytes, whatever the header says', () => {
    expect(read(gzipSync(file), 'application/gzip').entries).toHaveLength(2_000)
    expect(read(gzipSync(file), 'text/xml').warnings).toEqual([])
  })

  it('cut short gives what came', () => {
    const { type, entries, warnings } = read(gzipSync(file).subarray(0, -2_000), 'application/gzip')
    expect([type, warnings]).toEqual(['urlset', ['Its compression is damaged.']])
    expect(entries.length).toBeGreaterThan(100)
    expect(entries.length).toBeLessThan(2_000)
  })

  it('damaged or beyond the cap gives nothing', () => {
    const damaged = gzipSync(file)
    damaged.fill(0xff, 20, 60)
    expect(read(damaged)).toEqual({ type: 'none', entries: [], warnings: ['Its compression is damaged.'] })
    expect(read(gzipSync(Buffer.alloc(20_000_000, 32)), '', 1_000_000)).toEqual({
      type: 'none',
      entries: [],
      warnings: ['It is too large when unzipped.'],
    })
  })
})
