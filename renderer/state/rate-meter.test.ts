import { describe, expect, it } from 'vitest'
import { BARS, RateMeter } from './rate-meter.ts'

const progress = (pagesFinished: number, pending: number) => ({
  counts: { pending, processing: 0, failed: 0 },
  pagesFinished,
})

function fed(samples: [atMs: number, finished: number, waiting: number][]): RateMeter {
  const meter = new RateMeter()
  for (const [at, finished, waiting] of samples) meter.note(progress(finished, waiting), at)
  return meter
}

const every100Ms = (ms: number, of: (at: number) => [finished: number, waiting: number]) =>
  Array.from({ length: ms / 100 + 1 }, (_, index): [number, number, number] => [index * 100, ...of(index * 100)])

describe('speed', () => {
  it('is nothing before there are two samples', () => {
    expect(new RateMeter().pagesPerSecond(0)).toBe(0)
    expect(fed([[0, 5, 5]]).pagesPerSecond(1_000)).toBe(0)
  })

  it('is that of the last five seconds', () => {
    const meter = fed(every100Ms(20_000, (at) => [at < 15_000 ? at / 10 : 1_500 + (at - 15_000) / 100, 10]))
    expect(meter.pagesPerSecond(20_000)).toBeCloseTo(10, 1)
  })

  it('falls when nothing moves any more', () => {
    const meter = fed(every100Ms(10_000, (at) => [at / 10, 10]))
    expect(meter.pagesPerSecond(10_000)).toBeCloseTo(100, 0)
    expect(meter.pagesPerSecond(30_000)).toBe(0)
  })

  it('starts over with a run that starts over', () => {
    const meter = fed([
      [0, 1_000, 5],
      [1_000, 2_000, 5],
      [2_000, 0, 5],
      [3_000, 10, 5],
    ])
    expect(meter.pagesPerSecond(3_000)).toBeCloseTo(10)
  })

  it('says how fast what waits grows', () => {
    expect(fed(every100Ms(20_000, (at) => [at / 100, at / 50])).waitingPerSecond(20_000)).toBeCloseTo(20)
  })

  it('has a bar for each two seconds', () => {
    const bars = fed(every100Ms(48_000, (at) => [at / 10, 1])).bars(48_000)
    expect(bars).toHaveLength(BARS)
    for (const bar of bars) expect(bar).toBeCloseTo(100, 0)
  })
})

describe('an estimate', () => {
  it('is not given before a minute has passed', () => {
    expect(fed(every100Ms(30_000, (at) => [at / 10, 10_000 - at / 10])).estimate(30_000)).toBeNull()
  })

  it('is not given while what waits grows', () => {
    expect(fed(every100Ms(60_000, (at) => [at / 10, at / 10])).estimate(60_000)).toBeNull()
  })

  it('is not given while speed changes', () => {
    const meter = fed(every100Ms(60_000, (at) => [at, 90_000 - (at < 30_000 ? at : 30_000 + (at - 30_000) / 4)]))
    expect(meter.estimate(60_000)).toBeNull()
  })

  it('is a range around what the speed says', () => {
    const meter = fed(every100Ms(60_000, (at) => [at / 10, 12_000 - at / 10]))
    const { fromMs, toMs } = meter.estimate(60_000)!
    expect(fromMs).toBeLessThanOrEqual(toMs)
    expect(fromMs / 1_000).toBeCloseTo(60, -1)
  })
})
