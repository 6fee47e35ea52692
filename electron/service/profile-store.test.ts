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
const names = async (from = store): Promise<string[]> => (await from.list()).map(({ name }) => name)

it('keeps profiles over a restart, in the order of their names', async () => {
  expect(await store.list()).toEqual([])
  await store.save(profile('slow', 500))
  await store.save(profile('Fast'))
  expect(await new ProfileStore(folder).list()).toEqual([profile('Fast'), profile('slow', 500)])
  expect(readdirSync(folder)).toEqual(['profiles.json'])
})

it('replaces one of the same name, upper case or lower, and deletes it so', async () => {
  await store.save(profile('Große Site', 1))
  await store.save(profile('GROSSE SITE', 2))
  await store.save(profile('große SITE', 3))
  expect(await store.list()).toEqual([profile('GROSSE SITE', 2), profile('große SITE', 3)])
  await store.delete('GROße site')
  await store.delete('unknown')
  expect(await names()).toEqual(['GROSSE SITE'])
})

it('loses none of many saved at once', async () => {
  const all = Array.from({ length: 20 }, (_, n) => `profile ${String(n).padStart(2, '0')}`)
  await Promise.all(all.map((name) => store.save(profile(name))))
  expect(await names()).toEqual(all)
})

it('keeps a hundred', async () => {
  const all = Array.from({ length: MAX_PROFILES }, (_, n) => profile(`${n}`))
  writeFileSync(file(), JSON.stringify(all))
  await expect(store.save(profile('one more'))).rejects.toMatchObject({ code: 'bad_input' })
  await store.save(profile('7', 700))
  expect((await store.list()).find(({ name }) => name === '7')).toEqual(profile('7', 700))
})

it.each(['', '{', '[1', '{"profiles":[]}', '[{"name":""}]'])(
  'sets a damaged file aside and says so once: %j',
  async (text) => {
    writeFileSync(file(), text)
    await expect(store.list()).rejects.toMatchObject({ code: 'storage_failed' })
    const [aside] = readdirSync(folder)
    expect(aside).toMatch(/^profiles-damaged-\d+\.json$/)
    expect(readFileSync(join(folder, aside!), 'utf8')).toBe(text)
    expect(await store.list()).toEqual([])
    await store.save(profile('new'))
    expect(await names()).toEqual(['new'])
  },
)

it('keeps what is readable in a damaged file', async () => {
  writeFileSync(file(), JSON.stringify([profile('good', 5), { name: 'bad', settings: { colour: 'red' } }]))
  await expect(store.save(profile('new'))).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('1 could be read'),
  })
  expect(await store.list()).toEqual([profile('good', 5)])
})

it('says when it cannot write, and leaves the old file as it was', async () => {
  await store.save(profile('kept'))
  // A folder in the way of the draft: the one obstacle that stops every user, root included.
  mkdirSync(join(`${file()}.tmp`, 'x'), { recursive: true })
  await expect(store.save(profile('lost'))).rejects.toMatchObject({ code: 'storage_failed' })
  expect(await names()).toEqual(['kept'])
})
