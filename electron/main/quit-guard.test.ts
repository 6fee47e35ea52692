import { expect, it } from 'vitest'
import { QuitGuard, type QuittableApp } from './quit-guard.ts'

/** Emits like Electron: listeners first, then it looks whether one prevented. */
class FakeApp implements QuittableApp {
  exited = false
  #listener: ((event: { preventDefault(): void }) => void) | null = null

  on(_event: 'before-quit', listener: (event: { preventDefault(): void }) => void): void {
    this.#listener = listener
  }

  quit(): void {
    let prevented = false
    this.#listener?.({
      preventDefault: () => {
        prevented = true
      },
    })
    if (!prevented) this.exited = true
  }
}

function build(drain: () => Promise<void>) {
  const app = new FakeApp()
  const deferred: (() => void)[] = []
  const guard = new QuitGuard(app, drain, (work) => deferred.push(work))
  return { app, guard, deferred }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('holds the exit until everything is saved, then quits from a turn of its own', async () => {
  let saved = (): void => {}
  const { app, guard, deferred } = build(() => new Promise((resolve) => (saved = resolve)))
  app.quit()
  expect([guard.state, app.exited]).toEqual(['draining', false])
  await turn()
  expect(deferred).toHaveLength(0)
  saved()
  await turn()
  expect([guard.state, app.exited]).toEqual(['drained', false])
  deferred[0]!()
  expect(app.exited).toBe(true)
})

it('joins a second quit during the wait: saved once, quit once', async () => {
  let drains = 0
  let saved = (): void => {}
  const { app, deferred } = build(() => {
    drains++
    return new Promise((resolve) => (saved = resolve))
  })
  app.quit()
  app.quit()
  app.quit()
  saved()
  await turn()
  expect([drains, deferred.length, app.exited]).toEqual([1, 1, false])
})

it('ends although saving failed, and with nothing to save', async () => {
  for (const drain of [() => Promise.reject(new Error('disk')), () => Promise.resolve()]) {
    const { app, deferred } = build(drain)
    app.quit()
    expect(app.exited).toBe(false)
    await turn()
    deferred[0]!()
    expect(app.exited).toBe(true)
  }
})
