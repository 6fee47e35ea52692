import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const DAY_MS = 86_400_000
/** A minute before the date that RFC 9110 §5.6.7 writes in three ways. */
const NOW = Date.UTC(1994, 10, 6, 8, 48, 37)

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['2', 2_000],
    [' 120 ', 120_000],
    ['086400', DAY_MS],
    ['86401', DAY_MS],
    ['315360000', DAY_MS],
    ['9'.repeat(400), DAY_MS],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 60_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 60_000],
    ['Sun Nov  6 08:49:37 1994', 60_000],
    ['Wed, 16 Nov 1994 08:49:37 GMT', DAY_MS],
    ['Wed Nov 16 08:49:37 1994', DAY_MS],
    ['Sun, 06 Nov 1994 08:48:60 GMT', 23_000],
    ['Sun, 06 Nov 1994 08:48:36 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thursday, 01-Jan-70 00:00:00 GMT', 0],
  ])('%s waits %i ms', (value, waitMs) => {
    expect(parseRetryAfter(value, NOW)).toBe(waitMs)
  })

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '1.5',
    '1e99',
    '0x10',
    '10, 20',
    'soon',
    'Infinity',
    '٣',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Nov 1994 24:49:37 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Thu, 31 Nov 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
  ])('%j says nothing', (value) => {
    expect(parseRetryAfter(value, NOW)).toBeNull()
  })

  it('is null without the header', () => {
    expect(parseRetryAfter(undefined, NOW)).toBeNull()
    expect(parseRetryAfter([], NOW)).toBeNull()
  })

  it('takes the longest valid one of several', () => {
    expect(parseRetryAfter(['5', '2'], NOW)).toBe(5_000)
    expect(parseRetryAfter(['2', 'Sun, 06 Nov 1994 08:49:37 GMT', 'soon'], NOW)).toBe(60_000)
    expect(parseRetryAfter(['soon', '-1'], NOW)).toBeNull()
  })

  it('reads a two-digit year as the nearest past one when it lies more than 50 years ahead', () => {
    const in2026 = Date.UTC(2026, 0, 1)
    expect(parseRetryAfter('Thursday, 01-Jan-76 00:00:10 GMT', in2026)).toBe(DAY_MS)
    expect(parseRetryAfter('Saturday, 01-Jan-77 00:00:10 GMT', in2026)).toBe(0)
  })

  it('is null or between 0 and 24 hours, and exact for a date within a day', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const waitMs = parseRetryAfter(value, NOW)
        expect(waitMs === null || (waitMs >= 0 && waitMs <= DAY_MS)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), fc.integer({ min: 0, max: 86_400 }), (now, seconds) => {
        const date = new Date((now + seconds) * 1_000).toUTCString()
        expect(parseRetryAfter(date, now * 1_000)).toBe(seconds * 1_000)
      }),
    )
  })
})
