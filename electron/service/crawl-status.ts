import { type CrawlState, isLive, isResumable } from '../../shared/crawl-state.ts'
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
    const isInterrupted = isLive(overview.state) && owner === null
    const state = isInterrupted ? 'interrupted' : overview.state
    const { counts } = overview
    const left = counts.pending + counts.processing + counts.failed + overview.sitemapsPending
    return {
      file,
      ...overview,
      state,
      resumable: isResumable(state, left > 0),
      owner,
    }
  } finally {
    db.close()
  }
}
