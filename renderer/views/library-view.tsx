import { CrawlRow } from '../components/crawl-row.tsx'
import { StartForm } from '../components/start-form.tsx'
import type { LibraryStore } from '../state/library-store.ts'

/** Every crawl, latest first, and one field to begin another. */
export function LibraryView({ useLibrary }: { useLibrary: LibraryStore }) {
  const { crawls, trouble, dismiss } = useLibrary()
  return (
    <main className="library">
      <h1>Sandpiper</h1>
      <StartForm useLibrary={useLibrary} />
      {trouble !== '' && (
        <p className="banner" role="alert">
          {trouble}{' '}
          <button type="button" onClick={dismiss}>
            Dismiss
          </button>
        </p>
      )}
      {crawls?.length === 0 && (
        <p className="empty">Your crawls will be listed here. Enter the address of a site to begin.</p>
      )}
      {crawls !== null && crawls.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Done
              </th>
              <th scope="col" className="number">
                Waiting
              </th>
              <th scope="col" className="number">
                Failed
              </th>
              <th scope="col" className="number">
                Size
              </th>
              <th scope="col">Last active</th>
              <th scope="col">
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {crawls.map((crawl) => (
              <CrawlRow key={crawl.id} crawl={crawl} useLibrary={useLibrary} />
            ))}
          </tbody>
        </table>
      )}
    </main>
  )
}
