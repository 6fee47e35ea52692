import { CloseButton, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableRow } from '../../../shared/table-query.ts'
import { openOutside } from '../../components/open-outside.ts'
import { UrlText } from '../../components/url-text.tsx'
import { useApp } from '../../state/app-context.tsx'
import type { TableStore } from '../../state/table-store.ts'
import { usePolled } from '../../state/use-polled.ts'
import { DetailsAttempts, DetailsHeaders, DetailsOverview, DetailsRedirects } from './details-facts.tsx'
import { DetailsLinks } from './details-links.tsx'
import { Splitter } from './splitter.tsx'

const TABS = ['overview', 'redirects', 'headers', 'in', 'out', 'timeline'] as const

/** All that is known of the selected URL. */
export function DetailsPane({ id, isLive, useTable }: { id: string; isLive: boolean; useTable: TableStore }) {
  const app = useApp()
  const { t } = useTranslation('crawl')
  const { t: common } = useTranslation()
  const { selected, openDetails, select } = useTable()
  const [height, setHeight] = useState(260)
  const [tab, setTab] = useState<string | null>('overview')
  const urlId = selected?.id ?? 1
  const details = usePolled('url.read', { id, urlId }, (latest) =>
    isLive && (latest === null || isOpen(latest.row)) ? 1_000 : null,
  )
  if (selected === null) return null
  const current = details?.row.id === urlId ? details : null

  /** Another URL of the crawl; the table stays where it is. */
  async function goTo(otherId: number): Promise<void> {
    const result = await app.invoke('url.read', { id, urlId: otherId })
    if (app.store.getState().tell(result) && result.ok) {
      setTab('overview')
      select(result.value.row)
    }
  }

  return (
    <>
      <Splitter height={height} onResize={setHeight} />
      <section
        className="details"
        style={{ height }}
        aria-label={t('details')}
        data-pane="details"
        onKeyDown={(event) => {
          if (event.key === 'Escape') openDetails(false)
        }}
      >
        <div className="details-head">
          <UrlText url={(current?.row ?? selected).url} />
          <button type="button" className="link-button" onClick={() => void openOutside(app, selected.url)}>
            {t('row.open')}
          </button>
          <span className="push" />
          <CloseButton size="sm" aria-label={t('details.close')} onClick={() => openDetails(false)} />
        </div>
        <Tabs value={tab} onChange={setTab} keepMounted={false} className="details" flex={1}>
          <Tabs.List>
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map((name) => (
            <Tabs.Panel key={name} value={name} className="details-body" tabIndex={0}>
              {current === null && <span className="hidden">{common('loading')}</span>}
              {current && name === 'overview' && <DetailsOverview details={current} />}
              {current && name === 'redirects' && <DetailsRedirects details={current} goTo={goTo} />}
              {current && name === 'headers' && <DetailsHeaders details={current} />}
              {current && name === 'in' && <DetailsLinks id={id} urlId={urlId} direction="in" goTo={goTo} />}
              {current && name === 'out' && <DetailsLinks id={id} urlId={urlId} direction="out" goTo={goTo} />}
              {current && name === 'timeline' && <DetailsAttempts details={current} />}
            </Tabs.Panel>
          ))}
        </Tabs>
      </section>
    </>
  )
}

/** May it still change by itself? */
const isOpen = ({ state }: TableRow): boolean => state === 'pending' || state === 'processing' || state === 'failed'
