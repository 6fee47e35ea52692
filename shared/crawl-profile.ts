import { z } from 'zod'
import { crawlSettings } from './crawl-settings.ts'

/** Crawl settings kept under a name: everything but the seeds. */
export const profileSettings = crawlSettings.omit({ seeds: true })
export type ProfileSettings = z.infer<typeof profileSettings>

export const MAX_PROFILES = 100

export const profileName = z.string().trim().min(1, 'give the profile a name').max(80)
export const crawlProfile = z.strictObject({ name: profileName, settings: profileSettings })
export type CrawlProfile = z.infer<typeof crawlProfile>
