import type { PageFacts } from '../../shared/parse-job.ts'
import { decodeText } from './encoding.ts'
import { LinkCollector } from './link-collector.ts'
import { PageScanner } from './page-scanner.ts'
import { LinkResolver } from './resolve-link.ts'

const XHTML = /^[\t ]*application\/xhtml\+xml/i

/**
 * Everything kept about an HTML page, its links resolved against its base.
 * @param contentType the header's value, empty if absent
 * @param url the page's address
 * @throws TypeError if `url` is not absolute
 */
export function readPage(bytes: Buffer, contentType: string, url: string): PageFacts {
  const { text, encoding } = decodeText(bytes, contentType)
  const links = new LinkCollector()
  const { elements, headings, wordCount, nesting } = PageScanner.scan(text, links, XHTML.test(contentType))
  const resolver = new LinkResolver(documentBase(elements.base, url))
  return {
    title: headings.title?.toString() ?? '',
    description: elements.description ?? '',
    h1: headings.h1?.toString() ?? '',
    h2: headings.h2?.toString() ?? '',
    canonical: absolute(elements.canonical, resolver),
    robots: elements.robots.join(', '),
    lang: elements.lang,
    hreflang: hreflangJson(elements.hreflang, resolver),
    words: wordCount.words,
    encoding,
    notes: [...(links.truncated ? ['links_truncated'] : []), ...(nesting.isTooDeep ? ['nesting_truncated'] : [])],
    links: links.resolve(resolver),
  }
}

/** HTML §4.2.3: the first base element, resolved against the page; data: and javascript: are no bases. */
function documentBase(base: string | null, url: string): string {
  if (base === null) return url
  const resolved = URL.parse(base, url)
  return resolved === null || resolved.protocol === 'data:' || resolved.protocol === 'javascript:' ? url : resolved.href
}

function absolute(address: string, resolver: LinkResolver): string {
  if (address === '') return ''
  const resolved = resolver.resolve(address)
  return resolved.kind === 'url' ? resolved.url : ''
}

/** Leaves out what is no web address; empty if nothing is left. */
function hreflangJson(alternates: readonly [string, string][], resolver: LinkResolver): string {
  const resolved = alternates
    .map(([language, address]) => [language, absolute(address, resolver)])
    .filter(([, url]) => url !== '')
  return resolved.length === 0 ? '' : JSON.stringify(resolved)
}
