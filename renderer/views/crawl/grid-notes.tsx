import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CrawlListing } from '../../../shared/crawl-listing.ts'
import { isNarrowed, type TableStore, WIDE } from '../../state/table-store.ts'

/** What lies over the table: how far a list is, that it is empty and why, that there are new rows. */
export function GridNotes({ crawl, isLive, useTable }: { crawl: CrawlListing; isLive: boolean; useTable: TableStore }) {
  const { t } = useTranslation('crawl')
  const { filter, total, progress, fresh, refresh, narrow } = useTable()
  const isEmpty = total === 0 && progress === null
  return (
    <>
      {progress !== null && (
        <div
          className="list-progress"
          role="progressbar"
          aria-label={t('grid.making')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(progress * 100)}
        >
          <div style={{ width: `${progress * 100}%` }} />
        </div>
      )}
      {isEmpty && (
        <div className="grid-note">
          {isNarrowed(filter) ? (
            <>
              <p className="dim">{t('grid.noMatch')}</p>
              <Button onClick={() => narrow(WIDE)}>{t('filter.clear')}</Button>
            </>
          ) : (
            <p className="dim">{t(crawl.resumable || isLive ? `empty.${filter.view}` : 'grid.nothing')}</p>
          )}
        </div>
      )}
      {fresh > 0 && progress === null && (
        <Button className="fresh-pill" variant="filled" radius="xl" onClick={refresh}>
          {t('fresh', { count: fresh })}
        </Button>
      )}
    </>
  )
}
