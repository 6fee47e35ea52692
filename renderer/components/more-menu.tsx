import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../state/app-context.tsx'
import { keyName } from '../state/shortcuts.ts'
import { act } from '../state/use-actions.ts'

/** What is the same on every view, with what a view adds on top. */
export function MoreMenu({ children }: { children?: ReactNode }) {
  const app = useApp()
  const { platform, host } = app.facts
  const { t } = useTranslation()
  const item = (action: 'new' | 'open' | 'settings'): ReactNode => (
    <Menu.Item
      onClick={() => act(app, action)}
      rightSection={<span className="dim">{keyName(action, platform, host)}</span>}
    >
      {t(`menu.${action}`)}
    </Menu.Item>
  )
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu.more')}>⋯</ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {item('new')}
        {item('open')}
        <Menu.Divider />
        {item('settings')}
        <Menu.Item onClick={() => act(app, 'keyboard')}>{t('menu.keyboard')}</Menu.Item>
        <Menu.Item onClick={() => act(app, 'about')}>{t('menu.about')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
