import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CrawlListing, ListedState } from '../../../shared/crawl-listing.ts'

const EVERY_MS = 5_000

/** Says state changes to a screen reader, at most every five seconds and only when the state has changed. */
export function StateAnnouncer({ state, counts }: { state: ListedState; counts: CrawlListing['counts'] }) {
  const { t } = useTranslation('crawl')
  const { t: word } = useTranslation()
  const [said, setSaid] = useState('')
  const spoken = useRef<{ state: ListedState; at: number }>({ state, at: Number.NEGATIVE_INFINITY })
  const done = counts?.done ?? 0
  useEffect(() => {
    if (spoken.current.state === state) return
    const wait = Math.max(0, spoken.current.at + EVERY_MS - performance.now())
    const timer = setTimeout(() => {
      spoken.current = { state, at: performance.now() }
      setSaid(t('announce', { state: word(`crawlState.${state}`), done }))
    }, wait)
    return () => clearTimeout(timer)
  }, [state, done, t, word])
  return (
    <p className="hidden" aria-live="polite">
      {said}
    </p>
  )
}
