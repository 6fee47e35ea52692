import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApp } from '../state/app-context.tsx'

/** Exports under way and those that just ended, in a corner. */
export function ExportList() {
  const { invoke, store, facts } = useApp()
  const exports = store((state) => state.exports)
  const { tell, dismissExport } = store.getState()
  const { t } = useTranslation()
  const shown = Object.entries(exports).filter(([, { state }]) => state !== 'cancelled')
  if (shown.length === 0) return null
  return (
    <ul className="exports" aria-label={t('exports')}>
      {shown.map(([ticket, { name, rows, state, place, trouble }]) => (
        <li key={ticket}>
          <p>
            {state === 'writing' && t('export.writing', { name, rows })}
            {state === 'done' && t('export.done', { name, rows, place })}
            {state === 'failed' && t('export.failed', { name, trouble })}
          </p>
          {state === 'writing' && (
            <Button onClick={() => void invoke('export.cancel', { ticket }).then(tell)}>{t('cancel')}</Button>
          )}
          {state === 'done' && facts.host === 'desktop' && (
            <Button onClick={() => void invoke('export.reveal', { ticket }).then(tell)}>{t('reveal')}</Button>
          )}
          {state !== 'writing' && <Button onClick={() => dismissExport(ticket)}>{t('dismiss')}</Button>}
        </li>
      ))}
    </ul>
  )
}
