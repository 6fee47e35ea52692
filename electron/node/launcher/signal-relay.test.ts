import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { SignalRelay } from './signal-relay.ts'

/** Signals that come at the given times; what the child hears. */
function relayed(signals: [NodeJS.Signals, number][]): { heard: string[]; first: string | null } {
  const source = new EventEmitter()
  const heard: string[] = []
  let now = 0
  const relay = new SignalRelay(source, () => now)
  relay.follow({ kill: (signal) => heard.push(signal) })
  for (const [signal, atMs] of signals) {
    now = atMs
    source.emit(signal)
  }
  return { heard, first: relay.first }
}

it('hears nothing where nothing came', () => {
  expect(relayed([])).toEqual({ heard: [], first: null })
})

it("passes one Ctrl-C on once, though npm sends its copy of the terminal's", () => {
  expect(
    relayed([
      ['SIGINT', 0],
      ['SIGINT', 40],
    ]),
  ).toEqual({ heard: ['SIGINT'], first: 'SIGINT' })
})

it('passes a second Ctrl-C on, with its copy left out too', () => {
  const presses: [NodeJS.Signals, number][] = [
    ['SIGINT', 0],
    ['SIGINT', 40],
    ['SIGINT', 900],
    ['SIGINT', 940],
  ]
  expect(relayed(presses)).toEqual({ heard: ['SIGINT', 'SIGINT'], first: 'SIGINT' })
})

it('remembers the signal that came first', () => {
  expect(
    relayed([
      ['SIGTERM', 0],
      ['SIGINT', 1_000],
    ]),
  ).toEqual({ heard: ['SIGTERM', 'SIGINT'], first: 'SIGTERM' })
})
