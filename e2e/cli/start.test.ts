import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** `npm start` without npm and without Electron: a small program stands in for its binary, a loopback server for its mirror. */

const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'electron/node/launcher/launcher.ts')
const ADDRESS = /Sandpiper is at (http:\/\/127\.0\.0\.1:\d+\/#\S+)\n/
/** Without it the launcher would not start Electron where the tests run as root. */
const AS_ROOT = '--no-sandbox'

let folder: string
let launched: Launched[] = []
let mirrors: Server[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-start-'))
  mkdirSync(join(folder, 'tmp'))
})
afterEach(async () => {
  for (const { child, ended } of launched) {
    child.kill('SIGTERM')
    await ended
  }
  for (const mirror of mirrors) {
    mirror.closeAllConnections()
    mirror.close()
  }
  launched = []
  mirrors = []
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

class Launched {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  stdout = ''
  stderr = ''

  constructor(args: string[], env: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [LAUNCHER, ...args], { cwd: folder, env: { ...plainEnvironment(), ...env } })
    this.child.stdout!.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString()
    })
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.ended = new Promise((resolve) => this.child.on('close', resolve))
    launched.push(this)
  }

  /** What the pattern found on the standard output, as soon as it is there. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (let tries = 0; tries < 400; tries++) {
      const found = pattern.exec(this.stdout)
      if (found !== null) return found
      if (this.child.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`never printed ${pattern}; it said:\n${this.stdout}${this.stderr}`)
  }
}

/** Nothing of the tester's own display, Electron or npm; a display that nobody will look for. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(electron_|npm_|INIT_CWD|WAYLAND_DISPLAY)/i.test(name))
  return {
    ...Object.fromEntries(own),
    DISPLAY: ':99',
    SANDPIPER_HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    electron_config_cache: join(folder, 'cache'),
  }
}

/** A program in Electron's place. */
function standIn(name: string, script: string): NodeJS.ProcessEnv {
  const dist = join(folder, name)
  const binary = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform as string]
  const path = join(dist, binary ?? 'electron')
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!${process.execPath}\n${script}\n`, { mode: 0o755 })
  return { ELECTRON_OVERRIDE_DIST_PATH: dist }
}

async function mirror(answer: RequestListener): Promise<NodeJS.ProcessEnv> {
  const server = createServer(answer)
  mirrors.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** The app answers at the printed address, and one line said why it is there. */
async function expectBrowser(start: Launched, why: RegExp): Promise<void> {
  const [, url] = await start.prints(ADDRESS)
  const page = await fetch(url!)
  expect(await page.text()).toContain('<title>Sandpiper')
  const lines = start.stderr.trimEnd().split('\n')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^No desktop window: .*\. Sandpiper runs in the browser instead\.$/)
  expect(lines[0]).toMatch(why)
}

describe('with an Electron', () => {
  it('starts it with the folder of the app and what else was given, and ends with its code', async () => {
    const env = standIn('present', 'console.log(JSON.stringify([process.argv.slice(2), process.env]))')
    const start = new Launched([AS_ROOT, '--no-open', 'a.sandpiper'], { ...env, ELECTRON_RUN_AS_NODE: '1' })
    expect(await start.ended).toBe(0)
    const [args, given] = JSON.parse(start.stdout)
    expect(args).toEqual([ROOT, AS_ROOT, join(folder, 'a.sandpiper')])
    expect(given.ELECTRON_RUN_AS_NODE).toBeUndefined()
    expect(start.stderr).toBe('')
  })

  it('passes one Ctrl-C on once and waits for the end', async () => {
    const script = `let heard = 0
