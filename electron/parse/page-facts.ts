import type { PageFacts } from '../../shared/parse-job.ts'
import { decodeText } from './encoding.ts'
import { LinkCollector } from './link-collector.ts'
import { PageScanner } from './page-scanner.ts'
import { LinkResolver } from './resolve-link.ts'

/** Everything kept about an HTML page, its links resolved against its base. */
export function readPage(bytes: Buffer, contentType: string, url: string): PageFacts {
  const { text, encoding } = decodeText(bytes, contentType)
  const collector = new LinkCollector()
  const page = PageScanner.scan(text, collector)
  const resolver = new LinkResolver(documentBase(page.base, url))
  return {
    title: page.title,
    description: page.description,
    h1: page.h1,
    h2: page.h2,
    canonical: absolute(page.canonical, resolver),
    robots: page.robots.join(', '),
    lang: page.lang,
    hreflang:
      page.hreflang.length === 0
        ? ''
        : JSON.stringify(page.hreflang.map(([language, address]) => [language, absolute(address, resolver)])),
    words: page.words,
    encoding,
    notes: collector.truncated ? ['links_truncated'] : [],
    links: collector.resolve(resolver),
  }
}

/** HTML §4.2.3: the first base element, resolved against the page; data: and javascript: are no bases. */
function documentBase(base: string, url: string): string {
  if (base === '') return url
  const resolved = URL.parse(base, url)
  return resolved === null || resolved.protocol === 'data:' || resolved.protocol === 'javascript:' ? url : resolved.href
}

function absolute(address: string, resolver: LinkResolver): string {
  if (address === '') return ''
  const resolved = resolver.resolve(address)
  return resolved.kind === 'url' ? resolved.url : ''
}
