import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandOutput } from '../../../shared/contract.ts'
import { useApp } from '../../state/app-context.tsx'

const TYPING_MS = 300

/** Leaves out what matches a pattern, and says beforehand how much that is. */
export function ExcludeDialog({ id, url, onClose }: { id: string; url: string; onClose: () => void }) {
  const { invoke, store } = useApp()
  const { t } = useTranslation('crawl')
  const { t: common } = useTranslation()
  const [pattern, setPattern] = useState(folderPattern(url))
  const [preview, setPreview] = useState<CommandOutput<'exclude.preview'> | null>(null)
  const [error, setError] = useState('')

  useEffect(() => {
    setPreview(null)
    if (pattern.trim() === '') return
    let isOver = false
    const timer = setTimeout(async () => {
      const result = await invoke('exclude.preview', { id, pattern: pattern.trim() })
      if (isOver) return
      setError(result.ok ? '' : result.error.message)
      setPreview(result.ok ? result.value : null)
    }, TYPING_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, pattern, invoke])

  async function exclude(): Promise<void> {
    if (store.getState().tell(await invoke('exclude.add', { id, pattern: pattern.trim() }))) onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('exclude.title')} closeButtonProps={{ 'aria-label': common('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (preview !== null) void exclude()
        }}
      >
        <TextInput
          data-autofocus
          label={t('exclude.pattern')}
          description={t('exclude.hint')}
          value={pattern}
          error={error}
          spellCheck={false}
          onChange={(event) => setPattern(event.currentTarget.value)}
        />
        <p aria-live="polite">{preview === null ? ' ' : t('exclude.preview', { count: preview.waiting })}</p>
        <ul className="dim">
          {preview?.examples.map((example) => (
            <li key={example} className="url" title={example}>
              {example}
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="filled" disabled={preview === null}>
            {t('exclude.do')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** Everything in the folder that a URL is in. */
function folderPattern(url: string): string {
  const { pathname, search } = URL.parse(url) ?? { pathname: url, search: '' }
  return search === '' ? pathname.replace(/[^/]*$/, '*') : `${pathname}?*`
}
