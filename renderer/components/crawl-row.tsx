import { useState } from 'react'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import type { LibraryStore } from '../state/library-store.ts'
import { formatBytes, formatCount, formatWhen } from './format.ts'

/** Words and a shape for each state; colour only repeats them. */
const STATES: Readonly<Record<CrawlListing['state'], string>> = {
  idle: '○ Waiting',
  running: '◐ Running',
  pausing: '◐ Pausing',
  paused: '○ Paused',
  stopping: '◐ Stopping',
  stopped: '○ Stopped',
  finished: '● Finished',
  failed: '✕ Failed',
  queued: '○ Waits for its turn',
  elsewhere: '◐ Running elsewhere',
  interrupted: '○ Interrupted',
  unreadable: '✕ Cannot be read',
}

async function download(address: Promise<string | null>): Promise<void> {
  const href = await address
  if (href !== null) Object.assign(document.createElement('a'), { href, download: '' }).click()
}

export function CrawlRow({ crawl, useLibrary }: { crawl: CrawlListing; useLibrary: LibraryStore }) {
  const { progress, resume, stop, remove, exportPages } = useLibrary()
  const [deleting, setDeleting] = useState(false)
  const isRunning = crawl.state === 'running'
  const counts = (isRunning ? progress[crawl.id]?.counts : null) ?? crawl.counts
  const name = crawl.seeds[0] ?? crawl.id
  return (
    <tr>
      <th scope="row" title={crawl.id}>
        {name}
      </th>
      <td title={crawl.trouble}>{STATES[crawl.state]}</td>
      <td className="number">{counts ? formatCount(counts.done) : ''}</td>
      <td className="number">{counts ? formatCount(counts.pending + counts.processing + counts.failed) : ''}</td>
      <td className="number">{counts ? formatCount(counts.final_failed) : ''}</td>
      <td className="number">{formatBytes(crawl.bytes)}</td>
      <td title={new Date(crawl.changedAt).toLocaleString()}>
        {isRunning ? 'now' : formatWhen(crawl.changedAt, Date.now())}
      </td>
      <td className="actions">
        {(counts?.done ?? 0) > 0 && (
          <button
            type="button"
            title="All pages as a spreadsheet (CSV)"
            onClick={() => void download(exportPages(crawl.id))}
          >
            Export
          </button>
        )}
        {isRunning && (
          <button type="button" onClick={() => void stop(crawl.id)}>
            Stop
          </button>
        )}
        {!isRunning && crawl.resumable && (
          <button type="button" className="primary" onClick={() => void resume(crawl.id)}>
            Resume
          </button>
        )}
        {!isRunning && !deleting && (
          <button type="button" onClick={() => setDeleting(true)}>
            Delete…
          </button>
        )}
        {deleting && (
          <>
            <button type="button" className="danger" onClick={() => void remove(crawl.id)}>
              {`Move ${formatCount(counts?.done ?? 0)} results to the trash`}
            </button>
            <button type="button" onClick={() => setDeleting(false)}>
              Keep
            </button>
          </>
        )}
      </td>
    </tr>
  )
}
