import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EventBatch } from '../../shared/contract.ts'
import { useApp } from '../state/app-context.tsx'

/** Lies over the window while the app saves before it ends. */
export function ClosingNote({ closing }: { closing: NonNullable<EventBatch['closing']> }) {
  const { invoke } = useApp()
  const { t } = useTranslation()
  return (
    <div className="closing" role="alertdialog" aria-labelledby="closing-note">
      <p id="closing-note">{t('closing', { inFlight: closing.inFlight, toWrite: closing.toWrite })}</p>
      <Button autoFocus onClick={() => void invoke('app.quitNow', {})}>
        {t('quitNow')}
      </Button>
    </div>
  )
}
