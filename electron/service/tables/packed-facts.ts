import { FRONTIER_STATES } from '../../../shared/frontier-state.ts'
import {
  CONTENT_CLASSES,
  type ContentClass,
  type StatusClass,
  type TableFilter,
  type TableView,
} from '../../../shared/table-query.ts'
import type { UrlFacts } from '../../store/url-facts.ts'
import { contentClass } from './content-class.ts'

/**
 * State, content class and status of a URL in sixteen bits: three, three and ten. There are so few combinations that
 * counting each of them tells how many rows any filter has.
 */

export const COMBINATIONS = 1 << 16
const MAX_STATUS = 1023

const CLASS_NUMBER = Object.fromEntries(CONTENT_CLASSES.map((name, n) => [name, n])) as Record<ContentClass, number>

export const packFacts = ([, state, status, type]: UrlFacts): number =>
  (Math.min(status ?? 0, MAX_STATUS) << 6) | (CLASS_NUMBER[contentClass(type ?? '')] << 3) | state

export const stateOf = (packed: number): number => packed & 7
/** Zero: no answer. */
export const statusOf = (packed: number): number => packed >> 6

type Unpacked = { state: (typeof FRONTIER_STATES)[number]; status: number; type: ContentClass }

/** What each view of the table holds. Redirects are known by their status, pictures by their content type. */
const VIEW: Readonly<Record<TableView, (facts: Unpacked) => boolean>> = {
  all: () => true,
  waiting: ({ state }) => state === 'pending' || state === 'processing' || state === 'failed',
  done: ({ state }) => state === 'done',
  redirects: ({ state, status }) => isFinished(state) && status >= 300 && status <= 399,
  broken: ({ state, status }) => state === 'final_failed' || (state === 'done' && status >= 400),
  skipped: ({ state }) => state === 'skipped',
  images: ({ type }) => type === 'image',
}

const isFinished = (state: Unpacked['state']): boolean => state === 'done' || state === 'final_failed'

const isOfClass = (status: number, wanted: readonly StatusClass[]): boolean =>
  wanted.some((each) => (each === 'none' ? status === 0 : Math.floor(status / 100) === Number(each[0])))

export type FactFilter = Pick<TableFilter, 'view' | 'states' | 'statuses' | 'types'>

/** Whether it lets everything through. */
export const isOpen = ({ view, states, statuses, types }: FactFilter): boolean =>
  view === 'all' && states.length + statuses.length + types.length === 0

/** A filter that remembers what it said of each combination. */
export class FactTest {
  readonly #filter: FactFilter
  /** Zero: never asked; one: no; two: yes. */
  readonly #said = new Uint8Array(COMBINATIONS)

  constructor(filter: FactFilter) {
    this.#filter = filter
  }

  letsIn(packed: number): boolean {
    if (this.#said[packed] === 0) this.#said[packed] = matches(this.#filter, packed) ? 2 : 1
    return this.#said[packed] === 2
  }
}

function matches({ view, states, statuses, types }: FactFilter, packed: number): boolean {
  const facts = unpack(packed)
  return (
    VIEW[view](facts) &&
    (states.length === 0 || states.includes(facts.state)) &&
    (types.length === 0 || types.includes(facts.type)) &&
    (statuses.length === 0 || isOfClass(facts.status, statuses))
  )
}

const unpack = (packed: number): Unpacked => ({
  state: FRONTIER_STATES[stateOf(packed)]!,
  status: statusOf(packed),
  type: CONTENT_CLASSES[(packed >> 3) & 7]!,
})

export const factTest = (filter: Partial<FactFilter>): FactTest =>
  new FactTest({ view: 'all', states: [], statuses: [], types: [], ...filter })
