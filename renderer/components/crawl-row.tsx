import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import { useApp } from '../state/app-context.tsx'
import { isRunning } from '../state/app-store.ts'
import { CrawlState } from './crawl-state.tsx'
import { formatBytes, formatCount, formatTime, formatWhen } from './format.ts'

/** A crawl of the library, with the one thing to do next and a menu of the rest. */
export function CrawlRow({ crawl }: { crawl: CrawlListing }) {
  const { openCrawl, store } = useApp()
  const { t, i18n } = useTranslation('library')
  const progress = store((state) => state.progress[crawl.id])
  const state = progress?.state ?? crawl.state
  const counts = progress?.counts ?? crawl.counts
  const number = (value: number | undefined): string => (value === undefined ? '' : formatCount(value, i18n.language))
  const left = counts ? counts.pending + counts.processing + counts.failed : undefined
  const name = siteName(crawl)
  return (
    <tr>
      <td className="site">
        {crawl.state === 'unreadable' ? (
          <span>{name}</span>
        ) : (
          <button type="button" title={crawl.seeds.slice(0, 20).join('\n')} onClick={() => void openCrawl(crawl.id)}>
            {name}
          </button>
        )}
        {name !== crawl.id && <span className="file dim">{crawl.id.replace(/\.sandpiper$/, '')}</span>}
      </td>
      <td className="trouble" title={crawl.trouble}>
        <CrawlState state={state} />
        {crawl.trouble !== '' && <span className="dim"> {crawl.trouble}</span>}
      </td>
      <td className="number">{number(counts?.done)}</td>
      <td className="number">{number(left)}</td>
      <td className="number">{number(counts?.final_failed)}</td>
      <td title={formatTime(crawl.changedAt, i18n.language)}>
        {isRunning(state) ? t('now') : formatWhen(crawl.changedAt, Date.now(), i18n.language)}
      </td>
      <td className="number">{formatBytes(crawl.bytes, i18n.language)}</td>
      <td className="actions">
        <RowActions crawl={crawl} state={state} left={left ?? 0} done={counts?.done ?? 0} />
      </td>
    </tr>
  )
}

export const siteName = (crawl: CrawlListing): string => {
  const [seed] = crawl.seeds
  if (seed === undefined) return crawl.id
  return seed.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

interface RowActionsProps {
  crawl: CrawlListing
  state: CrawlListing['state']
  left: number
  done: number
}

function RowActions({ crawl, state, left, done }: RowActionsProps) {
  const { invoke, store, facts, navigate } = useApp()
  const { t } = useTranslation('library')
  const [deleting, setDeleting] = useState(false)
  const { tell } = store.getState()
  const { id } = crawl
  const mayResume = crawl.resumable && !isRunning(state) && state !== 'queued' && state !== 'elsewhere'

  async function duplicate(): Promise<void> {
    const result = await invoke('crawl.settings', { id })
    if (tell(result) && result.ok) navigate({ name: 'setup', settings: result.value })
  }

  if (deleting) {
    return (
      <>
        <Button color="red" variant="filled" autoFocus onClick={() => void invoke('crawl.delete', { id }).then(tell)}>
          {t('deleteCount', { done })}
        </Button>{' '}
        <Button onClick={() => setDeleting(false)}>{t('keep')}</Button>
      </>
    )
  }
  return (
    <>
      {state === 'running' && (
        <Button onClick={() => void invoke('crawl.pause', { id }).then(tell)}>{t('pause')}</Button>
      )}
      {state === 'pausing' && (
        <Button onClick={() => void invoke('crawl.resume', { id }).then(tell)}>{t('resume')}</Button>
      )}
      {mayResume && (
        <Button
          variant={state === 'interrupted' ? 'filled' : 'default'}
          onClick={() => void invoke('crawl.resume', { id }).then(tell)}
        >
          {left > 0 ? t('resumeCount', { left }) : t('resume')}
        </Button>
      )}{' '}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('more', { site: siteName(crawl) })}>⋯</ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(isRunning(state) || state === 'queued') && (
            <Menu.Item onClick={() => void invoke('crawl.stop', { id }).then(tell)}>{t('stop')}</Menu.Item>
          )}
          {state !== 'unreadable' && <Menu.Item onClick={() => void duplicate()}>{t('duplicate')}</Menu.Item>}
          {facts.host === 'desktop' && (
            <Menu.Item onClick={() => void invoke('library.reveal', { id }).then(tell)}>{t('reveal')}</Menu.Item>
          )}
          {!isRunning(state) && state !== 'elsewhere' && (
            <Menu.Item color="var(--danger)" onClick={() => setDeleting(true)}>
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
