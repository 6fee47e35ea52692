import { Button, Checkbox, CloseButton, Menu, NumberInput, Popover, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FRONTIER_STATES } from '../../../shared/frontier-state.ts'
import { CONTENT_CLASSES, STATUS_CLASSES } from '../../../shared/table-query.ts'
import { isNarrowed, type TableStore, WIDE } from '../../state/table-store.ts'
import { COLUMN_NAMES, useColumns } from './columns.ts'

const TYPING_MS = 150

/** Narrows the table: text, then choices that each say how many are chosen. */
export function FilterBar({ useTable }: { useTable: TableStore }) {
  const { t } = useTranslation('crawl')
  const { t: common } = useTranslation()
  const filter = useTable((state) => state.filter)
  const { narrow } = useTable.getState()
  const { states, statuses, types, minDepth, maxDepth } = filter
  return (
    <search className="filter-bar" data-pane="filters">
      <TextFilter useTable={useTable} />
      <Choice label={t('filter.state')} chosen={states.length}>
        <Checkbox.Group value={states} onChange={(value) => narrow({ states: value as typeof states })}>
          <div className="choices">
            {FRONTIER_STATES.map((state) => (
              <Checkbox key={state} value={state} label={common(`urlState.${state}`)} />
            ))}
          </div>
        </Checkbox.Group>
      </Choice>
      <Choice label={t('filter.status')} chosen={statuses.length}>
        <Checkbox.Group value={statuses} onChange={(value) => narrow({ statuses: value as typeof statuses })}>
          <div className="choices">
            {STATUS_CLASSES.map((status) => (
              <Checkbox key={status} value={status} label={t(`status.${status}`)} />
            ))}
          </div>
        </Checkbox.Group>
      </Choice>
      <Choice label={t('filter.type')} chosen={types.length}>
        <Checkbox.Group value={types} onChange={(value) => narrow({ types: value as typeof types })}>
          <div className="choices">
            {CONTENT_CLASSES.map((type) => (
              <Checkbox key={type} value={type} label={t(`type.${type}`)} />
            ))}
          </div>
        </Checkbox.Group>
      </Choice>
      <Choice label={t('filter.depth')} chosen={minDepth === null && maxDepth === null ? 0 : 1}>
        <div className="choices">
          <NumberInput
            label={t('filter.minDepth')}
            min={0}
            allowDecimal={false}
            value={minDepth ?? ''}
            onChange={(value) => narrow({ minDepth: typeof value === 'number' ? value : null })}
          />
          <NumberInput
            label={t('filter.maxDepth')}
            min={0}
            allowDecimal={false}
            value={maxDepth ?? ''}
            onChange={(value) => narrow({ maxDepth: typeof value === 'number' ? value : null })}
          />
        </div>
      </Choice>
      {isNarrowed(filter) && (
        <Button variant="subtle" onClick={() => narrow(WIDE)}>
          {t('filter.clear')}
        </Button>
      )}
      <span className="push" />
      <RowCount useTable={useTable} />
      <ColumnMenu />
    </search>
  )
}

/** What is typed counts when typing pauses. */
function TextFilter({ useTable }: { useTable: TableStore }) {
  const { t } = useTranslation('crawl')
  const filter = useTable((state) => state.filter)
  const { narrow } = useTable.getState()
  const [text, setText] = useState(filter.text)
  useEffect(() => setText(filter.text), [filter.text])
  useEffect(() => {
    if (text === filter.text) return
    const timer = setTimeout(() => narrow({ text }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, filter.text, narrow])
  return (
    <TextInput
      className="text-filter"
      aria-label={t('filter.text')}
      placeholder={t('filter.text')}
      value={text}
      maxLength={500}
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') narrow({ text: '' })
      }}
      rightSection={
        text === '' ? null : (
          <CloseButton size="xs" aria-label={t('filter.clearText')} onClick={() => narrow({ text: '' })} />
        )
      }
    />
  )
}

function Choice({ label, chosen, children }: { label: string; chosen: number; children: ReactNode }) {
  const { t } = useTranslation('crawl')
  return (
    <Popover position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant={chosen > 0 ? 'light' : 'default'}
          rightSection={<span aria-hidden="true">▾</span>}
          aria-haspopup="dialog"
        >
          {chosen > 0 ? t('filter.chosen', { label, chosen }) : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

function RowCount({ useTable }: { useTable: TableStore }) {
  const { t } = useTranslation('crawl')
  const total = useTable((state) => state.total)
  return total === null ? null : <span className="dim number">{t('rows', { count: total })}</span>
}

function ColumnMenu() {
  const { t } = useTranslation('crawl')
  const { shown, toggle, reset } = useColumns()
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button rightSection={<span aria-hidden="true">▾</span>}>{t('columns')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMN_NAMES.filter((name) => name !== 'url').map((name) => (
          <Menu.CheckboxItem key={name} checked={shown.includes(name)} onChange={() => toggle(name)}>
            {t(`column.${name}`)}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={reset}>{t('columns.reset')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
