import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CrawlListing, ListedState } from '../../../shared/crawl-listing.ts'
import { siteName } from '../../components/crawl-row.tsx'
import { CrawlState } from '../../components/crawl-state.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { useApp } from '../../state/app-context.tsx'
import { isRunning } from '../../state/app-store.ts'
import { useNavigation } from '../../state/navigation.ts'

/** Where one is, what the crawl does, and what can be done about it. */
export function CrawlToolbar({ crawl, state }: { crawl: CrawlListing; state: ListedState }) {
  const { invoke, store, facts, navigate } = useApp()
  const { t } = useTranslation('crawl')
  const show = useNavigation((navigation) => navigation.show)
  const progress = store((all) => all.progress[crawl.id])
  const { tell } = store.getState()
  const { id } = crawl
  const failed = (progress?.counts ?? crawl.counts)?.final_failed ?? 0
  const mayResume = crawl.resumable && !isRunning(state) && state !== 'queued' && state !== 'elsewhere'

  async function duplicate(): Promise<void> {
    const result = await invoke('crawl.settings', { id })
    if (tell(result) && result.ok) navigate({ name: 'setup', settings: result.value })
  }

  /** A crawl that does not run begins to. */
  async function retryFailed(): Promise<void> {
    if (isRunning(state)) tell(await invoke('crawl.retryFailed', { id }))
    else tell(await invoke('crawl.resume', { id, retryFailed: true }))
  }

  return (
    <header className="toolbar" data-pane="toolbar">
      <Button variant="subtle" onClick={() => navigate({ name: 'library' })}>
        <span aria-hidden="true">‹&nbsp;</span>
        {t('library')}
      </Button>
      <h1 title={crawl.seeds.slice(0, 20).join('\n')}>{siteName(crawl)}</h1>
      {crawl.seeds.length > 1 && <span className="dim">{t('moreSeeds', { count: crawl.seeds.length - 1 })}</span>}
      <CrawlState state={state} />
      <span className="push" />
      {state === 'running' && (
        <Button onClick={() => void invoke('crawl.pause', { id }).then(tell)} title={t('pause.hint')}>
          {t('pause')}
        </Button>
      )}
      {state === 'pausing' && (
        <Button onClick={() => void invoke('crawl.resume', { id }).then(tell)}>{t('resume')}</Button>
      )}
      {mayResume && (
        <Button variant="filled" onClick={() => void invoke('crawl.resume', { id }).then(tell)}>
          {t('resume')}
        </Button>
      )}
      {(state === 'running' || state === 'pausing' || state === 'queued') && (
        <Button onClick={() => void invoke('crawl.stop', { id }).then(tell)} title={t('stop.hint')}>
          {t('stop')}
        </Button>
      )}
      {failed > 0 && state !== 'stopping' && state !== 'pausing' && state !== 'elsewhere' && (
        <Button onClick={() => void retryFailed()}>{t('retryFailed', { failed })}</Button>
      )}
      <Button onClick={() => show('export')}>{t('export')}</Button>
      <MoreMenu>
        <Menu.Item onClick={() => void duplicate()}>{t('duplicate')}</Menu.Item>
        {facts.host === 'desktop' && (
          <Menu.Item onClick={() => void invoke('library.reveal', { id }).then(tell)}>{t('reveal')}</Menu.Item>
        )}
        <Menu.Divider />
      </MoreMenu>
    </header>
  )
}
