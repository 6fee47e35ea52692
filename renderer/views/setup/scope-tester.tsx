import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandResult } from '../../../shared/command-result.ts'
import type { CommandOutput } from '../../../shared/contract.ts'
import type { SkipReason } from '../../../shared/page-outcome.ts'
import { useApp } from '../../state/app-context.tsx'
import { useSetup } from '../../state/setup-store.ts'
import { EMPTY } from './draft.ts'

type Answer = CommandResult<CommandOutput<'setup.testScope'>>

const WAIT_MS = 150
const NAMED = ['external', 'excluded', 'not_included', 'url_too_long'] as const satisfies SkipReason[]
type Named = (typeof NAMED)[number]
const isNamed = (reason: SkipReason | null): reason is Named => NAMED.some((each) => each === reason)

/** A page's address in, its fate out, while the patterns above are being typed. */
export function ScopeTester() {
  const { invoke } = useApp()
  const { t } = useTranslation('setup')
  const [url, setUrl] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const draft = useSetup((state) => state.draft)
  const hasSeeds = useSetup(({ draft, mistakes }) => draft.seeds.trim() !== '' && mistakes.seeds === undefined)
  const settings = useSetup((state) => state.settings)

  useEffect(() => {
    if (url.trim() === '' || settings === null) return setAnswer(null)
    let isOld = false
    const timer = setTimeout(async () => {
      const result = await invoke('setup.testScope', { settings, url: url.slice(0, 10_000) })
      if (!isOld) setAnswer(result)
    }, WAIT_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [url, settings, invoke])

  const tone = answer === null || !answer.ok ? 'none' : answer.value.in ? 'in' : 'out'
  return (
    <div className="field">
      <TextInput
        className="field-wrapper"
        size="xs"
        label={t('tester')}
        description={t('tester.hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={draft.seeds === EMPTY.seeds ? 'https://example.org/docs/page' : '/docs/page'}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <p className="tester-answer" data-tone={tone} aria-live="polite">
        {url.trim() !== '' && (hasSeeds ? answer !== null && sentence(answer) : t('tester.needsSeed'))}
      </p>
    </div>
  )

  function sentence(answer: Answer): string {
    if (!answer.ok) return t('tester.notAnAddress')
    const { in: isIn, reason, detail: pattern } = answer.value
    if (isIn) return pattern === '' ? t('tester.in') : t('tester.in.pattern', { pattern })
    return isNamed(reason) ? t(`tester.out.${reason}`, { pattern }) : t('tester.out.other')
  }
}
