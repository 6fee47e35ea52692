import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApp } from '../state/app-context.tsx'

export function AboutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { facts } = useApp()
  const { t } = useTranslation('help')
  return (
    <Modal opened={opened} onClose={onClose} title={t('about.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <p>{t('about.what')}</p>
      <p>{t('about.promise')}</p>
      <p className="dim">{t('about.version', { version: facts.version })}</p>
      <p className="dim">{t('about.licence')}</p>
    </Modal>
  )
}
