import { z } from 'zod'

/** What the app remembers for its user, beside crawls. */

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

export const appSettings = z.strictObject({
  /** Null: as the system says. */
  language: z.enum(LANGUAGES).nullable().default(null),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Crawls at once; more wait for their turn. */
  maxRunning: z.int().min(1).max(16).default(3),
  /** The computer does not sleep while a crawl runs (desktop app). */
  keepAwake: z.boolean().default(true),
  /** A notification when a crawl ends and the window is in the background (desktop app). */
  notify: z.boolean().default(true),
})
export type AppSettings = z.infer<typeof appSettings>

export const appFacts = z.strictObject({
  version: z.string(),
  /** `browser`: downloads and uploads in place of file dialogs. */
  host: z.enum(['desktop', 'browser']),
  platform: z.string(),
  /** Where crawl files are. */
  folder: z.string(),
  settings: appSettings,
})
export type AppFacts = z.infer<typeof appFacts>
