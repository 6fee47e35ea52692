import { describe, expect, it } from 'vitest'
import { LINK_KINDS } from '../../shared/link-kind.ts'
import { readPage } from './page-facts.ts'

/** Each link as "kind path text flags", without what it has not. */
const linksOf = (markup: string, mediaType = 'text/html', url = 'https://example.test/dir/page'): string[] => {
  const { links } = readPage(Buffer.from(markup), `${mediaType}; charset=utf-8`, url)
  return links.urls.map((address, n) =>
    [
      LINK_KINDS[links.kinds[n]!],
      address.replace('https://example.test', '') || '(none)',
      links.texts[n],
      links.flags[n],
    ]
      .filter(Boolean)
      .join(' '),
  )
}

describe('kinds', () => {
  it.each([
    ['<a href=x>text</a>', ['a /dir/x text']],
    ['<AREA HREF=x ALT=Alt>', ['area /dir/x Alt']],
    ['<iframe src=x></iframe>', ['iframe /dir/x']],
    ['<frameset><frame src=x></frameset>', ['frame /dir/x']],
    ['<link rel=canonical href=x>', ['canonical /dir/x']],
    ['<link rel="next nofollow" href=x>', ['next /dir/x 1']],
    ['<link rel=prev href=x>', ['prev /dir/x']],
    ['<link rel=alternate hreflang=de href=x>', ['alternate /dir/x de']],
    ['<link rel="alternate stylesheet" href=x>', ['stylesheet /dir/x']],
    ['<link rel=STYLESHEET href=x>', ['stylesheet /dir/x']],
    ['<link rel=icon href=x><link href=y>', []],
    ['<meta http-equiv=Refresh content="0; url=\'x\'">', ['refresh /dir/x']],
    ['<img src=x alt="An  image">', ['img /dir/x An image']],
    ['<img srcset="x 1x, y,z 2x">', ['srcset /dir/x', 'srcset /dir/y,z']],
    ['<picture><source srcset=x><img src=y></picture>', ['srcset /dir/x', 'img /dir/y']],
    ['<video src=x><source src=y></video><audio src=z>', ['source /dir/x', 'source /dir/y', 'source /dir/z']],
    ['<script src=x></script>', ['script /dir/x']],
    ['<svg><a xlink:href=x><text>t</text></a><a href=y /></svg>', ['a /dir/x t', 'a /dir/y']],
  ])('%s', (markup, links) => {
    expect(linksOf(markup)).toEqual(links)
  })

  it('srcdoc is read as a page with the base of this one', () => {
    expect(
      linksOf(
        '<base href=/b/><iframe src=s srcdoc="<a href=x>t</a><base href=/no/><iframe srcdoc=\'&amp;lt;a href=y>\'></iframe>"></iframe>',
      ),
    ).toEqual(['iframe /b/s', 'a /b/x t', 'a /b/y'])
  })

  it('srcdoc says nothing else about the page', () => {
    const { title, words, robots } = readPage(
      Buffer.from('<iframe srcdoc="<title>t</title><meta name=robots content=none>words"></iframe>'),
      '',
      'https://example.test/',
    )
    expect([title, words, robots]).toEqual(['', 0, ''])
  })
})

describe('flags', () => {
  it('are those of rel, in any case and order', () => {
    expect(
      linksOf('<a href=x rel="NoFollow  sponsored">a</a><a href=x rel=ugc>b</a><a href=x rel=noopener>c</a>'),
    ).toEqual(['a /dir/x a 5', 'a /dir/x b 2', 'a /dir/x c'])
  })
})

describe('text', () => {
  it.each([
    ['<a href=x> one <b>t</b>wo\n three </a>', 'one two three'],
    ['<a href=x><div>one</div><div>two</div></a>', 'one two'],
    ['<a href=x>a<br>b</a>', 'a b'],
    ['<a href=x><img alt="One"><img alt=Two></a>', 'One Two'],
    ['<a href=x><img alt=One> text</a>', 'text'],
    ['<a href=x><img alt=One><noscript><img alt=One></noscript></a>', 'One'],
    ['<a href=x>a<script>no</script><style>no</style>b</a>', 'a b'],
    ['<a href=x>caf&eacute; &lt;b&gt;</a>', 'café <b>'],
    [`<a href=x>${' '.repeat(1_000)}far</a>`, 'far'],
    [`<a href=x>${'x'.repeat(300)}</a>`, 'x'.repeat(200)],
  ])('%s', (markup, text) => {
    expect(linksOf(markup).filter((link) => link.startsWith('a '))).toEqual([`a /dir/x ${text}`])
  })

  it('of an unclosed link ends at the next, or at the end', () => {
    expect(linksOf('<a href=x>one<a href=y>two<a name=z>three</a>four<a href=w>five')).toEqual([
      'a /dir/x one',
      'a /dir/y two',
      'a /dir/w five',
    ])
  })
})

