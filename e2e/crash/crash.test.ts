import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLI } from '../cli/run-cli.ts'
import { startTestSite, type TestSite } from '../site/start-test-site.ts'
import { crawlUndisturbed, killRound, type Round } from './kill-round.ts'

/** The promise: kill the program at any moment, as often as you like; nothing is lost and nothing finished is fetched again. */

const ROUNDS = 20
const LANES = 2
const LONGEST_LIFE_MS = 1_500
const ROOT = join(import.meta.dirname, '../..')

let folder: string
let sites: TestSite[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-crash-'))
  sites = await Promise.all(Array.from({ length: LANES }, () => startTestSite({ pages: 2_000 })))
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()))
  rmSync(folder, { recursive: true, force: true })
})

it(`${ROUNDS} rounds of random kills: every export equals an undisturbed crawl's`, { timeout: 600_000 }, async () => {
  let next = 1
  const rounds: Round[] = []
  const lane = async (site: TestSite): Promise<void> => {
    const mine = mkdtempSync(join(folder, 'lane-'))
    const expected = await crawlUndisturbed(CLI, site, mine)
    while (next <= ROUNDS) {
      const seed = next++
      const round = await killRound({ cli: CLI, site, folder: mine, seed, expected, longestLifeMs: LONGEST_LIFE_MS })
      console.log(`round ${seed}: ${round.kills} kills, ${round.repeats} requests repeated`)
      rounds.push(round)
    }
  }
  await Promise.all(sites.map(lane))
  expect(rounds.flatMap(({ violations }) => violations)).toEqual([])
  expect(rounds).toHaveLength(ROUNDS)
  const kills = rounds.reduce((sum, round) => sum + round.kills, 0)
  expect(kills).toBeGreaterThan(ROUNDS)
})

it('the verifier finds a build that commits a page apart from its links', { timeout: 120_000 }, async () => {
  // Beside the real build, so that it finds the same modules.
  const out = join(ROOT, 'out/planted')
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'error'],
    {
      cwd: ROOT,
      env: { ...process.env, SANDPIPER_PLANT: 'commit_split', SANDPIPER_OUT: out },
    },
  )
  const found = new Set<string>()
  for (let seed = 100; seed < 112 && found.size === 0; seed++) {
    const cli = join(out, 'cli.js')
    const round = await killRound({
      cli,
      site: sites[0]!,
      folder,
      seed,
      expected: null,
      longestLifeMs: LONGEST_LIFE_MS,
    })
    for (const { invariant } of round.violations) found.add(invariant)
  }
  expect([...found]).toContain('I2 a done page has all its links')
})
