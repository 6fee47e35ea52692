import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventBatch } from '../../../shared/contract.ts'
import type { CrawlListing } from '../../../shared/crawl-listing.ts'
import { formatClock } from '../../components/format.ts'
import { useMeter } from '../../state/meters-context.tsx'
import { RateChart } from './rate-chart.tsx'

/** The numbers of a crawl on one line; speed and time only while it runs. */
export function StatusLine({
  crawl,
  progress,
}: {
  crawl: CrawlListing
  progress: EventBatch['progress'][string] | undefined
}) {
  const { t } = useTranslation('crawl')
  const counts = progress?.counts ?? crawl.counts
  return (
    <section className="status-line" aria-label={t('status')}>
      {counts !== null && (
        <ul>
          <li>{t('status.done', { count: counts.done })}</li>
          <li>{t('status.waiting', { count: counts.pending + counts.failed + (progress ? 0 : counts.processing) })}</li>
          {counts.final_failed > 0 && <li className="bad">{t('status.failed', { count: counts.final_failed })}</li>}
          {counts.skipped > 0 && <li className="dim">{t('status.skipped', { count: counts.skipped })}</li>}
          {progress && <li>{t('status.inFlight', { count: progress.inFlight })}</li>}
        </ul>
      )}
      <span className="push" />
      {progress && <Speed id={crawl.id} />}
      {progress && <span title={t('elapsed')}>{formatClock(progress.elapsedMs)}</span>}
      {!progress && <EndNote crawl={crawl} />}
    </section>
  )
}

function EndNote({ crawl }: { crawl: CrawlListing }) {
  const { t } = useTranslation('crawl')
  if (crawl.trouble !== '') return <span className="bad">{crawl.trouble}</span>
  if (crawl.endReason === 'limit') return <span className="dim">{t('end.limit')}</span>
  if (crawl.endReason === 'waiting') return <span className="dim">{t('end.waiting')}</span>
  return null
}

function Speed({ id }: { id: string }) {
  const { t } = useTranslation('crawl')
  const meter = useMeter(id)
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (meter === undefined) return null
  const growth = Math.round(meter.waitingPerSecond(now))
  const estimate = meter.estimate(now)
  return (
    <>
      {estimate !== null && (
        <span className="dim">
          {t('estimate', { from: Math.ceil(estimate.fromMs / 60_000), to: Math.ceil(estimate.toMs / 60_000) })}
        </span>
      )}
      {growth > 0 && <span className="dim">{t('growth', { growth })}</span>}
      <span>{t('speed', { speed: Math.round(meter.pagesPerSecond(now)) })}</span>
      <RateChart bars={meter.bars(now)} />
    </>
  )
}
