import { useTranslation } from 'react-i18next'
import { TABLE_VIEWS } from '../../../shared/table-query.ts'
import { formatCount } from '../../components/format.ts'
import type { TableStore } from '../../state/table-store.ts'
import { usePolled } from '../../state/use-polled.ts'

/** The views of a crawl, with how many rows each has. */
export function ViewList({ id, isLive, useTable }: { id: string; isLive: boolean; useTable: TableStore }) {
  const { t, i18n } = useTranslation('crawl')
  const { pane, choosePane } = useTable()
  const counted = usePolled('table.counts', { id }, (latest) =>
    isLive ? 1_000 : latest === null || latest.counts === null ? 300 : null,
  )
  const sites = usePolled('crawl.sites', { id }, () => (isLive ? 5_000 : null))
  const number = (value: number | undefined): string => (value === undefined ? '' : formatCount(value, i18n.language))
  return (
    <nav className="views" aria-label={t('views')} data-pane="views">
      <ul>
        {TABLE_VIEWS.map((view) => (
          <li key={view}>
            <button type="button" aria-current={pane === view} onClick={() => choosePane(view)}>
              <span>{t(`view.${view}`)}</span>
              <span className="number dim">{number(counted?.counts?.[view])}</span>
            </button>
          </li>
        ))}
        <li className="apart">
          <button type="button" aria-current={pane === 'sites'} onClick={() => choosePane('sites')}>
            <span>{t('view.sites')}</span>
            <span className="number dim">{number(sites?.length)}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}
