import { linkKindNumber } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { BY_ADDRESS, scan } from './view-cells.ts'

/**
 * How far every URL is from a seed, counted over the stored links: 0 for a seed, one more per link, none for a redirect.
 * Computed from rows, so an interrupted crawl and an uninterrupted one agree.
 */
export const UNREACHED = -1
const REDIRECT = linkKindNumber.redirect

/** Depth by URL id, UNREACHED where no link leads. Four bytes a URL; each link is read once. */
export function walkDepths(db: Database): Int32Array {
  const steps = stepDepths(db)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same with a pause after every page, for whoever must let others have a turn. */
export function* stepDepths(db: Database): Generator<null, Int32Array> {
  const size = (db.prepare('SELECT coalesce(max(id), 0) FROM urls').pluck().get() as number) + 1
  const depths = new Int32Array(size).fill(UNREACHED)
  const linksOf = db.prepare('SELECT dst_id, kind FROM links WHERE src_id = ? AND dst_id IS NOT NULL').raw()
  let level = db.prepare('SELECT id FROM urls WHERE found = 0').pluck().all() as number[]
  for (const id of level) depths[id] = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: number[] = []
    // `level` grows while it is walked: a redirect's target is as near as the redirect.
    for (const id of level) {
      for (const [target, kind] of linksOf.iterate(id) as IterableIterator<[number, number]>) {
        const reached = kind === REDIRECT ? depth : depth + 1
        const known = depths[target]!
        if (known !== UNREACHED && known <= reached) continue
        depths[target] = reached
        if (reached === depth) level.push(target)
        else next.push(target)
      }
      yield null
    }
    // A URL found at depth + 1 may have moved up to depth by a redirect found later in the same level.
    level = next.filter((id) => depths[id] === depth + 1)
  }
  return depths
}

/**
 * The page that leads to each URL on a shortest way: of the pages with a link that gives the URL its depth, the one with
 * the least address. 0 where there is none.
 */
export function* stepReferrers(db: Database, depths: Int32Array): Generator<null, Int32Array> {
  const rank = new Int32Array(depths.length)
  let position = 0
  yield* scan<number>(db.prepare(`SELECT id FROM urls ${BY_ADDRESS}`).pluck().iterate(), (id) => {
    rank[id] = ++position
  })
  const referrers = new Int32Array(depths.length)
  const links = db.prepare('SELECT src_id, dst_id, kind FROM links WHERE dst_id IS NOT NULL').raw()
  yield* scan<[number, number, number]>(links.iterate(), ([source, target, kind]) => {
    const depth = depths[source]!
    if (depth === UNREACHED || depth + (kind === REDIRECT ? 0 : 1) !== depths[target] || source === target) return
    const best = referrers[target]!
    if (best === 0 || rank[source]! < rank[best]!) referrers[target] = source
  })
  return referrers
}
