import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LINK_KINDS } from '../../shared/link-kind.ts'
import { readPage } from './page-facts.ts'

const URL_OF_PAGE = 'http://site.test/dir/page.html'
const read = (html: string, url = URL_OF_PAGE) => readPage(Buffer.from(html), 'text/html; charset=utf-8', url)
/** "kind url" of every link, in order. */
const links = (html: string, url?: string): string[] => {
  const { urls, kinds } = read(html, url).links
  return urls.map((each, n) => `${LINK_KINDS[kinds[n]!]} ${each}`)
}
const texts = (html: string): string[] => read(html).links.texts

describe('facts', () => {
  it('reads what a page says of itself, first of each', () => {
    const facts = read(`<!doctype html><html lang="de-CH"><head><title> A
      title </title><title>second</title><meta name="Description" content="What it &amp; is">
      <meta name=description content=later><meta name="robots" content="noindex,follow"><meta name="sandpiper" content="nofollow">
      <link rel="canonical" href="/canon#x"></head><body><h1>One <b>big</b> thing</h1><h1>Two</h1><h2>Sub</h2>`)
    expect(facts).toMatchObject({
      title: 'A title',
      description: 'What it & is',
      robots: 'noindex,follow, nofollow',
      lang: 'de-CH',
      canonical: 'http://site.test/canon',
      h1: 'One big thing',
      h2: 'Sub',
      encoding: 'utf-8',
      notes: [],
    })
  })

  it('counts visible words: inline tags do not part them, blocks do; scripts, styles and titles are not read', () => {
    const html = `<title>not these</title><style>a b c</style><p>one t<b>w</b>o</p><div>three</div>four&nbsp;five
      <script>var x = 1</script><textarea>six seven</textarea><template>eight</template><noscript>nine</noscript>`
    expect(read(html).words).toBe(6)
  })

  it('takes the title of the page, not of a drawing in it', () => {
    expect(read('<svg><title>drawing</title></svg><title>page</title>').title).toBe('page')
  })

  it('keeps language alternates', () => {
    expect(read('<link rel="alternate" hreflang="de" href="/de/">').hreflang).toBe('[["de","http://site.test/de/"]]')
  })

  it('caps a hostile title and never cuts a character in two', () => {
    const { title } = read(`<title>${'😀'.repeat(50_000)}</title>`)
    expect(title.length).toBeLessThanOrEqual(2_000)
    expect(title.isWellFormed()).toBe(true)
  })
})

