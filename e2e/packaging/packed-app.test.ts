import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractAll, listPackage } from '@electron/asar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * The real packager packs the built app around a stand-in for Electron's binary: what is in the archive, which fuses
 * were turned, and whether what was packed runs. Neither Electron nor an installer is made or started here.
 */

const ROOT = join(import.meta.dirname, '../..')
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** As Electron ships: version 1 of the wire, eight fuses, 1 is on. */
const SHIPPED_FUSES = '10110001'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-pack-'))
  const binary = Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.from([1, SHIPPED_FUSES.length])])
  mkdirSync(join(folder, 'electron/resources'), { recursive: true })
  mkdirSync(join(folder, 'electron/locales'))
  for (const name of ['electron', 'electron.exe'])
    writeFileSync(join(folder, 'electron', name), Buffer.concat([binary, Buffer.from(SHIPPED_FUSES)]), { mode: 0o755 })
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html'])
    writeFileSync(join(folder, 'electron', name), '45.5.0')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns the folder of the app */
function pack(platform: 'linux' | 'win', arch: string, ...options: string[]): string {
  const output = join(folder, `${platform}-${arch}`)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/electron-builder/cli.js'),
      '--dir',
      `--${platform}`,
      `--${arch}`,
      `-c.electronDist=${join(folder, 'electron')}`,
      `-c.directories.output=${output}`,
      ...options,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`electron-builder ended with ${status}:\n${stdout}${stderr}`)
  return join(output, `${platform}${arch === 'x64' ? '' : `-${arch}`}-unpacked`)
}

const archiveOf = (app: string): string => join(app, 'resources/app.asar')
const list = (app: string): string[] =>
  listPackage(archiveOf(app), { isPack: false }).map((path) => path.replaceAll('\\', '/'))

describe('packed for Linux', () => {
  let app: string
  let files: string[]
  beforeAll(() => {
    app = pack('linux', 'x64')
    files = list(app)
  })

  it('holds what is built, the sample site and SQLite, and nothing else', () => {
    const roots = files.filter((path) => /^\/[^/]+$/.test(path) || /^\/(resources|node_modules)\/[^/]+$/.test(path))
    expect(roots.sort()).toEqual([
      '/LICENSE',
      '/node_modules',
      '/node_modules/better-sqlite3',
      '/out',
      '/package.json',
      '/resources',
      '/resources/sample-site',
    ])
    expect(files.filter((path) => /\/better-sqlite3\/(src|deps|binding)/.test(path))).toEqual([])
  })

  it('holds the binary of this platform only', () => {
    expect(files.filter((path) => path.endsWith('.node'))).toEqual([
      '/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ])
  })

  it('has its fuses turned', () => {
    const binary = readFileSync(join(app, 'sandpiper'))
    const wire = binary.subarray(binary.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2).toString()
    // In Electron's order: run as Node, cookie encryption, NODE_OPTIONS, --inspect, archive integrity, archive only, V8
    // snapshot of its own, privileges of file:.
    expect(wire).toBe('00001100')
  })

  it('runs from what was packed, the sample site included', () => {
    const unpacked = join(folder, 'unpacked')
    extractAll(archiveOf(app), unpacked)
    const cli = join(unpacked, 'out/main/cli.js')
    const { status, stdout } = spawnSync(process.execPath, [cli, 'demo'], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toContain('Crawled the sample site')
    expect(status).toBe(0)
  })
})

it('packed for Windows on ARM, holds the binary of that platform only', () => {
  // The stand-in is no Windows program: nothing can be written into it.
  const app = pack('win', 'arm64', '-c.win.signAndEditExecutable=false', '-c.disableAsarIntegrity=true')
  expect(list(app).filter((path) => path.endsWith('.node'))).toEqual([
    '/node_modules/better-sqlite3/prebuilds/win32-arm64.node',
  ])
})
