import { create, type StoreApi, type UseBoundStore } from 'zustand'
import type { AppFacts } from '../../shared/app-settings.ts'
import type { CommandError, CommandResult } from '../../shared/command-result.ts'
import type { EventBatch, ExportProgress } from '../../shared/contract.ts'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import { isLive } from '../../shared/crawl-state.ts'
import type { Transport } from '../../shared/transport.ts'
import { type Invoke, invokeOver } from '../transport/commands.ts'
import { RateMeter } from './rate-meter.ts'

/** What the host says of itself: the library, where running crawls stand, exports, and whether it ends. */
export interface AppState {
  /** Null until the first answer. */
  facts: AppFacts | null
  /** Null until the first answer. */
  crawls: CrawlListing[] | null
  progress: EventBatch['progress']
  exports: Record<string, ExportProgress>
  closing: EventBatch['closing']
  /** What went wrong last; null if nothing. */
  trouble: CommandError | null
  /** Notes what went wrong, and says whether it went well. */
  tell(result: CommandResult<unknown>): boolean
  dismissTrouble(): void
  dismissExport(ticket: string): void
}

export type AppStore = UseBoundStore<StoreApi<AppState>>

export interface AppParts {
  store: AppStore
  invoke: Invoke
  /** Asks for the library anew. */
  refresh(): Promise<void>
  /** How fast each running crawl goes. */
  meters: ReadonlyMap<string, RateMeter>
}

export function createAppStore(transport: Transport): AppParts {
  const carry = invokeOver(transport)
  const meters = new Map<string, RateMeter>()
  const store = create<AppState>((set) => ({
    facts: null,
    crawls: null,
    progress: {},
    exports: {},
    closing: null,
    trouble: null,
    tell: (result) => {
      if (!result.ok) set({ trouble: result.error })
      return result.ok
    },
    dismissTrouble: () => set({ trouble: null }),
    dismissExport: (ticket) => set(({ exports: { [ticket]: _, ...exports } }) => ({ exports })),
  }))
  /** What a host that did not answer left on the screen goes when it answers again. */
  const invoke: Invoke = async (name, input) => {
    const result = await carry(name, input)
    if (result.ok && store.getState().trouble?.code === 'unreachable') store.setState({ trouble: null })
    return result
  }
  transport.subscribe((batch) => {
    store.setState(({ progress, exports }) => ({
      progress: { ...progress, ...batch.progress },
      exports: { ...exports, ...batch.exports },
      closing: batch.closing,
    }))
    for (const [id, each] of Object.entries(batch.progress)) meterOf(meters, id).note(each, performance.now())
    if (batch.library) void refresh(store, invoke)
  })
  return { store, invoke, refresh: () => refresh(store, invoke), meters }
}

function meterOf(meters: Map<string, RateMeter>, id: string): RateMeter {
  const meter = meters.get(id) ?? new RateMeter()
  meters.set(id, meter)
  return meter
}

/** The library anew; progress of what no longer runs is forgotten. */
async function refresh(store: AppStore, invoke: Invoke): Promise<void> {
  const [facts, list] = await Promise.all([invoke('app.read', {}), invoke('library.list', {})])
  if (facts.ok) store.setState({ facts: facts.value })
  if (!store.getState().tell(list) || !list.ok) return
  const running = new Set(list.value.filter(({ state }) => isRunning(state)).map(({ id }) => id))
  store.setState(({ progress }) => ({
    crawls: list.value,
    progress: Object.fromEntries(Object.entries(progress).filter(([id]) => running.has(id))),
  }))
}

/** Does this window's host run it now? */
export const isRunning: (state: CrawlListing['state']) => boolean = isLive
