import { describe, expect, it } from 'vitest'
import { expectTrouble, explainEarlyEnd, type Surroundings, tellingLine } from './window-trouble.ts'

const DESKTOP: Surroundings = { platform: 'linux', env: { DISPLAY: ':0' }, uid: 1000, switches: [] }

describe('expected trouble', () => {
  it.each([
    ['a display', {}],
    ['a Wayland display', { env: { WAYLAND_DISPLAY: 'wayland-0' } }],
    ['macOS, which has no such variables', { platform: 'darwin', env: {} }],
    ['Windows', { platform: 'win32', env: {}, uid: undefined }],
    ['root who gave up the sandbox', { uid: 0, switches: ['--no-sandbox'] }],
    ['root on macOS', { platform: 'darwin', uid: 0 }],
  ] as const)('is none with %s', (_what, difference) => {
    expect(expectTrouble({ ...DESKTOP, ...difference })).toBeNull()
  })

  it.each([
    ['no display', { env: {} }, /no display/],
    ['empty variables', { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } }, /no display/],
    ['root', { uid: 0 }, /root/],
  ] as const)('is there with %s', (_what, difference, words) => {
    expect(expectTrouble({ ...DESKTOP, ...difference })).toMatch(words)
  })
})

describe('an early end', () => {
  it('is no failure with code 0: the app may have handed over to a running one', () => {
    expect(explainEarlyEnd({ code: 0, signal: null }, 'error: whatever')).toBeNull()
  })

  it('tells the code and what was missing', () => {
    const stderr =
      'starting\nelectron: error while loading shared libraries: libnss3.so: cannot open shared object file\n'
    expect(explainEarlyEnd({ code: 127, signal: null }, stderr)).toBe(
      'Electron ended at once with code 127 (electron: error while loading shared libraries: libnss3.so: cannot open shared object file)',
    )
  })

  it('tells the signal', () => {
    expect(explainEarlyEnd({ code: null, signal: 'SIGTRAP' }, '')).toBe('Electron ended at once with SIGTRAP')
  })
})

it.each([
  ['\n  first \nsecond', 'first'],
  ['first\n[1:FATAL:x] second', '[1:FATAL:x] second'],
  ['TypeError: fetch failed\n    at node:internal', 'fetch failed'],
  [' \n', null],
  ['x'.repeat(1_000), 'x'.repeat(200)],
])('of %j the telling line is %j', (stderr, line) => {
  expect(tellingLine(stderr)).toBe(line)
})
