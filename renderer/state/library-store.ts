import { create, type StoreApi, type UseBoundStore } from 'zustand'
import type { CrawlListing } from '../../shared/crawl-listing.ts'
import type { CrawlProgress } from '../../shared/crawl-progress.ts'
import type { Transport } from '../../shared/transport.ts'
import { type Invoke, invokeOver } from '../transport/commands.ts'

/** The crawls of the library and where the running ones stand. */
export interface LibraryState {
  /** Null until the first answer. */
  crawls: CrawlListing[] | null
  progress: Record<string, CrawlProgress>
  /** What went wrong last, in a sentence; empty if nothing. */
  trouble: string
  start(address: string): Promise<boolean>
  resume(id: string): Promise<void>
  stop(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** The address of a download, good for once; null if it cannot be had. */
  exportPages(id: string): Promise<string | null>
  dismiss(): void
}

export type LibraryStore = UseBoundStore<StoreApi<LibraryState>>

export function createLibraryStore(transport: Transport): LibraryStore {
  const invoke: Invoke = invokeOver(transport)
  const store = create<LibraryState>((set) => {
    const tell = (result: { ok: boolean; error?: { message: string } }): boolean => {
      set({ trouble: result.ok ? '' : (result.error?.message ?? '') })
      return result.ok
    }
    return {
      crawls: null,
      progress: {},
      trouble: '',
      start: async (address) => tell(await invoke('crawl.start', { settings: { seeds: [address] } })),
      resume: async (id) => void tell(await invoke('crawl.resume', { id })),
      stop: async (id) => void tell(await invoke('crawl.stop', { id })),
      remove: async (id) => void tell(await invoke('crawl.delete', { id })),
      exportPages: async (id) => {
        const result = await invoke('export.prepare', { id, source: { view: 'pages' } })
        tell(result)
        return result.ok ? `/export/${result.value.ticket}` : null
      },
      dismiss: () => set({ trouble: '' }),
    }
  })
  transport.subscribe(({ progress, library }) => {
    store.setState((state) => ({ progress: { ...state.progress, ...progress } }))
    if (library) void refresh(store, invoke)
  })
  return store
}

async function refresh(store: LibraryStore, invoke: Invoke): Promise<void> {
  const result = await invoke('library.list', {})
  if (result.ok) store.setState({ crawls: result.value })
  else store.setState({ trouble: result.error.message })
}