process.on('SIGINT', () => {
  console.log('heard ' + ++heard)
  if (heard === 1) setTimeout(() => process.exit(7), 500)
})
setInterval(() => {}, 1000)
console.log('ready')`
    const start = new Launched([AS_ROOT], standIn('patient', script))
    await start.prints(/ready/)
    start.child.kill('SIGINT')
    await start.prints(/heard 1/)
    // npm's copy of it.
    start.child.kill('SIGINT')
    expect(await start.ended).toBe(7)
    expect(start.stdout).toBe('ready\nheard 1\n')
  })

  it.each([
    ['a library is missing', `console.error('error while loading libx.so'); process.exit(127)`, /127 .*libx\.so/],
    ['it aborts', `process.kill(process.pid, 'SIGABRT'); setInterval(() => {}, 1000)`, /SIGABRT/],
  ])('opens the browser if it ends at once: %s', async (what, script, why) => {
    await expectBrowser(new Launched([AS_ROOT, '--no-open'], standIn(what, script)), why)
  })

  it('opens the browser if it is not there', async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere') }
    await expectBrowser(new Launched([AS_ROOT, '--no-open'], env), /there is no Electron in .*nowhere/)
  })

  it('opens the browser if it is told to, and says nothing about it', async () => {
    const start = new Launched(['--browser', '--no-open'], standIn('unwanted', `console.log('window')`))
    await start.prints(ADDRESS)
    expect(start.stderr).toBe('')
    expect(start.stdout).not.toContain('window')
  })

  it('tells what was mistyped for the browser', async () => {
    const start = new Launched(['--browser', '--no-opne'], {})
    expect(await start.ended).toBe(2)
    expect(start.stderr).toContain('did you mean --no-open')
  })
})

describe.runIf(process.platform === 'linux')('without a display', () => {
  it('opens the browser and ends in good order', async () => {
    const start = new Launched(['--no-open'], { ...standIn('unseen', `console.log('window')`), DISPLAY: '' })
    await expectBrowser(start, /no display/)
    expect(start.stdout).not.toContain('window')
    start.child.kill('SIGINT')
    expect(await start.ended).toBe(130)
  })

  it.runIf(process.getuid?.() === 0)('or as root, opens the browser', async () => {
    const start = new Launched(['--no-open'], standIn('rooted', `console.log('window')`))
    await expectBrowser(start, /root/)
  })
})

/** Only where the package has no binary yet: nothing of an installed one may be touched. */
const isBare = !readdirSync(join(ROOT, 'node_modules/electron')).includes('path.txt')

describe.runIf(isBare)('with an Electron still to be downloaded', () => {
  const nothingLeft = (): void => expect(readdirSync(join(folder, 'tmp'))).toEqual([])

  it('opens the browser if the download fails', async () => {
    const env = await mirror((_request, response) => response.writeHead(404).end())
    await expectBrowser(new Launched([AS_ROOT, '--no-open'], env), /could not be downloaded \(.*404/)
    nothingLeft()
  })

  it('opens the browser if nobody is there to download from', async () => {
    const env = { ELECTRON_MIRROR: 'http://127.0.0.1:9/' }
    await expectBrowser(new Launched([AS_ROOT, '--no-open'], env), /could not be downloaded \(/)
    nothingLeft()
  })

  it('opens the browser if no byte comes', async () => {
    const env = { ...(await mirror(() => {})), SANDPIPER_START_QUIET_MS: '1000' }
    await expectBrowser(new Launched([AS_ROOT, '--no-open'], env), /no byte came for 1 s/)
    nothingLeft()
  })

  it('waits while bytes come, and not once they stop', async () => {
    let sent = 0
    const env = await mirror((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 })
      const timer = setInterval(() => (++sent > 12 ? clearInterval(timer) : response.write(Buffer.alloc(1_000))), 250)
    })
    const start = new Launched([AS_ROOT, '--no-open'], { ...env, SANDPIPER_START_QUIET_MS: '1500' })
    await start.prints(ADDRESS)
    expect(sent).toBeGreaterThan(12)
    expect(start.stderr).toMatch(
      /^Setting up Electron [\d.]+, about 120 MB; this happens once\.\nNo desktop window: .*1\.5 s/,
    )
    nothingLeft()
  })

  it('ends at Ctrl-C, with nothing left behind', async () => {
    const asked = Promise.withResolvers<void>()
    const start = new Launched([AS_ROOT, '--no-open'], await mirror(() => asked.resolve()))
    await asked.promise
    start.child.kill('SIGINT')
    expect(await start.ended).toBe(130)
    expect(start.stdout).toBe('')
    nothingLeft()
  })

  it('does not take a download for Electron that is not', async () => {
    const env = await mirror((_request, response) => response.end(readFileSync(LAUNCHER)))
    const start = new Launched([AS_ROOT, '--no-open'], env)
    await start.prints(ADDRESS)
    expect(start.stderr).toMatch(/No desktop window: Electron could not be downloaded/)
  })
})
