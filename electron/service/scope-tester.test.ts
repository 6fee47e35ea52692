import { expect, it } from 'vitest'
import { crawlSettings } from '../../shared/crawl-settings.ts'
import { testScope } from './scope-tester.ts'

const scope = { include: ['/docs/*', '/news/*'], exclude: ['*.pdf', 'https://example.org/docs/old/*'] }
const settings = crawlSettings.parse({ seeds: ['example.org/start'], scope })

it.each([
  ['https://example.org/docs/a', { in: true, reason: null, detail: '/docs/*' }],
  ['/news/1?x', { in: true, reason: null, detail: '/news/*' }],
  [' example.org/start ', { in: true, reason: null, detail: '' }],
  ['/news/1.pdf', { in: false, reason: 'excluded', detail: '*.pdf' }],
  ['/docs/old/1', { in: false, reason: 'excluded', detail: 'https://example.org/docs/old/*' }],
  ['/about', { in: false, reason: 'not_included', detail: '' }],
  ['https://example.com/docs/', { in: false, reason: 'external', detail: '' }],
])('%s', (url, expected) => expect(testScope(settings, url)).toEqual(expected))

it('takes no depth limit into account: only the address counts', () => {
  const shallow = { ...settings, limits: { ...settings.limits, maxDepth: 0 } }
  expect(testScope(shallow, '/docs/a').in).toBe(true)
})

it.each(['', 'mailto:a@b', 'http://', '//'])('refuses %j', (url) =>
  expect(() => testScope(settings, url)).toThrow(expect.objectContaining({ code: 'bad_input' })),
)
