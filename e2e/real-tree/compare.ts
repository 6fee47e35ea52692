import { readFileSync } from 'node:fs'
import type { Walked } from './walk-tree.ts'

/** Holds a crawl's exports against what a walk of the files found. */

interface PageRow {
  url: string
  status: number | null
  state: string
  content_type: string | null
  title: string | null
}

interface ErrorRow {
  url: string
  status: number | null
  referrer: string | null
}

const readRows = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

/** One line for each difference. */
export function compareWithWalk(walked: Walked, pagesFile: string, errorsFile: string): string[] {
  const rows = readRows<PageRow>(pagesFile)
  const html = rows.filter((row) => row.status === 200 && row.content_type?.startsWith('text/html'))
  const crawled = new Map(html.map((row) => [row.url, row.title ?? '']))
  const differences = [
    ...[...walked.pages.keys()].filter((url) => !crawled.has(url)).map((url) => `not crawled: ${url}`),
    ...[...crawled.keys()].filter((url) => !walked.pages.has(url)).map((url) => `not in the files: ${url}`),
    ...[...walked.pages]
      .filter(([url, title]) => crawled.has(url) && crawled.get(url) !== title)
      .map(([url, title]) => `title of ${url}: "${crawled.get(url)}", in the file "${title}"`),
  ]
  if (new Set(rows.map(({ url }) => url)).size !== rows.length) differences.push('a page is listed twice')
  return [...differences, ...compareBroken(walked, readRows<ErrorRow>(errorsFile))]
}

function compareBroken({ broken }: Walked, rows: ErrorRow[]): string[] {
  const listed = new Map<string, Set<string>>()
  for (const { url, status, referrer } of rows) {
    if (status !== 404 && status !== 403) continue
    const referrers = listed.get(url) ?? new Set()
    listed.set(url, referrers)
    if (referrer !== null) referrers.add(referrer)
  }
  const differences: string[] = []
  for (const [url, referrers] of broken) {
    const missing = [...referrers].filter((referrer) => !listed.get(url)?.has(referrer))
    if (missing.length > 0) differences.push(`broken link not listed: ${url} on ${missing.join(', ')}`)
  }
  for (const url of listed.keys())
    if (!broken.has(url)) differences.push(`listed as broken, but the file is there: ${url}`)
  return differences
}
