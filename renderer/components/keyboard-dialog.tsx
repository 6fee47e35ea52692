import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApp } from '../state/app-context.tsx'
import { isMac, keyName } from '../state/shortcuts.ts'

/** Every key that does something. */
export function KeyboardDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { platform, host } = useApp().facts
  const { t } = useTranslation('help')
  const everywhere = (['new', 'open', 'export', 'filter', 'settings'] as const).map(
    (action) => [keyName(action, platform, host), t(`key.${action}`)] as const,
  )
  const copy = isMac(platform) ? '⌘C' : 'Ctrl+C'
  const rows = [
    ...everywhere,
    ['F6', t('key.panes')],
    ['Esc', t('key.close')],
    [t('space'), t('key.pause')],
    ['↑ ↓ Home End PgUp PgDn', t('key.move')],
    ['Enter', t('key.details')],
    [copy, t('key.copy')],
    ['Shift+F10', t('key.menu')],
  ] as const
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keyboard.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <table className="plain-table wide">
        <tbody>
          {rows.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row" className="nowrap">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  )
}