describe('links of every kind', () => {
  it.each([
    ['<a href="x">t</a>', ['a http://site.test/dir/x']],
    ['<A HREF=x>t</A>', ['a http://site.test/dir/x']],
    ["<a class=c href='x?a=1&amp;b=2'>t</a>", ['a http://site.test/dir/x?a=1&b=2']],
    ['<map><area href="/m"></map>', ['area http://site.test/m']],
    ['<iframe src="/f"></iframe><frame src="/g">', ['iframe http://site.test/f', 'frame http://site.test/g']],
    ['<iframe srcdoc="<a href=&quot;/inner&quot;>x</a>"></iframe>', ['a http://site.test/inner']],
    [
      '<link rel="next" href="2"><link rel=PREV href="0">',
      ['next http://site.test/dir/2', 'prev http://site.test/dir/0'],
    ],
    [
      '<link rel="stylesheet" href="s.css"><link rel="alternate stylesheet" href="t.css">',
      ['stylesheet http://site.test/dir/s.css', 'stylesheet http://site.test/dir/t.css'],
    ],
    ['<link rel=icon href=/i.ico>', []],
    [`<meta http-equiv="Refresh" content="5; URL='/next'">`, ['refresh http://site.test/next']],
    [
      '<img src="a.png" srcset="b.png 1x, c.png 2x">',
      ['img http://site.test/dir/a.png', 'srcset http://site.test/dir/b.png', 'srcset http://site.test/dir/c.png'],
    ],
    ['<video><source src="v.mp4"></video>', ['source http://site.test/dir/v.mp4']],
    ['<script src="/s.js"></script>', ['script http://site.test/s.js']],
    ['<svg><a xlink:href="/svg"><text>x</text></a></svg>', ['a http://site.test/svg']],
    ['<noscript><a href="/no">x</a></noscript>', ['a http://site.test/no']],
  ])('%s', (html, expected) => {
    expect(links(html)).toEqual(expected)
  })

  it('sees nothing in comments, templates, scripts, styles and text areas', () => {
    const html = `<!-- <a href=1> --><template><a href=2></a><template><a href=3></a></template><a href=4></a></template>
      <script>"<a href=5>"</script><style><a href=6></style><textarea><a href=7></textarea><a href=8>`
    expect(links(html)).toEqual(['a http://site.test/dir/8'])
  })

  it('leaves out what leads to no web page, and records an address that cannot be read', () => {
    const html = `<a href="javascript:void(0)">j</a><a href="mailto:x@y.z">m</a><a href="tel:1">t</a><a href="data:text/html,x">d</a>
      <a href="http://exa mple.test/">bad</a><a href="">self</a><a href="#top">top</a>`
    const { urls, texts: text } = read(html).links
    expect(urls).toEqual(['', URL_OF_PAGE, URL_OF_PAGE])
    expect(text[0]).toBe('http://exa mple.test/')
  })

  it('drops fragments and credentials', () => {
    expect(links('<a href="http://u:p@other.test/x#y">t</a>')).toEqual(['a http://other.test/x'])
  })

  it('reads rel of a link', () => {
    expect([...read('<a rel="NoFollow sponsored" href=x><a rel=ugc href=y>').links.flags]).toEqual([5, 2])
  })

  it('keeps anchor text, or what stands for it', () => {
    expect(texts('<a href=1>one <b>two</b>\n three</a><a href=2><img src=p alt="a picture"></a><a href=3>')).toEqual([
      'one two three',
      'a picture',
      'a picture',
      '',
    ])
  })

  it('survives unclosed tags, odd nesting and attributes without end', () => {
    expect(links('<div><a href=1><p><a href=2</div><a href="3">x')).toContain('a http://site.test/dir/1')
    expect(links('<a href="never ends')).toEqual([])
  })
})

describe('the base of addresses', () => {
  it.each([
    ['http://site.test/v1/a', '<base href="/v2/"><base href="/v3/"><a href=p>', 'http://site.test/v2/p'],
    ['http://site.test/v1/a', '<a href=p><base href="x/">', 'http://site.test/v1/x/p'],
    ['http://site.test/v1/a', '<base href="javascript:1"><a href=p>', 'http://site.test/v1/p'],
    ['http://site.test/v1/a', '<base target=_top><base href="http://cdn.test/"><a href=p>', 'http://cdn.test/p'],
    ['http://site.test/dev/repo/', '<a href="scripts/">', 'http://site.test/dev/repo/scripts/'],
    ['http://site.test/dev/repo', '<a href="scripts/">', 'http://site.test/dev/scripts/'],
  ])('%s with %s', (url, html, expected) => {
    expect(read(html, url).links.urls).toEqual([expected])
  })
})

describe('hostile pages', () => {
  it('reads 100,000 nested elements and 100,000 attributes to the last link', () => {
    const nested = `${'<div>'.repeat(100_000)}<a href="/end">`
    expect(links(nested)).toEqual(['a http://site.test/end'])
    const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(' ')
    expect(links(`<img ${attributes} src="/x"><a href="/end">`)).toContain('a http://site.test/end')
  })

  it('keeps the first 50,000 links of a page and says so', () => {
    const facts = read('<a href=x>'.repeat(60_000))
    expect(facts.links.urls).toHaveLength(50_000)
    expect(facts.notes).toEqual(['links_truncated'])
  })

  it('never throws, and keeps its columns equally long', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<a href="',
        '">',
        '<base href=',
        '<!--',
        '<template>',
        '</',
        'srcset="',
        ' 1x, ',
        '&#x',
        '<svg>',
        '<![CDATA[',
        '\0',
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const { urls, kinds, flags, texts: text } = read(parts.join('')).links
        expect([kinds.length, flags.length, text.length]).toEqual([urls.length, urls.length, urls.length])
      }),
    )
  })
})
