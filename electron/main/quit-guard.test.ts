import { describe, expect, it } from 'vitest'
import { QuitGuard, type QuittableApp } from './quit-guard.ts'

/** Emits like Electron: listeners first, then it looks whether one prevented. */
class FakeApp implements QuittableApp {
  exits: (number | 'quit')[] = []
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
    if (!prevented) this.exits.push('quit')
  }

  exit(code: number): void {
    this.exits.push(code)
  }
}

function build(drain: () => Promise<boolean>) {
  const app = new FakeApp()
  const deferred: (() => void)[] = []
  const counts = { checkpoints: 0 }
  const clock = { now: 0 }
  const checkpoint = (): void => {
    counts.checkpoints++
  }
  const guard = new QuitGuard(
    app,
    { drain, checkpoint },
    (work) => deferred.push(work),
    () => clock.now,
  )
  return { app, guard, deferred, counts, clock }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a quit', () => {
  it('holds the exit until everything is saved, then quits from a turn of its own', async () => {
    let saved = (_inTime: boolean): void => {}
    const { app, guard, deferred } = build(() => new Promise((resolve) => (saved = resolve)))
    app.quit()
    expect([guard.state, app.exits]).toEqual(['draining', []])
    await turn()
    expect(deferred).toHaveLength(0)
    saved(true)
    await turn()
    expect([guard.state, app.exits]).toEqual(['drained', []])
    deferred[0]!()
    expect(app.exits).toEqual(['quit'])
  })

  it('is joined by a second one during the wait: saved once, quit once', async () => {
    let drains = 0
    let saved = (_inTime: boolean): void => {}
    const { app, deferred } = build(() => {
      drains++
      return new Promise((resolve) => (saved = resolve))
    })
    app.quit()
    app.quit()
    app.quit()
    saved(true)
    await turn()
    expect([drains, deferred.length, app.exits]).toEqual([1, 1, []])
  })

  it('ends although saving failed, and with nothing to save', async () => {
    for (const drain of [() => Promise.reject(new Error('disk')), () => Promise.resolve(true)]) {
      const { app, deferred } = build(drain)
      app.quit()
      expect(app.exits).toEqual([])
      await turn()
      deferred[0]!()
      expect(app.exits).toEqual(['quit'])
    }
  })

  it('that takes too long ends all the same, with an error', async () => {
    const { app, deferred } = build(() => Promise.resolve(false))
    app.quit()
    await turn()
    deferred[0]!()
    expect(app.exits).toEqual([1])
  })
})

describe('when the system goes down', () => {
  it('saves what is complete at once and holds nothing up', () => {
    const { app, guard, counts } = build(() => Promise.resolve(true))
    guard.systemEnds()
    expect(counts.checkpoints).toBe(1)
    app.quit()
    expect([app.exits, counts.checkpoints]).toEqual([['quit'], 2])
  })

  it('and another app cancels that, a later quit waits as always', () => {
    const { app, guard, clock } = build(() => new Promise(() => {}))
    guard.systemEnds()
    clock.now = 60_000
    app.quit()
    expect([guard.state, app.exits]).toEqual(['draining', []])
  })
})
