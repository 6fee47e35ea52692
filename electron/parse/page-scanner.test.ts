import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageFacts } from '../../shared/parse-job.ts'
import { readPage } from './page-facts.ts'

const URL_OF_PAGE = 'https://example.test/dir/page'
const read = (markup: string, mediaType = 'text/html'): PageFacts =>
  readPage(Buffer.from(markup), `${mediaType}; charset=utf-8`, URL_OF_PAGE)

describe('title, headings and description', () => {
  it('are the first of their kind', () => {
    const { title, h1, h2, description } = read(`
      <TITLE> One &amp;
        two &copy </TITLE><title>x</title>
      <meta name=Description content=" a &quot;b&quot;  c "><meta name=description content=x>
      <h1>Head<br>ing <em>o</em>ne</h1><h1>x</h1><h2>Sub</h2><h2>x</h2>`)
    expect({ title, h1, h2, description }).toEqual({
      title: 'One & two ©',
      h1: 'Head ing one',
      h2: 'Sub',
      description: 'a "b" c',
    })
  })

  it('are empty where there are none, and where the first is', () => {
    const { title, h1, description } = read(
      '<title></title><title>x</title><meta name=description content><meta name=description content=x>',
    )
    expect([title, h1, description]).toEqual(['', '', ''])
  })

  it('do not come from svg, templates, comments and scripts', () => {
    const { title, h1 } = read(`<svg><title>tooltip</title></svg><template><h1>t</h1></template><!-- <h1>c</h1> -->
      <script>"<h1>s</h1>"</script><title>T</title><h1>H</h1>`)
    expect([title, h1]).toEqual(['T', 'H'])
  })

  it('keep tags in a title as text', () => {
    expect(read('<title>The <b> tag &lt;i></title><p>').title).toBe('The <b> tag <i>')
  })

  it('end at the next heading if they are not closed', () => {
    const { h1, h2 } = read('<h1>one<h2>two</h2><p>three')
    expect([h1, h2]).toEqual(['one', 'two'])
  })

  it('are cut at 2,000 characters', () => {
    const { title, h1, description } = read(
      `<title>${'x'.repeat(5_000)}</title><h1>${'y '.repeat(5_000)}</h1><meta name=description content="${'z'.repeat(5_000)}">`,
    )
    expect([title.length, h1.length, description.length]).toEqual([2_000, 1_999, 2_000])
  })
})

describe('what attributes say', () => {
  it('robots of both names, in order', () => {
    expect(
      read(
        '<meta name=ROBOTS content="noindex, follow"><meta content=nofollow name=sandpiper><meta name=otherbot content=x>',
      ).robots,
    ).toBe('noindex, follow, nofollow')
  })

  it('language', () => {
    expect(read('<html lang="de-AT"><html lang=en>').lang).toBe('de-AT')
    expect(read('<html xml:lang=fr>', 'application/xhtml+xml').lang).toBe('fr')
    expect(read('<p lang=en>').lang).toBe('')
  })

  it('canonical, resolved, the first of several', () => {
    expect(read('<link rel="Canonical" href="../x?a=1&amp;b#f"><link rel=canonical href=y>').canonical).toBe(
      'https://example.test/x?a=1&b',
    )
    expect(read('<link rel=canonical href="">').canonical).toBe('')
    expect(read('<link rel=canonical href="mailto:x">').canonical).toBe('')
  })

  it('languages of the page', () => {
    const { hreflang } =
      read(`<base href=/b/><link rel=alternate hreflang=de href=de><link rel=alternate hreflang=x-default href=/>
      <link rel=alternate hreflang=fr href="mailto:x"><link rel=alternate type=application/rss+xml href=feed>`)
    expect(JSON.parse(hreflang)).toEqual([
      ['de', 'https://example.test/b/de'],
      ['x-default', 'https://example.test/'],
    ])
    expect(read('<p>').hreflang).toBe('')
  })

  it('the first of two attributes with one name', () => {
    expect(read('<html lang=a LANG=b>').lang).toBe('a')
  })
})

