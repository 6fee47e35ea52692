import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSetup } from '../../state/setup-store.ts'
import { type Field, isChanged, type ListField, type NumberField, type SwitchField } from './draft.ts'

/** One setting: its name, its value, what it means, what is wrong with it, and the way back to the default. */

export const fieldId = (field: Field): string => `setup-${field}`

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** @param unit what the number counts, if its name does not say so */
export function NumberRow({ field, unit }: { field: NumberField; unit?: 'seconds' | 'megabytes' }) {
  const { t } = useTranslation('setup')
  const text = useTextField(field)
  return (
    <Row field={field}>
      <TextInput
        {...text}
        className="field-wrapper field-number"
        inputMode={unit === undefined ? 'numeric' : 'decimal'}
        rightSection={unit && <span className="field-unit">{t(`unit.${unit}`)}</span>}
        rightSectionWidth={64}
      />
    </Row>
  )
}

export function TextRow({ field }: { field: 'userAgent' }) {
  return (
    <Row field={field}>
      <TextInput {...useTextField(field)} className="field-wrapper" />
    </Row>
  )
}

/** One entry a line; grows with them. */
export function ListRow({ field }: { field: ListField }) {
  return (
    <Row field={field}>
      <Textarea {...useTextField(field)} className="field-wrapper" classNames={{ input: 'field-list' }} rows={2} />
    </Row>
  )
}

export function SwitchRow({ field }: { field: SwitchField }) {
  const { t } = useTranslation('setup')
  const isOn = useSetup((state) => state.draft[field])
  const edit = useSetup((state) => state.edit)
  return (
    <Row field={field}>
      <Checkbox
        id={fieldId(field)}
        className="field-switch"
        label={<FieldLabel field={field} />}
        description={t(`hint.${field}`)}
        checked={isOn}
        onChange={(event) => edit(field, event.currentTarget.checked)}
      />
    </Row>
  )
}

function Row({ field, children }: { field: Field; children: ReactNode }) {
  return (
    <div className="field">
      {children}
      <ResetButton field={field} />
    </div>
  )
}

function ResetButton({ field }: { field: Field }) {
  const { t } = useTranslation('setup')
  const changed = useSetup(({ draft }) => isChanged(draft, field))
  const reset = useSetup((state) => state.reset)
  if (!changed || field === 'seeds') return null
  return (
    <Button
      variant="subtle"
      className="field-reset"
      aria-label={t('reset.label', { field: t(`field.${field}`) })}
      onClick={() => {
        reset(field)
        document.getElementById(fieldId(field))?.focus()
      }}
    >
      {t('reset')}
    </Button>
  )
}

function FieldLabel({ field }: { field: Exclude<Field, 'seeds'> }) {
  const { t } = useTranslation('setup')
  const changed = useSetup(({ draft }) => isChanged(draft, field))
  return (
    <>
      {t(`field.${field}`)}
      {changed && <ChangedDot />}
    </>
  )
}

/** That something is changed is also said by the reset beside it. */
export function ChangedDot() {
  const { t } = useTranslation('setup')
  return (
    <span className="changed-dot" aria-hidden="true" title={t('changed')}>
      ●
    </span>
  )
}

/** What every field of text has in common. */
function useTextField(field: ListField | NumberField | 'userAgent') {
  const { t } = useTranslation('setup')
  const value = useSetup((state) => state.draft[field])
  const mistake = useSetup((state) => state.mistakes[field])
  const edit = useSetup((state) => state.edit)
  return {
    id: fieldId(field),
    size: 'xs',
    label: <FieldLabel field={field} />,
    description: t(`hint.${field}`),
    error: mistake === undefined ? null : t(`mistake.${field}`, { entry: mistake }),
    inputWrapperOrder: ORDER,
    value,
    onChange: (event: { currentTarget: { value: string } }) => edit(field, event.currentTarget.value),
    autoComplete: 'off',
    spellCheck: false,
  }
}
