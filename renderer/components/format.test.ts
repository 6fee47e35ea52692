import { expect, it } from 'vitest'
import { formatBytes, formatClock, formatCount, formatWhen } from './format.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 KB'],
  [9_949, '9.9 KB'],
  [9_950, '10 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [1_234_567, '1.2 MB'],
  [5e15, '5,000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text)
})

it.each([
  [0, 'now'],
  [59_999, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [7_200_000, '2 hours ago'],
  [86_400_000, 'yesterday'],
  [-5_000, 'now'],
])('%d ms ago reads "%s"', (ms, text) => {
  expect(formatWhen(1e12 - ms, 1e12, 'en')).toBe(text)
})

it('groups digits by language', () => {
  expect(formatCount(1_234_567, 'en')).toBe('1,234,567')
  expect(formatCount(1_234_567, 'de')).toBe('1.234.567')
})

it('writes a duration as a clock that does not roll over at a day', () => {
  expect(formatClock(327_400)).toBe('00:05:27')
  expect(formatClock(100 * 3_600_000)).toBe('100:00:00')
})
