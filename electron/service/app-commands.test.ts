import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appSettings } from '../../shared/app-settings.ts'
import { AppCommands } from './app-commands.ts'

let folder: string
let changes: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-settings-'))
  changes = 0
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const facts = { version: '1', host: 'browser', platform: 'linux', folder: '' } as const
const open = (): AppCommands => new AppCommands(facts, folder, () => changes++)

it('keeps settings over a restart', () => {
  open().handlers['app.save']({ theme: 'dark' })
  open().handlers['app.save']({ maxRunning: 5 })
  expect(open().settings).toEqual({ ...appSettings.parse({}), theme: 'dark', maxRunning: 5 })
  expect(changes).toBe(2)
})

it.each(['', '{', 'null', '[1]', '{"theme":"pink","maxRunning":7,"__proto__":{"x":1}}'])(
  'takes what is right of a damaged file, and keeps the file: %j',
  (text) => {
    writeFileSync(join(folder, 'settings.json'), text)
    const { settings } = open()
    expect(settings).toEqual({ ...appSettings.parse({}), maxRunning: text.includes('7') ? 7 : 3 })
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^settings-damaged-\d+\.json$/)])
  },
)

it('says when settings cannot be kept, and goes on with the old ones', () => {
  const app = open()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file where the folder was')
  expect(() => app.handlers['app.save']({ theme: 'dark' })).toThrow(expect.objectContaining({ code: 'storage_failed' }))
  expect(app.settings.theme).toBe('system')
})
