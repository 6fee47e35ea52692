import { STATE } from '../../shared/frontier-state.ts'
import { LINK_KINDS } from '../../shared/link-kind.ts'
import type { Database } from './database.ts'
import { BY_ADDRESS, type Cell, orNull, type Rows, relWords, scan, stateWord } from './view-cells.ts'

type Link = [kind: number, flags: number, text: string, targetId: number | null, target: string | null]

/** Every link, by the address of its source, then by its position there. */
export function* readLinks(db: Database): Rows {
  const targets = yield* readTargets(db)
  const linksOf = db
    .prepare(
      `SELECT kind, flags, text, dst_id, url FROM links LEFT JOIN urls ON urls.id = dst_id WHERE src_id = ? ORDER BY ord`,
    )
    .raw()
  const sources = db.prepare(`SELECT id, url, state FROM urls ${BY_ADDRESS}`).raw()
  for (const [id, source, state] of sources.iterate() as Iterable<[number, string, number]>) {
    yield null
    if (state !== STATE.done) continue
    for (const [kind, flags, text, targetId, target] of linksOf.iterate(id) as Iterable<Link>) {
      const rel = relWords(flags)
      yield [source, target, LINK_KINDS[kind]!, rel, orNull(text), targets.state(targetId), targets.status(targetId)]
    }
  }
}

interface Targets {
  state(id: number | null): Cell
  status(id: number | null): Cell
}

/** Three bytes a URL, against looking up a page row for every link. */
function* readTargets(db: Database): Generator<null, Targets> {
  const size = (db.prepare('SELECT coalesce(max(id), 0) FROM urls').pluck().get() as number) + 1
  const states = new Uint8Array(size)
  const statuses = new Int16Array(size)
  yield* scan<[number, number]>(db.prepare('SELECT id, state FROM urls').raw().iterate(), ([id, state]) => {
    states[id] = state
  })
  const answered = db.prepare('SELECT url_id, coalesce(status, 0) FROM pages').raw()
  yield* scan<[number, number]>(answered.iterate(), ([id, status]) => {
    statuses[id] = status
  })
  return {
    state: (id) => (id === null ? null : stateWord(states[id]!)),
    status: (id) => (id === null ? null : statuses[id] || null),
  }
}