describe('addresses', () => {
  it('of the page itself', () => {
    expect(linksOf('<a href="">self</a><a href>none</a><a href="#top">top</a><a>no</a>')).toEqual([
      'a /dir/page self',
      'a /dir/page none',
      'a /dir/page top',
    ])
  })

  it('that load nothing', () => {
    expect(linksOf('<img src=""><script src=" "></script><iframe src></iframe><link rel=next href="">')).toEqual([])
  })

  it('that are no web addresses are left out, broken ones stay with their raw form', () => {
    expect(
      linksOf(
        '<a href="javascript:void(0)">j</a><a href="mailto:a@b">m</a><a href="tel:1">t</a><img src="data:,x"><a href="http://exa mple.test/">bad</a><a href=ok>ok</a>',
      ),
    ).toEqual(['a (none) http://exa mple.test/', 'a /dir/ok ok'])
  })

  it('that are too long stay with the beginning of their raw form', () => {
    expect(linksOf(`<a href="/${'x'.repeat(9_000)}">t</a>`)).toEqual([`a (none) /${'x'.repeat(199)}`])
  })

  it('have their references decoded', () => {
    expect(linksOf('<a href="?a=1&amp;b=2&copy=3&#x26;c">t</a>')).toEqual(['a /dir/page?a=1&b=2&copy=3&c t'])
  })

  it.each([
    ['<a href=x/y?z=1>t', 'a /dir/x/y?z=1 t'],
    ["<a href='x'>t", 'a /dir/x t'],
    ['<A\nHREF = "x" >t', 'a /dir/x t'],
    ['<a class=c href=x/>t', 'a /dir/x/ t'],
    ['<a href="x"class=c>t', 'a /dir/x t'],
    ['<a title="a > b" href=x>t', 'a /dir/x t'],
    ['<a href=" x\n">t', 'a /dir/x t'],
  ])('are read from %j', (markup, link) => {
    expect(linksOf(markup)).toEqual([link])
  })

  it('are relative to the directory', () => {
    expect(linksOf('<a href="scripts/">t', 'text/html', 'https://example.test/dev/repo/')).toEqual([
      'a /dev/repo/scripts/ t',
    ])
    expect(linksOf('<a href="scripts/">t', 'text/html', 'https://example.test/dev/repo')).toEqual(['a /dev/scripts/ t'])
  })
})

describe('base', () => {
  it.each([
    ['<base href="/v2/"><base href="/v3/"><a href=p>', '/v2/p'],
    ['<base href="x/"><a href=p>', '/dir/x/p'],
    ['<a href=p><base href="/late/">', '/late/p'],
    ['<base target=_blank><base href=/v2/><a href=p>', '/v2/p'],
    ['<base href=""><base href="/v3/"><a href=p>', '/dir/p'],
    ['<base href="javascript:x"><base href="/v3/"><a href=p>', '/dir/p'],
    ['<base href="data:,x"><a href=p>', '/dir/p'],
    ['<base href="http://["><a href=p>', '/dir/p'],
    ['<template><base href=/no/></template><a href=p>', '/dir/p'],
    ['<base href="/v2/"><a href="#top">', '/v2/'],
  ])('%s', (markup, path) => {
    expect(linksOf(markup)).toEqual([`a ${path}`])
  })
})

describe('inert and raw parts', () => {
  it.each([
    '<!-- <a href=no> --><a href=x>t</a>',
    '<!-- a > b <a href=no> --!><a href=x>t</a>',
    '<!--><a href=x>t</a><!-- -->',
    '<template><a href=no><template></template><a href=no></template><a href=x>t</a>',
    '<script>"<a href=no>"</script><a href=x>t</a>',
    '<script>"<\\/script><a href=no>"</SCRIPT ><a href=x>t</a>',
    '<style><a href=no></style><a href=x>t</a>',
    '<title><a href=no></title><a href=x>t</a>',
    '<textarea><a href=no></textarea><a href=x>t</a>',
    '<iframe><a href=no></iframe><a href=x>t</a>',
    '<noembed><a href=no></noembed><a href=x>t</a>',
    '<noframes><a href=no></noframes><a href=x>t</a>',
    '<xmp><a href=no></xmp><a href=x>t</a>',
    '<a href=x>t</a><plaintext><a href=no>',
    '<p title="<a href=no>"><a href=x>t</a>',
    '<![CDATA[<a href=no>]]><a href=x>t</a>',
    '<div><![CDATA[ x > <a href=x>t</a> ]]></div>',
    '<![CDATA[ > <a href=x>t</a>',
    '<?php echo "<a href=no>"; ?><a href=x>t</a>',
    '<!doctype html [<!ELEMENT a>]><a href=x>t</a>',
    '< a href=no><a href=x>t</a></ a>',
    '<a href=x>t</a><a href="no',
    '<svg><style><!-- </style><a href=no> --></svg><a href=x>t</a>',
    '<svg><p><title><a href=no></title><a href=x>t</a>',
    '<svg><path><p></p><script>"<a href=no>"</script><a href=x>t</a>',
    '<svg><foreignObject><script>"<a href=no>"</script></foreignObject></svg><a href=x>t</a>',
    '<script/><a href=no></script><a href=x>t</a>',
  ])('%s', (markup) => {
    expect(linksOf(markup)).toEqual(['a /dir/x t'])
  })

  it('noscript is read, as no script runs', () => {
    expect(linksOf('<noscript><a href=x>t</a><img src=y></noscript>')).toEqual(['a /dir/x t', 'img /dir/y'])
  })

  it('resources in them do not count either', () => {
    expect(linksOf('<template><img src=a><script src=b></script><link rel=next href=c></template>')).toEqual([])
  })
})

describe('XHTML', () => {
  it('knows tags that close themselves, and CDATA', () => {
    const markup = `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>
      <script src="s"/><script>//<![CDATA[
      if (a < b) "<a href='no'>" //]]></script></head>
      <body><textarea/><a id="anchor"/><div/><p><![CDATA[one <a href="no"> & ]]></p><a href="x">t</a></body></html>`
    expect(linksOf(markup, 'application/xhtml+xml')).toEqual(['script /dir/s', 'a /dir/x t'])
  })

  it('does not take empty elements for nesting', () => {
    expect(linksOf(`${'<div/>'.repeat(1_000)}<a href="x">t</a>`, 'application/xhtml+xml')).toEqual(['a /dir/x t'])
  })
})
