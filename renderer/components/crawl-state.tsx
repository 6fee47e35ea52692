import { useTranslation } from 'react-i18next'
import type { ListedState } from '../../shared/crawl-listing.ts'

/** A word and a shape for each state of a crawl; colour only repeats them. */
const LOOKS: Readonly<
  Record<ListedState, readonly [shape: string, tone: 'live' | 'good' | 'bad' | 'quiet' | 'plain']>
> = {
  idle: ['○', 'quiet'],
  queued: ['○', 'quiet'],
  running: ['◐', 'live'],
  pausing: ['◐', 'live'],
  stopping: ['◐', 'live'],
  elsewhere: ['◐', 'live'],
  paused: ['○', 'plain'],
  stopped: ['○', 'plain'],
  interrupted: ['○', 'plain'],
  finished: ['●', 'good'],
  failed: ['✕', 'bad'],
  unreadable: ['✕', 'bad'],
}

export function CrawlState({ state }: { state: ListedState }) {
  const { t } = useTranslation()
  const [shape, tone] = LOOKS[state]
  return (
    <span className="state" data-tone={tone}>
      <span aria-hidden="true">{shape} </span>
      {t(`crawlState.${state}`)}
    </span>
  )
}
