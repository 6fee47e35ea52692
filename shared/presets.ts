import type { z } from 'zod'
import { type ProfileSettings, profileSettings } from './crawl-profile.ts'

/** Ready-made settings for what people often want. Names and explanations are the window's, in its user's language. */

export const PRESETS = ['default', 'gentle', 'ownServer', 'onlyThesePages', 'quickLook'] as const
export type Preset = (typeof PRESETS)[number]

const CHANGES: Readonly<Record<Preset, z.input<typeof profileSettings>>> = {
  default: {},
  /** For small or slow sites, and those that block whoever is fast: a request a second, one at a time. */
  gentle: { politeness: { perHost: 1, concurrency: 8, delayMs: 1_000 } },
  /** For a server that is the user's own. */
  ownServer: { politeness: { perHost: 32, concurrency: 64 }, requests: { retries: 0 } },
  /** The list and what its pages show, no links followed. */
  onlyThesePages: { limits: { maxDepth: 0 }, politeness: { sitemaps: false } },
  /** The first pages of a site, to see whether the settings are right. */
  quickLook: { limits: { maxPages: 100, maxDepth: 3 } },
}

export const presetSettings = (preset: Preset): ProfileSettings => profileSettings.parse(CHANGES[preset])
