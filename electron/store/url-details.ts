import { linkKindNumber } from '../../shared/link-kind.ts'
import type { UrlDetails } from '../../shared/url-details.ts'
import type { Database } from './database.ts'
import { FOUND } from './frontier-store.ts'
import { UrlRows } from './url-rows.ts'

/** Everything about one URL but its links, which may be many. */

const MAX_HOPS = 10
const MAX_ATTEMPTS = 1_000
const FOUND_WORDS = Object.keys(FOUND) as (keyof typeof FOUND)[]

type Stored = Omit<UrlDetails, 'row' | 'found' | 'hreflang' | 'headers' | 'redirects' | 'attempts'> & {
  found: number
  hreflang: string
  headers: string
}

/** @returns null when there is no such URL */
export function readDetails(db: Database, id: number): UrlDetails | null {
  const row = new UrlRows(db).read(id)
  if (row === null) return null
  const stored = db
    .prepare(
      `SELECT found, coalesce(description, '') AS description, coalesce(h1, '') AS h1, coalesce(h2, '') AS h2,
         coalesce(canonical, '') AS canonical, coalesce(robots, '') AS metaRobots, coalesce(lang, '') AS lang,
         coalesce(hreflang, '') AS hreflang, coalesce(encoding, '') AS encoding, coalesce(notes, '') AS notes,
         coalesce(hash, '') AS hash, wire_bytes AS wireBytes, coalesce(out_count, 0) AS outlinks, crashes,
         iif(state = 3, not_before, NULL) AS notBefore, coalesce(headers, '') AS headers
       FROM urls LEFT JOIN pages ON url_id = id WHERE id = ?`,
    )
    .get(id) as Stored
  return {
    ...stored,
    row,
    found: FOUND_WORDS[stored.found]!,
    hreflang: parseHreflang(stored.hreflang),
    headers: parseHeaders(stored.headers),
    redirects: readRedirects(db, { id, url: row.url, status: row.status }),
    attempts: db
      .prepare(
        `SELECT started_at AS startedAt, ended_at AS endedAt, outcome, status FROM attempts WHERE url_id = ?
         ORDER BY epoch, started_at LIMIT ${MAX_ATTEMPTS}`,
      )
      .all(id) as UrlDetails['attempts'],
  }
}

/** The first hop that leads back closes the list: it shows the circle. */
function readRedirects(db: Database, from: UrlDetails['redirects'][number]): UrlDetails['redirects'] {
  const next = db.prepare(
    `SELECT id, url, status FROM links JOIN urls ON id = dst_id LEFT JOIN pages ON url_id = id
     WHERE src_id = ? AND ord = 0 AND kind = ${linkKindNumber.redirect}`,
  )
  const hops = [from]
  const seen = new Set<number>()
  for (let at = from; hops.length <= MAX_HOPS && !seen.has(at.id); ) {
    seen.add(at.id)
    const hop = next.get(at.id) as typeof from | undefined
    if (hop === undefined) break
    hops.push(hop)
    at = hop
  }
  return hops
}

/** Pairs of language and address. */
function parseHreflang(json: string): UrlDetails['hreflang'] {
  const pairs = parseJson(json)
  if (!Array.isArray(pairs)) return []
  return pairs.filter(Array.isArray).map(([lang, url]) => ({ lang: String(lang), url: String(url) }))
}

/** A header that came several times stands several times. */
function parseHeaders(json: string): UrlDetails['headers'] {
  const headers = parseJson(json)
  if (typeof headers !== 'object' || headers === null) return []
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: String(one) })))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
