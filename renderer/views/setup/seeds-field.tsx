import { Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../state/app-context.tsx'
import { useSetup } from '../../state/setup-store.ts'
import { linesOf } from './draft.ts'
import { fieldId } from './field-row.tsx'

/** Where the crawl begins: an address, or a list that was pasted. Enter starts, but in a list it is a new line. */
export function SeedsField({ onEnter }: { onEnter: () => void }) {
  const { t } = useTranslation('setup')
  const { facts } = useApp()
  const text = useSetup((state) => state.draft.seeds)
  const mistake = useSetup((state) => state.mistakes.seeds)
  const trouble = useSetup((state) => state.seedTrouble)
  const left = useSetup((state) => state.seedsLeft)
  const { edit, leaveSeeds } = useSetup.getState()
  const count = linesOf(text).length
  const isList = text.includes('\n')

  function onKeyDown(event: KeyboardEvent): void {
    // While Chinese or Japanese is being typed, Enter ends the word and nothing else.
    const isPlain = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (!isPlain || isList || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter()
  }

  const key = facts.platform === 'darwin' ? '⌘ Enter' : 'Ctrl+Enter'
  return (
    <Textarea
      id={fieldId('seeds')}
      className="seeds"
      classNames={{ input: 'seeds-input' }}
      size="sm"
      rows={1}
      label={t('seeds')}
      placeholder="https://example.org/"
      description={isList ? t('seeds.hint.many', { count, key }) : t('seeds.hint.one')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={mistake !== undefined && left ? seedMistake() : trouble || null}
      value={text}
      onChange={(event) => edit('seeds', event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => text.trim() !== '' && leaveSeeds()}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      wrap="off"
    />
  )

  function seedMistake(): string {
    return count === 0 ? t('mistake.seeds.none') : t('mistake.seeds', { entry: mistake })
  }
}
