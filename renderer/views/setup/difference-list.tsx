import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSetup } from '../../state/setup-store.ts'
import { checkDraft, DEFAULTS, EMPTY, isChanged, OPTION_FIELDS } from './draft.ts'
import { fieldValue } from './summary.ts'

/** Everything that is not as a new crawl has it. */
export function DifferenceList() {
  const { t } = useTranslation('setup')
  const draft = useSetup((state) => state.draft)
  const mistakes = useSetup((state) => state.mistakes)
  const { use } = useSetup.getState()
  const changed = OPTION_FIELDS.filter((field) => isChanged(draft, field))
  // A field alone, so that a mistake in another does not hide its value.
  const describe = (field: (typeof OPTION_FIELDS)[number]): string => {
    const { settings } = checkDraft({ ...EMPTY, seeds: 'example.org', [field]: draft[field] })
    return settings === null ? t('differences.wrong') : fieldValue(field, settings, t)
  }
  return (
    <section className="differences" aria-labelledby="differences">
      <div className="aside-head">
        <h2 id="differences">{t('differences')}</h2>
        {changed.length > 0 && (
          <Button variant="subtle" onClick={() => use(DEFAULTS, t('preset.default'))}>
            {t('differences.resetAll')}
          </Button>
        )}
      </div>
      {changed.length === 0 && <p className="dim">{t('differences.none')}</p>}
      <ul>
        {changed.map((field) => (
          <li key={field}>
            <span>{t(`field.${field}`)}</span>
            <span className={mistakes[field] === undefined ? 'difference-value' : 'difference-value section-mistake'}>
              {describe(field)}
            </span>
            <span className="dim">{t('differences.was', { value: fieldValue(field, DEFAULTS, t) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
