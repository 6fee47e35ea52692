import { useTranslation } from 'react-i18next'
import type { SiteLine } from '../../../shared/site-line.ts'
import { formatCount, formatTime } from '../../components/format.ts'
import { usePolled } from '../../state/use-polled.ts'

/** Each site of the crawl: how it is doing, and why it waits. */
export function SitesPanel({ id, isLive }: { id: string; isLive: boolean }) {
  const { t, i18n } = useTranslation('crawl')
  const sites = usePolled('crawl.sites', { id }, () => (isLive ? 1_000 : null))
  const number = (value: number): string => formatCount(value, i18n.language)
  if (sites === null) return <main className="sites" />
  return (
    <main className="sites" data-pane="sites">
      <table className="plain-table wide">
        <thead>
          <tr>
            <th scope="col">{t('site.origin')}</th>
            <th scope="col" className="number">
              {t('site.inFlight')}
            </th>
            <th scope="col" className="number">
              {t('site.waiting')}
            </th>
            <th scope="col" className="number">
              {t('site.done')}
            </th>
            <th scope="col" className="number">
              {t('site.failed')}
            </th>
            <th scope="col">{t('site.robots')}</th>
            <th scope="col">{t('site.why')}</th>
          </tr>
        </thead>
        <tbody>
          {sites.map((site) => (
            <tr key={site.origin}>
              <th scope="row">{site.origin}</th>
              <td className="number">{number(site.inFlight)}</td>
              <td className="number">{number(site.waiting)}</td>
              <td className="number">{number(site.done)}</td>
              <td className="number">{number(site.failed)}</td>
              <td>
                <Robots status={site.robotsStatus} />
              </td>
              <td>
                {isLive || site.waiting === 0 ? <Why site={site} language={i18n.language} /> : t('why.notRunning')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sites.length === 0 && <p className="dim">{t('site.none')}</p>}
    </main>
  )
}

function Robots({ status }: { status: number | null }) {
  const { t } = useTranslation('crawl')
  if (status === null) return t('robots.notAsked')
  if (status >= 200 && status < 300) return t('robots.found')
  return status >= 400 && status < 500 ? t('robots.none', { status }) : t('robots.trouble', { status })
}

function Why({ site, language }: { site: SiteLine; language: string }) {
  const { t } = useTranslation('crawl')
  const { parkedUntil, parkReason, nextAllowedAt, delayMs, waiting } = site
  const now = Date.now()
  if (waiting === 0) return t('why.nothing')
  if (parkedUntil !== null && parkedUntil > now)
    return t('why.parked', { until: formatTime(parkedUntil, language), reason: parkReason })
  if (nextAllowedAt !== null && nextAllowedAt > now + 1_000)
    return t('why.next', { at: formatTime(nextAllowedAt, language) })
  return delayMs > 0 ? t('why.delay', { seconds: delayMs / 1_000 }) : ''
}
