import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SeedCheck } from '../../../shared/crawl-check.ts'
import { useSetup } from '../../state/setup-store.ts'
import { checkSentences, type Sentence, type Way } from './check-sentences.ts'
import { type Field, linesOf, readDraft } from './draft.ts'

/** What the last check found out, seed by seed. */
export function CheckReport({ onCheck, onGo }: { onCheck: () => void; onGo: (field: Field) => void }) {
  const { t } = useTranslation('setup')
  const check = useSetup((state) => state.check)
  const draft = useSetup((state) => state.draft)
  const isOld = check.state === 'done' && check.draft !== draft
  const all = check.state === 'done' ? readDraft(check.draft).seeds.length : 0
  return (
    <section className="report" aria-labelledby="report" aria-busy={check.state === 'running'}>
      <div className="aside-head">
        <h2 id="report">{t('report')}</h2>
        {isOld && (
          <Button variant="subtle" onClick={onCheck}>
            {t('report.again')}
          </Button>
        )}
      </div>
      <div aria-live="polite">
        {check.state === 'none' && <p className="dim">{t('report.none')}</p>}
        {check.state === 'running' && <p className="dim">{t('report.running')}</p>}
        {isOld && <p className="report-old">{t('report.old')}</p>}
        {check.state === 'done' &&
          check.seeds.map((seed) => <SeedReport key={seed.seed} seed={seed} draft={check.draft} onGo={onGo} />)}
        {check.state === 'done' && all > check.seeds.length && (
          <p className="dim">{t('report.firstOf', { checked: check.seeds.length, all })}</p>
        )}
      </div>
    </section>
  )
}

const MARKS: Readonly<Record<Sentence['tone'], string>> = { good: '●', note: '▲', bad: '✕' }

function SeedReport({
  seed,
  draft,
  onGo,
}: {
  seed: SeedCheck
  draft: Parameters<typeof readDraft>[0]
  onGo: (field: Field) => void
}) {
  const { t } = useTranslation('setup')
  const { edit } = useSetup.getState()
  const act: Readonly<Record<Way, () => void>> = {
    seeds: () => onGo('seeds'),
    headers: () => onGo('headers'),
    userAgent: () => onGo('userAgent'),
    delay: () => onGo('delay'),
    maxPages: () => onGo('maxPages'),
    useTarget: () => edit('seeds', replaceSeed(useSetup.getState().draft.seeds, draft.seeds, seed)),
    ignoreRobots: () => edit('robots', false),
  }
  return (
    <article className="seed-report">
      <h3>{seed.seed}</h3>
      <ul>
        {checkSentences(seed, readDraft(draft), t).map(({ tone, text, way }) => (
          <li key={text} data-tone={tone}>
            <span className="report-mark" role="img" aria-label={t(`report.${tone}`)}>
              {MARKS[tone]}
            </span>
            <span className="report-text">{text}</span>
            {way !== undefined && (
              <Button variant="subtle" onClick={act[way]}>
                {t(LABELS[way])}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}

const LABELS = {
  seeds: 'report.go.seeds',
  headers: 'report.go.requests',
  userAgent: 'report.go.requests',
  delay: 'report.go.speed',
  maxPages: 'report.go.limits',
  useTarget: 'report.redirect.use',
  ignoreRobots: 'report.robots.ignore',
} as const satisfies Record<Way, string>

/** The line that was checked as this seed, with the address where its redirects end. */
function replaceSeed(text: string, checkedText: string, { seed, hops }: SeedCheck): string {
  const target = hops.at(-1)?.url ?? seed
  const line = linesOf(checkedText).find((each) => sameAddress(each, seed))
  return text
    .split('\n')
    .map((each) => (each.trim() === line ? target : each))
    .join('\n')
}

/** A line as typed may lack its scheme and its closing slash. */
function sameAddress(line: string, seed: string): boolean {
  return [line, `https://${line}`, `http://${line}`].some((each) => URL.canParse(each) && new URL(each).href === seed)
}