describe('words', () => {
  it('are those of visible text', () => {
    expect(
      read(`<head><title>not these</title><style>no {}</style><script>no no</script></head>
        <body>one two<p>three</p>four<br>five <b>s</b>ix &amp; eight
        <template>no</template><noscript>ten</noscript><textarea>no</textarea><iframe>no</iframe><!-- no -->
        <svg><title>no</title><style>no</style><text>nine</text></svg><xmp><b> twelve</xmp></body>`).words,
    ).toBe(12)
  })
})

describe('encoding', () => {
  it('is named', () => {
    expect(readPage(Buffer.from('<meta charset=gb2312>'), '', URL_OF_PAGE).encoding).toBe('gbk')
  })
})

describe('bounds', () => {
  it('notes nesting of more than 512 elements, and reads on', () => {
    const { notes, title, links } = read(`<title>T</title><a href=/a>a</a>${'<div>'.repeat(100_000)}<a href=/b>b</a>`)
    expect([notes, title, links.urls]).toEqual([
      ['nesting_truncated'],
      'T',
      ['https://example.test/a', 'https://example.test/b'],
    ])
    expect(read(`${'<div>'.repeat(512)}<a href=/b>b</a>`).notes).toEqual([])
  })

  it.each([
    '<p>',
    '<li>',
    '<tr><td>',
    '<br>',
    '<b>',
    '<font>',
    '<option>',
    '<dt><dd>',
    '<img>',
    '<p><span>',
    '<h2>',
    '<div></div>',
    '<table><tr><td><div></table>',
    '<custom-a><custom-b></custom-b></custom-a>',
  ])('does not take 1,000 of %s for nesting', (markup) => {
    const { notes, links } = read(`${markup.repeat(1_000)}<a href=/b>b</a>`)
    expect([notes, links.urls.length]).toEqual([[], 1])
  })

  it('keeps 50,000 links', () => {
    const { notes, links, h1 } = read(`${'<a href=/x>x</a>'.repeat(50_001)}<h1>end</h1>`)
    expect([notes, links.urls.length, links.texts.length, links.kinds.length, links.flags.length, h1]).toEqual([
      ['links_truncated'],
      50_000,
      50_000,
      50_000,
      50_000,
      'end',
    ])
    expect(read('<a href=/x>x</a>'.repeat(50_000)).notes).toEqual([])
  })

  it('reads a tag with 100,000 attributes', () => {
    const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=${n}`).join(' ')
    expect(read(`<a ${attributes} href=/x>x</a>`).links.urls).toEqual(['https://example.test/x'])
  })

  it('never throws', () => {
    const scraps = fc.constantFrom(
      ...[
        '<',
        '>',
        '</',
        '/>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<!',
        '<?',
        '&',
        '&amp',
        ';',
        '"',
        "'",
        '=',
        ' ',
        '\0',
        '\ud800',
      ],
      ...[
        '<a href=',
        '<svg>',
        '</svg>',
        '<math>',
        '<foreignObject>',
        '<title>',
        '</title>',
        '<template>',
        '</template>',
        '<script>',
      ],
      ...[
        '</script>',
        '<base href=',
        '<iframe srcdoc="',
        '<meta http-equiv=refresh content="0;url=',
        '<img srcset="',
        '<h1>',
        '<plaintext>',
      ],
      ...['http://', '[', 'data:', '//', 'x', '<link rel=canonical href=', '<div>', '</div>', '<p>', '<textarea>'],
    )
    const bodies = fc.oneof(
      fc.array(fc.oneof(scraps, fc.string()), { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(bodies, fc.constantFrom('text/html', 'application/xhtml+xml'), (body, mediaType) => {
        const { links } = readPage(body, mediaType, URL_OF_PAGE)
        expect(new Set([links.urls.length, links.texts.length, links.kinds.length, links.flags.length]).size).toBe(1)
        for (const url of links.urls) expect(url).toMatch(/^(?:https?:\/\/[^#]*)?$/)
      }),
      { numRuns: 2_000 },
    )
  })
})
