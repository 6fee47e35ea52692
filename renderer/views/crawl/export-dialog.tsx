import { Button, Group, Modal, Radio, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VIEWS, type View } from '../../../shared/columns.ts'
import type { ExportSource } from '../../../shared/contract.ts'
import { useApp } from '../../state/app-context.tsx'
import type { TableStore } from '../../state/table-store.ts'

interface ExportDialogProps {
  opened: boolean
  onClose: () => void
  id: string
  useTable: TableStore
}

/** The table as shown or everything of a kind, as a spreadsheet or for programs. */
export function ExportDialog({ opened, onClose, id, useTable }: ExportDialogProps) {
  const { invoke, store, facts } = useApp()
  const { t } = useTranslation('crawl')
  const { t: common } = useTranslation()
  const [what, setWhat] = useState<'shown' | 'view'>('view')
  const [view, setView] = useState<View>('pages')
  const [format, setFormat] = useState<'excel' | 'data' | 'jsonl'>('excel')
  const { pane, filter, sort, total } = useTable()
  const { tell } = store.getState()
  const chosen = pane === 'sites' ? 'view' : what

  async function run(): Promise<void> {
    const source: ExportSource = chosen === 'shown' ? { query: { filter, sort } } : { view }
    const options = format === 'jsonl' ? ({ format: 'jsonl' } as const) : ({ format: 'csv', preset: format } as const)
    const prepared = await invoke('export.prepare', { id, source, ...options })
    if (!tell(prepared) || !prepared.ok) return
    const { ticket } = prepared.value
    if (facts.host === 'browser') {
      Object.assign(document.createElement('a'), { href: `/export/${ticket}`, download: '' }).click()
      onClose()
      return
    }
    const saved = await invoke('export.save', { ticket })
    if (tell(saved) && saved.ok && saved.value.saving) onClose()
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('export.title')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Stack gap={16}>
          <Radio.Group label={t('export.what')} value={chosen} onChange={(value) => setWhat(value as 'shown' | 'view')}>
            <Stack gap={8} mt={4}>
              <Radio value="view" label={t('export.view')} />
              <Radio
                value="shown"
                disabled={pane === 'sites'}
                label={total === null ? t('export.shown') : t('export.shownCount', { count: total })}
              />
            </Stack>
          </Radio.Group>
          {chosen === 'view' && (
            <Select
              label={t('export.kind')}
              data={VIEWS.map((value) => ({ value, label: t(`export.view.${value}`) }))}
              value={view}
              allowDeselect={false}
              onChange={(value) => setView(value as View)}
            />
          )}
          <Radio.Group
            label={t('export.format')}
            value={format}
            onChange={(value) => setFormat(value as typeof format)}
          >
            <Stack gap={8} mt={4}>
              <Radio value="excel" label={t('export.format.excel')} description={t('export.format.excelHint')} />
              <Radio value="data" label={t('export.format.data')} description={t('export.format.dataHint')} />
              <Radio value="jsonl" label={t('export.format.jsonl')} description={t('export.format.jsonlHint')} />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button type="submit" variant="filled" data-autofocus>
              {facts.host === 'browser' ? t('export.download') : t('export.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
