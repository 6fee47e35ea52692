import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type SetupSection, useSetup } from '../../state/setup-store.ts'
import { type Field, isChanged, optionsOf, SECTION_FIELDS, type SettingsSection } from './draft.ts'
import { ChangedDot } from './field-row.tsx'
import { sectionSummary } from './summary.ts'

/** A group of settings that is folded until wanted, and says what is set even so. */
export function OptionSection({ section, children }: { section: SettingsSection; children: ReactNode }) {
  const { t } = useTranslation('setup')
  const draft = useSetup((state) => state.draft)
  const mistakes = useSetup((state) => state.mistakes)
  const fields: readonly Field[] = SECTION_FIELDS[section]
  const wrong = fields.filter((field) => mistakes[field] !== undefined).length
  const options = optionsOf(draft)
  return (
    <FoldedSection
      section={section}
      isChanged={fields.some((field) => isChanged(draft, field))}
      summary={
        wrong > 0 ? (
          <span className="section-mistake">{t('section.mistake', { count: wrong })}</span>
        ) : (
          options !== null && sectionSummary(section, options, t)
        )
      }
    >
      {children}
    </FoldedSection>
  )
}

export function FoldedSection({
  section,
  isChanged = false,
  summary,
  children,
}: {
  section: SetupSection
  isChanged?: boolean
  summary: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation('setup')
  const isOpen = useSetup(({ open }) => open.has(section))
  const toggle = useSetup((state) => state.toggle)
  return (
    <details className="section" open={isOpen} onToggle={(event) => toggle(section, event.currentTarget.open)}>
      <summary>
        <span className="section-name">
          {t(`section.${section}`)}
          {isChanged && <ChangedDot />}
        </span>
        <span className="section-summary">{summary}</span>
      </summary>
      <div className="section-body">{children}</div>
    </details>
  )
}
