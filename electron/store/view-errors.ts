import { LINK_KINDS } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { AddressOrder } from './view-addresses.ts'
import { BY_ADDRESS, IS_FINISHED, kindWord, orNull, type Raw, type Rows, scan, stateWord } from './view-cells.ts'

/**
 * One row for each link to what is broken, so that it can be mended where it stands. `links` has no index by target: it is
 * read once to count and once for every million links that lead to something broken, which are then put in order.
 */

const MAX_BATCH_LINKS = 1_000_000

export function* readErrors(db: Database, maxBatchLinks = MAX_BATCH_LINKS): Rows {
  const order = yield* AddressOrder.read(db)
  const broken = yield* readBroken(db)
  const counts = yield* countInlinks(db, broken, order.size)
  const starts = new Int32Array(order.size)
  for (let from = 0; from < broken.length; ) {
    const to = endOfBatch(broken, counts, from, maxBatchLinks)
    yield* readBatch(db, order, broken.slice(from, to), counts, starts)
    from = to
  }
}

/** Ids in the order of addresses. */
function* readBroken(db: Database): Generator<null, number[]> {
  const sql = `SELECT id, state = 4 OR status >= 400 FROM urls JOIN pages ON url_id = id WHERE ${IS_FINISHED} ${BY_ADDRESS}`
  const broken: number[] = []
  yield* scan<[number, number]>(db.prepare(sql).raw().iterate(), ([id, isBroken]) => {
    if (isBroken === 1) broken.push(id)
  })
  return broken
}

/** By id; 0 for what is not broken. */
function* countInlinks(db: Database, broken: readonly number[], size: number): Generator<null, Int32Array> {
  const counts = new Int32Array(size)
  const isBroken = new Uint8Array(size)
  for (const id of broken) isBroken[id] = 1
  const targets = db.prepare('SELECT dst_id FROM links WHERE dst_id IS NOT NULL').pluck()
  yield* scan<number>(targets.iterate(), (id) => {
    counts[id]! += isBroken[id]!
  })
  return counts
}

/** At least one URL, and no more of them than the batch has room for. */
function endOfBatch(broken: readonly number[], counts: Int32Array, from: number, maxLinks: number): number {
  let links = counts[broken[from]!]!
  let to = from + 1
  while (to < broken.length && links + counts[broken[to]!]! <= maxLinks) links += counts[broken[to++]!]!
  return to
}

/** @param starts scratch by id, all 0; left so */
function* readBatch(
  db: Database,
  order: AddressOrder,
  ids: readonly number[],
  counts: Int32Array,
  starts: Int32Array,
): Rows {
  let total = 0
  for (const id of ids) {
    // 0 means that a URL is not in this batch.
    starts[id] = total + 1
    total += counts[id]!
  }
  const places = new Float64Array(total)
  if (total > 0) {
    const links = db.prepare('SELECT src_id, ord, dst_id FROM links WHERE dst_id IS NOT NULL').raw()
    yield* scan<[number, number, number]>(links.iterate(), ([source, position, target]) => {
      const at = starts[target]!
      if (at === 0) return
      places[at - 1] = order.place(source, position)
      starts[target] = at + 1
    })
  }
  let end = 0
  for (const id of ids) {
    starts[id] = 0
    const start = end
    end += counts[id]!
    yield* readUrl(db, order, id, places.subarray(start, end).sort())
  }
}

function* readUrl(db: Database, order: AddressOrder, id: number, places: Float64Array): Rows {
  const sql = 'SELECT url, is_page, status, state, reason, detail FROM urls JOIN pages ON url_id = id WHERE id = ?'
  const row = db.prepare(sql).get(id) as Raw
  const facts = [row.url!, kindWord(row.is_page!), row.status!, stateWord(row.state!), row.reason!, row.detail!]
  if (places.length === 0) yield [...facts, null, null, null]
  const linkOf = db.prepare('SELECT url, kind, text FROM links JOIN urls ON id = src_id WHERE src_id = ? AND ord = ?')
  for (const place of places) {
    const { sourceId, position } = order.linkAt(place)
    const { url, kind, text } = linkOf.get(sourceId, position) as Raw
    yield [...facts, url!, LINK_KINDS[kind as number]!, orNull(text)]
  }
}
