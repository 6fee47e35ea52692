import { expect, it } from 'vitest'
import type { WindowCommand } from '../../shared/contract.ts'
import { desktopTransport } from './desktop-transport.ts'

it('a command that comes before anybody listens is not lost, nor told twice', () => {
  let send: (command: WindowCommand) => void = () => {}
  const transport = desktopTransport({
    invoke: async () => ({ ok: true, value: null }),
    subscribe: () => () => {},
    onWindowCommand: (listener) => {
      send = listener
      return () => {}
    },
  })
  const seen: string[] = []
  send({ name: 'show', id: 'a.sandpiper' })
  const stop = transport.onWindowCommand(({ name }) => seen.push(name))
  send({ name: 'about', id: null })
  stop()
  transport.onWindowCommand(({ name }) => seen.push(`${name} again`))
  send({ name: 'stop', id: null })
  expect(seen).toEqual(['show', 'about', 'stop again'])
})
