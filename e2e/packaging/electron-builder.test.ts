import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'

/** What electron-builder.yml says: in words the packager knows, about files that exist, with the fuses as intended. */

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Platform {
  icon: string
  files: string[]
  target: unknown
}

interface Config {
  files: string[]
  directories: { buildResources: string }
  electronFuses: Record<string, boolean>
  fileAssociations: { ext: string; mimeType: string }[]
  win: Platform
  mac: Platform & { entitlements: string; entitlementsInherit: string; hardenedRuntime: boolean }
  linux: Platform & { syncDesktopName: boolean; executableName: string }
  npmRebuild: boolean
}

const config = load(read('electron-builder.yml')) as Config
const manifest = JSON.parse(read('package.json')) as { desktopName: string; main: string }
const validate = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(read('node_modules/app-builder-lib/scheme.json')),
)

describe('the schema of electron-builder', () => {
  it('accepts the file', () => {
    validate(config)
    expect(validate.errors).toBeNull()
  })

  it.each([
    ['a key nobody knows', { ...config, asarUnpacked: [] }],
    ['a fuse nobody knows', { ...config, electronFuses: { ...config.electronFuses, runAsNod: false } }],
    ['a value of the wrong type', { ...config, npmRebuild: 'never' }],
  ])('refuses %s', (_what, wrong) => {
    expect(validate(wrong)).toBe(false)
  })
})

describe('the files it names', () => {
  const { win, mac, linux } = config
  const named = [win.icon, mac.icon, linux.icon, mac.entitlements, mac.entitlementsInherit]
  const packed = [config, win, mac, linux].flatMap(({ files }) => files.filter((path) => !path.startsWith('!')))

  it.each([config.directories.buildResources, ...named, ...packed].filter((path) => !path.startsWith('out/')))(
    '%s exists',
    (path) => {
      expect(existsSync(join(ROOT, path.replace(/\/\*\*$/, '')))).toBe(true)
    },
  )

  it('leave out, for each platform, the binaries of the others', () => {
    const prebuilt = (platform: Platform): string | undefined =>
      platform.files.find((path) => path.includes('prebuilds'))
    expect([win, mac, linux].map(prebuilt)).toEqual(
      ['win32', 'darwin', 'linux'].map((name) => `!node_modules/better-sqlite3/prebuilds/!(${name}-\${arch}.node)`),
    )
    for (const name of ['win32', 'darwin', 'linux'])
      for (const arch of ['x64', 'arm64'])
        expect(existsSync(join(ROOT, `node_modules/better-sqlite3/prebuilds/${name}-${arch}.node`))).toBe(true)
  })

  it('has an icon that is large enough for every platform and small enough for a repository', () => {
    const icon = readFileSync(join(ROOT, config.mac.icon))
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([1024, 1024])
    expect(statSync(join(ROOT, config.mac.icon)).size).toBeLessThan(100_000)
  })
})

it('turns off what would let others run code as Sandpiper', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  })
  expect(config.mac.hardenedRuntime).toBe(true)
})

it('registers crawl files on every platform', () => {
  expect(config.fileAssociations).toMatchObject([{ ext: 'sandpiper', mimeType: 'application/x-sandpiper' }])
})

it('names the desktop entry as the running app names itself', () => {
  expect(config.linux.syncDesktopName).toBe(true)
  expect(manifest.desktopName).toBe(`${config.linux.executableName}.desktop`)
})
