import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SampleSite, startSampleSite } from './sample-site.ts'

let site: SampleSite

beforeAll(async () => {
  site = await startSampleSite(join(import.meta.dirname, '../../resources/sample-site'))
})
afterAll(() => site.close())

const get = (path: string): Promise<Response> => fetch(new URL(path, site.url), { redirect: 'manual' })

it('serves pages, folders, redirects and a page for what is missing', async () => {
  expect((await get('/')).headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect((await get('/species/')).status).toBe(200)
  const moved = await get('/birds/')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/species/'])
  expect((await get('/species/dodo.html')).status).toBe(404)
})

it('names its own address in robots.txt and the sitemap', async () => {
  expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${site.url}sitemap.xml`)
  expect(await (await get('/sitemap.xml')).text()).toContain(`<loc>${site.url}visit/quiet-hide.html</loc>`)
})

it('serves nothing from outside its folder, nor its own settings', async () => {
  for (const path of ['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/_redirects.json', '/species/%00']) {
    expect((await get(path)).status, path).toBe(404)
  }
})

it('has between 40 and 60 pages, and only the broken links it is meant to have', async () => {
  const broken = new Set<string>()
  const pages = new Set<string>()
  const queue = [site.url]
  const seen = new Set(queue)
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    const response = await fetch(url)
    const path = new URL(url).pathname
    if (response.status === 404) broken.add(path)
    if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) continue
    if (!response.redirected) pages.add(path)
    for (const [, address] of (await response.text()).matchAll(/(?:href|src)="([^"#]+)/g)) {
      const next = URL.parse(address!, response.url)
      if (next === null || next.origin !== new URL(site.url).origin || seen.has(next.href)) continue
      seen.add(next.href)
      queue.push(next.href)
    }
  }
  expect([...broken].sort()).toEqual(['/images/spoonbill-2019.jpg', '/lost.html', '/species/dodo.html'])
  expect(pages.size).toBeGreaterThanOrEqual(40)
  expect(pages.size).toBeLessThanOrEqual(60)
})
