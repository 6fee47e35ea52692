import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApp } from '../state/app-context.tsx'

/** What went wrong last: what it is in the user's language, then what the host says about it. */
export function TroubleBanner() {
  const { store } = useApp()
  const { trouble, dismissTrouble } = store()
  const { t } = useTranslation()
  if (trouble === null) return null
  return (
    <div className="banner" role="alert">
      <p>
        <strong>{t(`error.${trouble.code}`)}</strong> {trouble.code !== 'unreachable' && trouble.message}
      </p>
      <Button onClick={dismissTrouble}>{t('dismiss')}</Button>
    </div>
  )
}
