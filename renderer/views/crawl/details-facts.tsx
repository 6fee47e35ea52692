import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UrlDetails } from '../../../shared/url-details.ts'
import { formatBytes, formatCount, formatTime } from '../../components/format.ts'
import { reasonText, stateText } from './grid-columns.ts'

/** The facts of one URL, each group on a tab of its own. */

type Props = { details: UrlDetails }

export function DetailsOverview({ details }: Props) {
  const { t, i18n } = useTranslation(['common', 'crawl'])
  const { row } = details
  const count = (value: number | null): string => (value === null ? '' : formatCount(value, i18n.language))
  const bytes = (value: number | null): string => (value === null ? '' : formatBytes(value, i18n.language))
  const facts: [string, ReactNode][] = [
    [t('crawl:column.state'), stateText(row, t)],
    [t(row.state === 'skipped' ? 'crawl:fact.whySkipped' : 'crawl:column.reason'), reasonText(row, t)],
    [t('crawl:column.status'), row.status],
    [t('crawl:column.type'), row.type],
    [t('crawl:column.title'), row.title],
    [t('crawl:fact.description'), details.description],
    [t('crawl:fact.h1'), details.h1],
    [t('crawl:fact.h2'), details.h2],
    [t('crawl:fact.canonical'), details.canonical],
    [t('crawl:fact.metaRobots'), details.metaRobots],
    [t('crawl:fact.lang'), details.lang],
    [t('crawl:fact.hreflang'), details.hreflang.map(({ lang, url }) => `${lang} ${url}`).join('\n')],
    [t('crawl:column.words'), count(row.words)],
    [t('crawl:column.bytes'), bytes(row.bytes)],
    [t('crawl:fact.wireBytes'), bytes(details.wireBytes)],
    [t('crawl:column.responseMs'), row.responseMs === null ? '' : `${count(row.responseMs)} ms`],
    [t('crawl:column.depth'), count(row.depth)],
    [t('crawl:fact.found'), t(`crawl:found.${details.found}`)],
    [t('crawl:fact.outlinks'), count(details.outlinks)],
    [t('crawl:fact.encoding'), details.encoding],
    [t('crawl:fact.hash'), details.hash],
    [t('crawl:column.fetchedAt'), row.fetchedAt === null ? '' : formatTime(row.fetchedAt, i18n.language)],
    [t('crawl:fact.notes'), details.notes],
  ]
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== '' && value !== null)
        .map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

export function DetailsRedirects({ details, goTo }: Props & { goTo: (id: number) => Promise<void> }) {
  const { t } = useTranslation('crawl')
  if (details.redirects.length < 2) return <p className="dim">{t('redirects.none')}</p>
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t('column.status')}</th>
          <th scope="col">{t('column.url')}</th>
        </tr>
      </thead>
      <tbody>
        {details.redirects.map(({ id, url, status }) => (
          <tr key={id}>
            <td className="number">{status}</td>
            <td>
              <button type="button" className="link-button" onClick={() => void goTo(id)}>
                {url}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function DetailsHeaders({ details }: Props) {
  const { t } = useTranslation('crawl')
  if (details.headers.length === 0) return <p className="dim">{t('headers.none')}</p>
  return (
    <dl>
      {details.headers.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice
        <Fact key={`${index} ${name}`} name={name} value={value} />
      ))}
    </dl>
  )
}

export function DetailsAttempts({ details }: Props) {
  const { t, i18n } = useTranslation(['common', 'crawl'])
  const { attempts, notBefore, crashes, row } = details
  return (
    <>
      {attempts.length === 0 && <p className="dim">{t('crawl:timeline.none')}</p>}
      {attempts.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('crawl:timeline.started')}</th>
              <th scope="col" className="number">
                {t('crawl:timeline.took')}
              </th>
              <th scope="col">{t('crawl:timeline.outcome')}</th>
              <th scope="col" className="number">
                {t('crawl:column.status')}
              </th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ startedAt, endedAt, outcome, status }) => (
              <tr key={startedAt}>
                <td className="nowrap">{formatTime(startedAt, i18n.language)}</td>
                <td className="number">{`${formatCount(endedAt - startedAt, i18n.language)} ms`}</td>
                <td>{outcome === 'done' ? t('urlState.done') : reasonText({ reason: outcome, detail: '' }, t)}</td>
                <td className="number">{status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {row.state === 'failed' && notBefore !== null && (
        <p>{t('crawl:timeline.next', { at: formatTime(notBefore, i18n.language) })}</p>
      )}
      {crashes > 0 && <p>{t('crawl:timeline.crashes', { count: crashes })}</p>}
    </>
  )
}
