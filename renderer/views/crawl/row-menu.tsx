import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableRow } from '../../../shared/table-query.ts'
import { openOutside } from '../../components/open-outside.ts'
import { useApp } from '../../state/app-context.tsx'
import type { TableStore } from '../../state/table-store.ts'
import { ExcludeDialog } from './exclude-dialog.tsx'

export interface MenuPlace {
  x: number
  y: number
  rows: TableRow[]
}

interface RowMenuProps {
  id: string
  place: MenuPlace | null
  onClose: () => void
  useTable: TableStore
  copy: (rows: TableRow[]) => string
}

/** What can be done with the selected rows. */
export function RowMenu({ id, place, onClose, useTable, copy }: RowMenuProps) {
  const app = useApp()
  const { t } = useTranslation('crawl')
  const [excluding, setExcluding] = useState<string | null>(null)
  const { tell } = app.store.getState()
  const openDetails = useTable((state) => state.openDetails)
  const rows = place?.rows ?? []
  const [first] = rows
  const waiting = rows.filter(({ state }) => state === 'pending' || state === 'failed')
  const over = rows.filter(mayBeRetried)
  const urlIds = (of: TableRow[]): number[] => of.map((row) => row.id)
  return (
    <>
      <Menu opened={first !== undefined} onChange={(opened) => !opened && onClose()} position="bottom-start" offset={0}>
        <Menu.Target>
          <button
            type="button"
            className="row-menu-anchor"
            tabIndex={-1}
            aria-label={t('row.menu')}
            style={{ left: place?.x ?? 0, top: place?.y ?? 0 }}
          />
        </Menu.Target>
        {first !== undefined && (
          <Menu.Dropdown aria-label={t('row.menu')}>
            {rows.length === 1 && <Menu.Item onClick={() => openDetails(true)}>{t('row.details')}</Menu.Item>}
            {rows.length === 1 && (
              <Menu.Item onClick={() => void openOutside(app, first.url)}>{t('row.open')}</Menu.Item>
            )}
            <Menu.Item onClick={() => void navigator.clipboard.writeText(rows.map(({ url }) => url).join('\n'))}>
              {t('row.copyAddress', { count: rows.length })}
            </Menu.Item>
            <Menu.Item onClick={() => void navigator.clipboard.writeText(copy(rows))}>
              {t('row.copyRows', { count: rows.length })}
            </Menu.Item>
            <Menu.Divider />
            {over.length > 0 && (
              <Menu.Item onClick={() => void app.invoke('url.retry', { id, urlIds: urlIds(over) }).then(tell)}>
                {t('row.retry', { count: over.length })}
              </Menu.Item>
            )}
            {waiting.length > 0 && (
              <Menu.Item onClick={() => void app.invoke('url.moveToFront', { id, urlIds: urlIds(waiting) }).then(tell)}>
                {t('row.front', { count: waiting.length })}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setExcluding(first.url)}>{t('row.exclude')}</Menu.Item>
          </Menu.Dropdown>
        )}
      </Menu>
      {excluding !== null && <ExcludeDialog id={id} url={excluding} onClose={() => setExcluding(null)} />}
    </>
  )
}

/** What is no part of the crawl would only be skipped again. */
const mayBeRetried = ({ state, reason }: TableRow): boolean =>
  state === 'done' || state === 'failed' || state === 'final_failed' || (state === 'skipped' && reason === 'robots')
