import Sqlite from 'better-sqlite3'

/**
 * Checks a crawl file against what must hold whatever happened to the process that wrote it. Shares no code with the
 * product: the state numbers and table names are the file format's, as documented.
 */

export interface Violation {
  invariant: string
  detail: string
}

export interface ServerLog {
  /** Requests per path beyond the first. */
  repeats: Readonly<Record<string, number>>
}

export interface VerifyOptions {
  /** The crawl has run to its end. */
  finished: boolean
  kills: number
  /** Requests in flight at most, plus claimed and uncommitted. */
  perKill: number
  server: ServerLog | null
}

/** Each query counts the rows that break the invariant. */
const ALWAYS: readonly (readonly [string, string])[] = [
  ['I1 no URL twice', 'SELECT count(*) - count(DISTINCT coalesce(key, url)) FROM urls'],
  ['I1 no page row twice', 'SELECT count(*) - count(DISTINCT url_id) FROM pages'],
  ['I1 no link twice', `SELECT count(*) - count(DISTINCT src_id || ' ' || ord) FROM links`],
  [
    'I2 a final URL has exactly one page row',
    'SELECT count(*) FROM urls WHERE state IN (2, 4) AND (SELECT count(*) FROM pages WHERE url_id = urls.id) <> 1',
  ],
  [
    'I2 a URL that is not final has no page row',
    'SELECT count(*) FROM urls WHERE state NOT IN (2, 4) AND EXISTS (SELECT 1 FROM pages WHERE url_id = urls.id)',
  ],
  [
    'I2 a done page has all its links',
    `SELECT count(*) FROM pages JOIN urls ON urls.id = url_id WHERE state = 2
     AND (SELECT count(*) FROM links WHERE src_id = url_id) <> out_count`,
  ],
  [
    'I2 no links of a page that is not done',
    'SELECT count(*) FROM links JOIN urls ON urls.id = src_id WHERE state <> 2',
  ],
  [
    'I2 every link leads to a known URL',
    'SELECT count(*) FROM links LEFT JOIN urls ON urls.id = dst_id WHERE dst_id IS NOT NULL AND urls.id IS NULL',
  ],
  [
    'I11 event numbers only grow',
    'SELECT count(*) FROM events a JOIN events b ON b.seq = a.seq + 1 WHERE b.at < a.at - 60000',
  ],
]

const FINISHED: readonly (readonly [string, string])[] = [
  ['I5 a finished crawl has nothing left', 'SELECT count(*) FROM urls WHERE state IN (0, 1, 3)'],
  ['I5 a finished crawl has read its sitemaps', `SELECT count(*) FROM sitemaps WHERE state = 'pending'`],
  ['I5 a finished crawl ended in good order', 'SELECT count(*) FROM crawl WHERE clean <> 1'],
]

export function verify(file: string, { finished, kills, perKill, server }: VerifyOptions): Violation[] {
  const db = new Sqlite(file, { readonly: true })
  const violations: Violation[] = []
  try {
    const integrity = db.pragma('integrity_check(1)', { simple: true })
    if (integrity !== 'ok') violations.push({ invariant: 'I3 the file is sound', detail: String(integrity) })
    for (const [invariant, sql] of finished ? [...ALWAYS, ...FINISHED] : ALWAYS) {
      const broken = db.prepare(sql).pluck().get() as number
      if (broken > 0) violations.push({ invariant, detail: `${broken} rows` })
    }
  } finally {
    db.close()
  }
  if (server !== null) violations.push(...checkServer(server, kills * perKill))
  return violations
}

function checkServer({ repeats }: ServerLog, allowed: number): Violation[] {
  const total = Object.values(repeats).reduce((sum, each) => sum + each, 0)
  if (total <= allowed) return []
  return [
    { invariant: 'I4 nothing finished is fetched again', detail: `${total} repeated requests, ${allowed} allowed` },
  ]
}

/** Whether all that is left was in flight at three or more unclean ends. */
export function onlySuspectsLeft(file: string): boolean {
  const db = new Sqlite(file, { readonly: true })
  try {
    const left = db.prepare('SELECT count(*) AS n, min(crashes) AS least FROM urls WHERE state IN (0, 1, 3)').get() as {
      n: number
      least: number | null
    }
    return left.n > 0 && (left.least ?? 0) >= 3
  } finally {
    db.close()
  }
}
