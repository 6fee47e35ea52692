import type { CrawlState } from '../../shared/crawl-state.ts'
import { openForReading } from '../store/database.ts'
import { type Owner, readOwner } from '../store/lock.ts'
import { type CrawlOverview, readOverview } from '../store/overview.ts'

/** What a crawl file holds, read without a lock while a crawl may be running. */
export interface CrawlStatus extends Omit<CrawlOverview, 'state'> {
  file: string
  /** `interrupted`: it was running, and nobody has it open. */
  state: CrawlState | 'interrupted'
  resumable: boolean
  owner: Owner | null
}

/** @throws Failure when the file is missing or is no crawl file */
export function crawlStatus(file: string): CrawlStatus {
  const db = openForReading(file)
  try {
    const overview = readOverview(db, file)
    const owner = readOwner(file)
    const live = overview.state === 'running' || overview.state === 'pausing' || overview.state === 'stopping'
    const { counts } = overview
    return {
      file,
      ...overview,
      state: live && owner === null ? 'interrupted' : overview.state,
      resumable: counts.pending + counts.processing + counts.failed + overview.sitemapsPending > 0,
      owner,
    }
  } finally {
    db.close()
  }
}
