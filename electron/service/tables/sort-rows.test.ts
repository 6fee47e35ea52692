import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortByNumber, sortByText } from './sort-rows.ts'

const idsOf = (count: number) => Uint32Array.from({ length: count }, (_, n) => 10 + 3 * n)

/** Sorted the slow way. @param keys null: none */
function plainly(keys: readonly (number | string | null)[], descending: boolean): number[] {
  const ids = idsOf(keys.length)
  const rows = keys.map((key, n) => ({ key, id: ids[n]! }))
  rows.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.id - b.id
    const order = a.key < b.key ? -1 : a.key > b.key ? 1 : 0
    return (descending ? -order : order) || a.id - b.id
  })
  return rows.map(({ id }) => id)
}

const key = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
  fc.constantFrom(-1, 0.5, Number.MAX_SAFE_INTEGER, 1e300),
)

it.each([
  ['small', fc.option(fc.integer({ min: 0, max: 9 }))],
  ['any', key],
])('sorts %s numbers like a plain sort, what has none last', (_name, numbers) => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 50 }), fc.boolean(), (keys, descending) => {
      const values = Float64Array.from(keys, (each) => each ?? Number.NaN)
      expect([...sortByNumber(idsOf(keys.length), values, descending)]).toEqual(plainly(keys, descending))
    }),
  )
})

it('sorts texts by their characters in lower case, what has none last', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'Ä', 'ä', 'z', '日', '😀', ' '), maxLength: 3 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 50 }), fc.boolean(), (texts, descending) => {
      const keys = texts.map((each) => each.toLowerCase() || null)
      expect([...sortByText(idsOf(texts.length), texts, descending)]).toEqual(plainly(keys, descending))
    }),
  )
})

it('keeps rows apart that have a text in common, beyond 32,768 of them', () => {
  const count = 40_000
  const ids = idsOf(count)
  expect(sortByText(ids, Array(count).fill('Same'), true)).toEqual(ids)
})
