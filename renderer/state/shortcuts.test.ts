import { expect, it } from 'vitest'
import { actionOf, type Key, keyName } from './shortcuts.ts'

const key = (name: string, held: Partial<Key> = {}): Key => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

it.each([
  ['e', { ctrlKey: true }, 'linux', 'browser', 'export'],
  ['E', { ctrlKey: true }, 'linux', 'desktop', 'export'],
  ['n', { ctrlKey: true }, 'linux', 'desktop', 'new'],
  ['n', { ctrlKey: true }, 'linux', 'browser', null],
  ['n', { altKey: true }, 'linux', 'browser', 'new'],
  ['n', { altKey: true }, 'linux', 'desktop', null],
  ['f', { metaKey: true }, 'darwin', 'browser', 'filter'],
  ['f', { ctrlKey: true }, 'darwin', 'browser', null],
  [',', { ctrlKey: true }, 'win32', 'desktop', 'settings'],
  ['e', {}, 'linux', 'browser', null],
  ['f', { ctrlKey: true, shiftKey: true }, 'linux', 'browser', null],
  ['f', { ctrlKey: true, altKey: true }, 'linux', 'desktop', null],
] as const)('%s with %o on %s in a %s is %s', (name, held, platform, host, action) => {
  expect(actionOf(key(name, held), platform, host)).toBe(action)
})

it('writes keys as people of the platform know them', () => {
  expect(keyName('export', 'darwin', 'desktop')).toBe('⌘E')
  expect(keyName('export', 'win32', 'desktop')).toBe('Ctrl+E')
  expect(keyName('new', 'linux', 'browser')).toBe('Alt+N')
})
