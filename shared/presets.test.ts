import { expect, it } from 'vitest'
import { crawlSettings } from './crawl-settings.ts'
import { PRESETS, presetSettings } from './presets.ts'

const asJson = PRESETS.map((preset) => JSON.stringify(presetSettings(preset)))

it('every preset makes settings for a crawl', () => {
  for (const preset of PRESETS) {
    const settings = presetSettings(preset)
    expect(crawlSettings.parse({ ...settings, seeds: ['https://example.org/'] })).toMatchObject(settings)
  }
})

it('no two presets are the same, and the default one is what a crawl has without', () => {
  expect(new Set(asJson).size).toBe(PRESETS.length)
  const { seeds: _, ...rest } = crawlSettings.parse({ seeds: ['https://example.org/'] })
  expect(presetSettings('default')).toEqual(rest)
})
