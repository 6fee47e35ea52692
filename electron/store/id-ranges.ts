import type { Database } from './database.ts'

/** All ids of URLs, a range at a time. @param rest called before each range; says how many ids it has */
export async function* idRanges(db: Database, rest: () => Promise<number>): AsyncGenerator<[from: number, to: number]> {
  const greatest = db.prepare('SELECT coalesce(max(id), 0) FROM urls').pluck().get() as number
  for (let from = 1; from <= greatest; ) {
    const to = from + (await rest()) - 1
    yield [from, to]
    from = to + 1
  }
}
