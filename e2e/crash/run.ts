import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestSite } from '../site/start-test-site.ts'
import { crawlUndisturbed, killRound } from './kill-round.ts'

/** Many kill rounds, two at a time: `npm run crash -- [--rounds 200] [--seed 1] [--pages 2000]`. Exit code 1 if any round failed. */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '2000' },
  },
})
const LANES = 2
const LONGEST_LIFE_MS = 1_500
const cli = join(import.meta.dirname, '../../out/main/cli.js')
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-crash-'))
const last = Number(values.seed) + Number(values.rounds)
let next = Number(values.seed)
const sum = { rounds: 0, kills: 0, repeats: 0, failed: 0 }

async function lane(): Promise<void> {
  const site = await startTestSite({ pages: Number(values.pages) })
  try {
    const mine = mkdtempSync(join(folder, 'lane-'))
    const expected = await crawlUndisturbed(cli, site, mine)
    while (next < last) {
      const seed = next++
      const round = await killRound({ cli, site, folder: mine, seed, expected, longestLifeMs: LONGEST_LIFE_MS })
      sum.rounds++
      sum.kills += round.kills
      sum.repeats += round.repeats
      if (round.violations.length > 0) sum.failed++
      console.log(JSON.stringify({ seed, ...round }))
    }
  } finally {
    await site.stop()
  }
}

try {
  await Promise.all(Array.from({ length: LANES }, lane))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(JSON.stringify(sum))
process.exitCode = sum.failed > 0 ? 1 : 0
