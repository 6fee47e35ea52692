import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import { CrawlRow } from '../components/crawl-row.tsx'
import { MoreMenu } from '../components/more-menu.tsx'
import { useApp } from '../state/app-context.tsx'

/** Every crawl, latest first, and one field to begin another. */
export function LibraryView() {
  const { store } = useApp()
  const crawls = store((state) => state.crawls)
  const { t } = useTranslation('library')
  return (
    <>
      <header className="toolbar" data-pane="toolbar">
        <h1>Sandpiper</h1>
        <span className="push" />
        <MoreMenu />
      </header>
      <main className="library" data-pane="library">
        {crawls?.length === 0 && <EmptyLibrary />}
        {crawls !== null && crawls.length > 0 && (
          <>
            <StartForm />
            <table className="crawls">
              <thead>
                <tr>
                  <th scope="col">{t('site')}</th>
                  <th scope="col">{t('state')}</th>
                  <th scope="col" className="number">
                    {t('done')}
                  </th>
                  <th scope="col" className="number">
                    {t('left')}
                  </th>
                  <th scope="col" className="number">
                    {t('failed')}
                  </th>
                  <th scope="col">{t('lastActive')}</th>
                  <th scope="col" className="number">
                    {t('size')}
                  </th>
                  <th scope="col">
                    <span className="hidden">{t('actions')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {interruptedFirst(crawls).map((crawl) => (
                  <CrawlRow key={crawl.id} crawl={crawl} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </main>
    </>
  )
}

/** What asks for an answer comes first; the rest as it came, latest first. */
const interruptedFirst = (crawls: readonly CrawlListing[]): CrawlListing[] => [
  ...crawls.filter(({ state }) => state === 'interrupted'),
  ...crawls.filter(({ state }) => state !== 'interrupted'),
]

function EmptyLibrary() {
  const { invoke, store, openCrawl } = useApp()
  const { t } = useTranslation('library')
  async function sample(): Promise<void> {
    const result = await invoke('crawl.sample', {})
    if (store.getState().tell(result) && result.ok) await openCrawl(result.value.id)
  }
  return (
    <section className="library-empty">
      <h2>{t('empty.title')}</h2>
      <p className="dim">{t('empty.text')}</p>
      <StartForm />
      <Button variant="subtle" onClick={() => void sample()}>
        {t('empty.sample')}
      </Button>
    </section>
  )
}

/** One field and Enter. What was typed stays until the crawl has begun. */
function StartForm() {
  const { invoke, store, openCrawl, navigate } = useApp()
  const { t } = useTranslation('library')
  const [address, setAddress] = useState('')
  const [starting, setStarting] = useState(false)
  const seed = address.trim()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (seed === '') return
    setStarting(true)
    const result = await invoke('crawl.start', { settings: { seeds: [seed] } })
    setStarting(false)
    if (store.getState().tell(result) && result.ok) await openCrawl(result.value.id)
  }

  return (
    <form className="library-start" onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('address')}
        placeholder="https://example.org/"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        size="sm"
      />
      <Button type="submit" variant="filled" size="sm" disabled={starting || seed === ''}>
        {t('start')}
      </Button>
      <Button size="sm" onClick={() => navigate({ name: 'setup', settings: { seeds: seed === '' ? [] : [seed] } })}>
        {t('options')}
      </Button>
    </form>
  )
}
