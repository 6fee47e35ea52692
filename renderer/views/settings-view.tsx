import { Button, Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AppSettings, LANGUAGES, type Language } from '../../shared/app-settings.ts'
import { MoreMenu } from '../components/more-menu.tsx'
import { useApp } from '../state/app-context.tsx'

/** What the app remembers for its user. Every change is saved at once. */

const THEMES = ['system', 'light', 'dark'] as const satisfies AppSettings['theme'][]
const MAX_RUNNING = 16

export function SettingsView() {
  const { invoke, store, facts, navigate } = useApp()
  const { t } = useTranslation('settings')
  const { language, theme, maxRunning, keepAwake, notify } = facts.settings

  async function save(changes: Partial<AppSettings>): Promise<void> {
    const result = await invoke('app.save', changes)
    if (store.getState().tell(result) && result.ok) store.setState({ facts: { ...facts, settings: result.value } })
  }

  return (
    <>
      <header className="toolbar" data-pane="toolbar">
        <Button variant="subtle" onClick={() => navigate({ name: 'library' })}>
          <span aria-hidden="true">‹&nbsp;</span>
          {t('library')}
        </Button>
        <h1>{t('title')}</h1>
        <span className="push" />
        <MoreMenu />
      </header>
      <main className="settings" data-pane="settings" data-view="settings">
        <div className="settings-row">
          <NativeSelect
            size="xs"
            label={t('language')}
            value={language ?? ''}
            data={[
              { value: '', label: t('language.system') },
              ...LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) })),
            ]}
            onChange={({ currentTarget: { value } }) =>
              void save({ language: value === '' ? null : (value as Language) })
            }
          />
        </div>
        <div className="settings-row">
          <span id="theme" className="settings-label">
            {t('theme')}
          </span>
          <SegmentedControl
            size="xs"
            aria-labelledby="theme"
            value={theme}
            data={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
            onChange={(value) => void save({ theme: value })}
            transitionDuration={0}
          />
        </div>
        <div className="settings-row">
          <NativeSelect
            size="xs"
            label={t('maxRunning')}
            description={t('maxRunning.hint')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={String(maxRunning)}
            data={Array.from({ length: MAX_RUNNING }, (_, n) => String(n + 1))}
            onChange={({ currentTarget: { value } }) => void save({ maxRunning: Number(value) })}
          />
        </div>
        {facts.host === 'desktop' && (
          <fieldset className="settings-row">
            <legend className="settings-label">{t('whileCrawling')}</legend>
            <div className="settings-switches">
              <Checkbox
                label={t('keepAwake')}
                checked={keepAwake}
                onChange={({ currentTarget: { checked } }) => void save({ keepAwake: checked })}
              />
              <Checkbox
                label={t('notify')}
                description={t('notify.hint')}
                checked={notify}
                onChange={({ currentTarget: { checked } }) => void save({ notify: checked })}
              />
            </div>
          </fieldset>
        )}
        <div className="settings-row">
          <span className="settings-label">{t('folder')}</span>
          <div>
            <div className="settings-folder">
              <code>{facts.folder}</code>
              <CopyButton text={facts.folder} />
            </div>
            <p className="settings-hint">{t('folder.hint')}</p>
          </div>
        </div>
        <p className="settings-hint">{t('version', { version: facts.version })}</p>
      </main>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('settings')
  const [copied, setCopied] = useState(false)
  return (
    <Button aria-live="polite" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      {t(copied ? 'folder.copied' : 'folder.copy')}
    </Button>
  )
}
