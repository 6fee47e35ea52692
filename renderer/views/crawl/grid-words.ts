import type { LocaleText } from 'ag-grid-community'
import type { Translate } from './grid-columns.ts'

/** What the grid itself says to screen readers. */
export const gridWords = (t: Translate): LocaleText => ({
  loadingOoo: t('crawl:grid.loading'),
  noRowsToShow: t('crawl:grid.empty'),
  ariaSortableColumn: t('crawl:grid.sort'),
  ariaRowToggleSelection: t('crawl:grid.toggle'),
  ariaRowSelect: t('crawl:grid.select'),
  ariaRowDeselect: t('crawl:grid.deselect'),
  ariaSearch: t('crawl:filter.text'),
})
