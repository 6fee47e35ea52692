import { expect, it } from 'vitest'
import { Silence } from './silence.ts'

it('lasts once nothing has changed for the whole limit', () => {
  const silence = new Silence(10_000)
  expect(silence.lasts(0, 500)).toBe(false)
  expect(silence.lasts(0, 10_499)).toBe(false)
  expect(silence.lasts(0, 10_500)).toBe(true)
})

it('is broken by any byte, and by bytes that were moved away', () => {
  const silence = new Silence(10_000)
  silence.lasts(0, 0)
  expect(silence.lasts(1, 9_999)).toBe(false)
  expect(silence.lasts(1, 19_998)).toBe(false)
  expect(silence.lasts(0, 19_999)).toBe(false)
  expect(silence.lasts(0, 29_998)).toBe(false)
  expect(silence.lasts(0, 29_999)).toBe(true)
})
