import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ending } from './ending.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function build(finish: () => Promise<void>) {
  const seen = { notes: 0, aborts: 0, ended: null as boolean | null }
  const work = { finish, abort: () => void seen.aborts++, note: () => void seen.notes++ }
  const ending = new Ending(work)
  void ending.run().then((inTime) => {
    seen.ended = inTime
  })
  return { ending, seen }
}

it('tells the window what is waited for, until everything is saved', async () => {
  let saved = (): void => {}
  const { seen } = build(() => new Promise((resolve) => (saved = resolve)))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toEqual({ notes: 11, aborts: 0, ended: null })
  saved()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toEqual({ notes: 11, aborts: 0, ended: true })
})

it('waits no longer than its ceiling', async () => {
  const { seen } = build(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(4_199)
  expect(seen.ended).toBe(null)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.ended).toBe(false)
})

it('waits less when the user does not want to', async () => {
  const { ending, seen } = build(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(1_000)
  ending.hurry()
  expect(seen.aborts).toBe(1)
  await vi.advanceTimersByTimeAsync(800)
  expect(seen.ended).toBe(false)
})

it('is over when saving fails: there is nothing more to wait for', async () => {
  const { seen } = build(() => Promise.reject(new Error('the disk is full')))
  await vi.advanceTimersByTimeAsync(0)
  expect(seen.ended).toBe(true)
})

it('has nothing to hurry while the app goes on', async () => {
  const work = { finish: vi.fn(async () => {}), abort: vi.fn(), note: vi.fn() }
  const ending = new Ending(work)
  ending.hurry()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(work.abort).not.toHaveBeenCalled()
  expect(await ending.run()).toBe(true)
})
