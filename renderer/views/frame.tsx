import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import type { Transport } from '../../shared/transport.ts'
import { AboutDialog } from '../components/about-dialog.tsx'
import { ClosingNote } from '../components/closing-note.tsx'
import { ExportList } from '../components/export-list.tsx'
import { KeyboardDialog } from '../components/keyboard-dialog.tsx'
import { TroubleBanner } from '../components/trouble-banner.tsx'
import { useLanguage } from '../i18n.ts'
import { useApp } from '../state/app-context.tsx'
import { useNavigation } from '../state/navigation.ts'
import { useActions } from '../state/use-actions.ts'
import { CrawlView } from './crawl/crawl-view.tsx'
import { LibraryView } from './library-view.tsx'
import { SettingsView } from './settings-view.tsx'
import { SetupView } from './setup/setup-view.tsx'

/** The window: one view, what lies over it, and the keys that work everywhere. */
export function Frame({ transport, nonce }: { transport: Transport; nonce: string }) {
  const { facts, store } = useApp()
  const { theme, language } = facts.settings
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme, setColorScheme])
  useLanguage(language)
  useActions(transport)
  const { view, dialog, show } = useNavigation()
  const closing = store((state) => state.closing)
  return (
    <>
      <div className="frame" inert={closing !== null}>
        <TroubleBanner />
        {view.name === 'library' && <LibraryView />}
        {view.name === 'crawl' && <CrawlView key={view.id} id={view.id} nonce={nonce} />}
        {view.name === 'setup' && <SetupView settings={view.settings} />}
        {view.name === 'settings' && <SettingsView />}
        <ExportList />
      </div>
      <KeyboardDialog opened={dialog === 'keyboard'} onClose={() => show(null)} />
      <AboutDialog opened={dialog === 'about'} onClose={() => show(null)} />
      {closing !== null && <ClosingNote closing={closing} />}
    </>
  )
}
