import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../state/app-context.tsx'
import { isRunning } from '../../state/app-store.ts'
import { useNavigation } from '../../state/navigation.ts'
import { createTableStore } from '../../state/table-store.ts'
import { CrawlToolbar } from './crawl-toolbar.tsx'
import { DetailsPane } from './details-pane.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { SitesPanel } from './sites-panel.tsx'
import { StateAnnouncer } from './state-announcer.tsx'
import { StatusLine } from './status-line.tsx'
import { UrlGrid } from './url-grid.tsx'
import { ViewList } from './view-list.tsx'

/** One crawl: what it does, what it found, what is left. */
export function CrawlView({ id, nonce }: { id: string; nonce: string }) {
  const { store, navigate } = useApp()
  const { t } = useTranslation('crawl')
  const [useTable] = useState(createTableStore)
  const crawls = store((state) => state.crawls)
  const progress = store((state) => state.progress[id])
  const { dialog, show } = useNavigation()
  const crawl = crawls?.find((each) => each.id === id)
  const isGone = crawls !== null && crawl === undefined
  useEffect(() => {
    if (isGone) navigate({ name: 'library' })
  }, [isGone, navigate])
  const pane = useTable((state) => state.pane)
  const { selected, detailsOpen } = useTable()
  if (crawl === undefined) return <p className="library-empty dim">{t('opening')}</p>
  const state = progress?.state ?? crawl.state
  const isLive = isRunning(state)
  return (
    <>
      <CrawlToolbar crawl={crawl} state={state} />
      <StateAnnouncer state={state} counts={progress?.counts ?? crawl.counts} />
      <StatusLine crawl={crawl} progress={progress} />
      <div className="crawl-body">
        <ViewList id={id} isLive={isLive} useTable={useTable} />
        {pane === 'sites' ? (
          <SitesPanel id={id} isLive={isLive} />
        ) : (
          <main className="centre">
            <FilterBar useTable={useTable} />
            <UrlGrid crawl={crawl} isLive={isLive} useTable={useTable} nonce={nonce} />
            {selected !== null && detailsOpen && <DetailsPane id={id} isLive={isLive} useTable={useTable} />}
          </main>
        )}
      </div>
      <ExportDialog opened={dialog === 'export'} onClose={() => show(null)} id={id} useTable={useTable} />
    </>
  )
}
