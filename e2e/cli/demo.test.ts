import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from './run-cli.ts'

it('the demo crawls the sample site and says in three lines what it found and where it is', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sandpiper-demo-'))
  try {
    const { code, stdout } = await runCli(['demo'], { cwd })
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^Crawled the sample site: 5\d pages in /)
    expect(lines[1]).toBe('Broken: 2. Redirects: 4. Blocked by robots.txt: 1.')
    const files = readdirSync(join(cwd, 'sandpiper-demo'))
    for (const file of files) expect(lines[2]).toContain(join('sandpiper-demo', file))
    expect(files.map((file) => file.split('.').at(-1)).sort()).toEqual(['csv', 'sandpiper'])
    const csv = files.find((file) => file.endsWith('.csv'))!
    expect(readFileSync(join(cwd, 'sandpiper-demo', csv), 'utf8')).toContain('/species/avocet.html,200,done,')
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
})
