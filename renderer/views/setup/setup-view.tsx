import { Button } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { CrawlSettingsInput } from '../../../shared/crawl-settings.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { type App, useApp } from '../../state/app-context.tsx'
import { useSetup } from '../../state/setup-store.ts'
import { CheckReport } from './check-report.tsx'
import { DifferenceList } from './difference-list.tsx'
import { type Field, SECTION_FIELDS, type SettingsSection } from './draft.ts'
import { fieldId, ListRow, NumberRow, SwitchRow, TextRow } from './field-row.tsx'
import { OptionSection } from './option-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { ScopeTester } from './scope-tester.tsx'
import { SeedsField } from './seeds-field.tsx'

/** A new crawl: addresses and Start; everything else is folded. @param settings to begin with, instead of what was left here */
export function SetupView({ settings }: { settings?: CrawlSettingsInput | undefined }) {
  const app = useApp()
  const { t } = useTranslation('setup')
  const [starting, setStarting] = useState(false)
  const checking = useSetup(({ check }) => check.state === 'running')
  useEffect(() => {
    if (settings !== undefined) useSetup.getState().load(settings)
    document.getElementById(fieldId('seeds'))?.focus()
  }, [settings])

  async function start(): Promise<void> {
    if (starting || !isReady()) return
    setStarting(true)
    await startCrawl(app)
    setStarting(false)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void start()
  }

  return (
    <>
      <header className="toolbar" data-pane="toolbar">
        <Button variant="subtle" onClick={() => app.navigate({ name: 'library' })}>
          <span aria-hidden="true">‹&nbsp;</span>
          {t('library')}
        </Button>
        <h1>{t('title')}</h1>
        <span className="push" />
        <MoreMenu />
      </header>
      <main className="setup" data-pane="setup" data-view="setup">
        <form className="setup-form" noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown}>
          <SeedsField onEnter={() => void start()} />
          <div className="setup-actions">
            <Button size="sm" variant="filled" disabled={starting} onClick={() => void start()}>
              {t(starting ? 'starting' : 'start')}
            </Button>
            <Button size="sm" title={t('check.hint')} onClick={() => void runCheck(app)}>
              {t(checking ? 'checking' : 'check')}
            </Button>
          </div>
          <div className="sections">
            <OptionSection section="scope">
              <ListRow field="include" />
              <ListRow field="exclude" />
              <SwitchRow field="subdomains" />
              <ScopeTester />
            </OptionSection>
            <OptionSection section="speed">
              <NumberRow field="perHost" />
              <NumberRow field="concurrency" />
              <NumberRow field="delay" unit="seconds" />
            </OptionSection>
            <OptionSection section="limits">
              <NumberRow field="maxPages" />
              <NumberRow field="maxDepth" />
              <NumberRow field="maxBody" unit="megabytes" />
            </OptionSection>
            <OptionSection section="requests">
              <TextRow field="userAgent" />
              <ListRow field="headers" />
              <NumberRow field="timeout" unit="seconds" />
              <NumberRow field="retries" />
            </OptionSection>
            <OptionSection section="robots">
              <SwitchRow field="robots" />
              <SwitchRow field="sitemaps" />
            </OptionSection>
            <ProfileSection />
          </div>
        </form>
        <aside className="setup-aside" data-pane="check">
          <CheckReport onCheck={() => void runCheck(app)} onGo={goTo} />
          <DifferenceList />
        </aside>
      </main>
    </>
  )
}

async function startCrawl({ invoke, store, openCrawl }: App): Promise<void> {
  const { settings, refuseSeeds, clear } = useSetup.getState()
  if (settings === null) return
  const result = await invoke('crawl.start', { settings })
  if (result.ok) {
    clear()
    await openCrawl(result.value.id)
  } else if (result.error.code === 'bad_input') {
    // The host checks nothing else that the schema has let through.
    refuseSeeds(result.error.message)
    goTo('seeds')
  } else store.getState().tell(result)
}

async function runCheck({ invoke, store }: App): Promise<void> {
  if (!isReady()) return
  const error = await useSetup.getState().runCheck(invoke)
  if (error === null) return
  if (error.code === 'bad_input') {
    useSetup.getState().refuseSeeds(error.message)
    goTo('seeds')
  } else store.getState().tell({ ok: false, error })
}

/** Leads to the first mistake, if there is one. */
function isReady(): boolean {
  const { mistakes, leaveSeeds } = useSetup.getState()
  const fields: Field[] = ['seeds', ...Object.values(SECTION_FIELDS).flat()]
  const wrong = fields.find((field) => mistakes[field] !== undefined)
  if (wrong === undefined) return true
  leaveSeeds()
  goTo(wrong)
  return false
}

/** Unfolds the section of a field and moves there. */
function goTo(field: Field): void {
  const sections = Object.keys(SECTION_FIELDS) as SettingsSection[]
  const section = sections.find((each) => (SECTION_FIELDS[each] as readonly Field[]).includes(field))
  if (section !== undefined) flushSync(() => useSetup.getState().toggle(section, true))
  document.getElementById(fieldId(field))?.focus()
}
