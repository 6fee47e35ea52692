import { linkKindNumber } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { LinkFacts } from './link-facts.ts'
import { AddressOrder } from './view-addresses.ts'
import { BY_ADDRESS, orNull, type Raw, type Rows, scan, stateWord } from './view-cells.ts'

/** URLs that pages show as a picture, with the alternative text of the first of those places by source address. */
export function* readImages(db: Database): Rows {
  const facts = yield* LinkFacts.read(db)
  const order = yield* AddressOrder.read(db)
  const uses = yield* readUses(db, order)
  const textOf = db.prepare('SELECT text FROM links WHERE src_id = ? AND ord = ?').pluck()
  const sql = `SELECT id, url, status, state, content_type, bytes FROM urls LEFT JOIN pages ON url_id = id ${BY_ADDRESS}`
  for (const row of db.prepare(sql).iterate() as Iterable<Raw>) {
    const id = row.id as number
    const first = uses.first[id]!
    if (first === Number.POSITIVE_INFINITY) {
      yield null
      continue
    }
    const { sourceId, position } = order.linkAt(first)
    yield [
      row.url!,
      row.status!,
      stateWord(row.state!),
      orNull(row.content_type),
      row.bytes!,
      orNull(textOf.get(sourceId, position) as string),
      facts.inlinks(id),
      uses.missingAlt[id]!,
      orNull(facts.referrer(id)),
    ]
  }
}

/** By id: the place of the first link that shows it (infinity: none does), and how many `img` have no alternative text. */
interface Uses {
  first: Float64Array
  missingAlt: Int32Array
}

function* readUses(db: Database, order: AddressOrder): Generator<null, Uses> {
  const first = new Float64Array(order.size).fill(Number.POSITIVE_INFINITY)
  const missingAlt = new Int32Array(order.size)
  const { img, srcset } = linkKindNumber
  const links = db.prepare(`SELECT src_id, ord, dst_id, kind, text = '' FROM links WHERE dst_id IS NOT NULL`).raw()
  type Link = [source: number, position: number, target: number, kind: number, isBare: number]
  yield* scan<Link>(links.iterate(), ([source, position, target, kind, isBare]) => {
    if (kind !== img && kind !== srcset) return
    first[target] = Math.min(first[target]!, order.place(source, position))
    if (kind === img) missingAlt[target]! += isBare
  })
  return { first, missingAlt }
}
