import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CrawlProfile, MAX_PROFILES, profileSettings } from '../../shared/crawl-profile.ts'
import { ProfileStore } from './profile-store.ts'

let folder: string
let store: ProfileStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-profiles-'))
  store = new ProfileStore(folder)
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const profile = (name: string, delayMs = 0): CrawlProfile => ({
  name,
  settings: profileSettings.parse({ politeness: { delayMs } }),
})
const file = (): string => join(folder, 'profiles.json')
const names = (): string[] => store.list().map(({ name }) => name)

it('keeps profiles over a restart, in the order of their names', () => {
  expect(store.list()).toEqual([])
  store.save(profile('slow', 500))
  store.save(profile('Fast'))
  expect(new ProfileStore(folder).list()).toEqual([profile('Fast'), profile('slow', 500)])
  expect(readdirSync(folder)).toEqual(['profiles.json'])
})

it('replaces one of the same name, upper case or lower, and deletes it so', () => {
  store.save(profile('Große Site', 1))
  store.save(profile('GROSSE SITE', 2))
  store.save(profile('große SITE', 3))
  expect(store.list()).toEqual([profile('GROSSE SITE', 2), profile('große SITE', 3)])
  store.delete('GROße site')
  store.delete('unknown')
  expect(names()).toEqual(['GROSSE SITE'])
})

it('keeps a hundred', () => {
  const all = Array.from({ length: MAX_PROFILES }, (_, n) => profile(`${n}`))
  writeFileSync(file(), JSON.stringify(all))
  expect(() => store.save(profile('one more'))).toThrow(expect.objectContaining({ code: 'bad_input' }))
  store.save(profile('7', 700))
  expect(store.list().find(({ name }) => name === '7')).toEqual(profile('7', 700))
})

it.each(['', '{', '[1', '{"profiles":[]}', '[{"name":""}]'])(
  'sets a damaged file aside and says so once: %j',
  (text) => {
    writeFileSync(file(), text)
    expect(() => store.list()).toThrow(expect.objectContaining({ code: 'storage_failed' }))
    const [aside] = readdirSync(folder)
    expect(aside).toMatch(/^profiles-damaged-\d+\.json$/)
    expect(readFileSync(join(folder, aside!), 'utf8')).toBe(text)
    expect(store.list()).toEqual([])
    store.save(profile('new'))
    expect(names()).toEqual(['new'])
  },
)

it('keeps what is readable in a damaged file', () => {
  writeFileSync(file(), JSON.stringify([profile('good', 5), { name: 'bad', settings: { colour: 'red' } }]))
  expect(() => store.save(profile('new'))).toThrow(
    expect.objectContaining({
      code: 'storage_failed',
      message: expect.stringContaining('1 could be read'),
    }),
  )
  expect(store.list()).toEqual([profile('good', 5)])
})

it('says when it cannot write, and leaves the old file as it was', () => {
  store.save(profile('kept'))
  // A folder in the way of the draft: the one obstacle that stops every user, root included.
  mkdirSync(join(`${file()}.tmp`, 'x'), { recursive: true })
  expect(() => store.save(profile('lost'))).toThrow(expect.objectContaining({ code: 'storage_failed' }))
  expect(names()).toEqual(['kept'])
})
