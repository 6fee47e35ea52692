import { describe, expect, it } from 'vitest'
import { backoffMs } from './retry.ts'

describe('backoffMs', () => {
  it.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [6, 16_000, 32_000],
    [7, 30_000, 60_000],
    [100, 30_000, 60_000],
    [10_000, 30_000, 60_000],
  ])('after %i tries lies between %i and %i ms', (tries, leastMs, mostMs) => {
    expect(backoffMs(tries, () => 0)).toBe(leastMs)
    expect(backoffMs(tries, () => 0.5)).toBe((leastMs + mostMs) / 2)
    expect(backoffMs(tries, () => 1 - Number.EPSILON)).toBe(mostMs)
  })
})
