import { createContext, type ReactNode, useContext } from 'react'
import type { AppFacts } from '../../shared/app-settings.ts'
import type { Invoke } from '../transport/commands.ts'
import type { AppParts, AppStore } from './app-store.ts'
import { useNavigation, type View } from './navigation.ts'

/** What every view may use: commands, facts about the host, navigation. */
export interface App {
  invoke: Invoke
  store: AppStore
  facts: AppFacts
  navigate(view: View): void
  openCrawl(id: string): Promise<void>
}

const AppContext = createContext<App | null>(null)

export function AppProvider({ parts, children }: { parts: AppParts; children: ReactNode }) {
  const { invoke, store, refresh } = parts
  const facts = store((state) => state.facts)
  const navigate = useNavigation((state) => state.navigate)
  if (facts === null) return null
  /** One that has just begun is not in the list yet. */
  const openCrawl = async (id: string): Promise<void> => {
    if (!store.getState().crawls?.some((crawl) => crawl.id === id)) await refresh()
    navigate({ name: 'crawl', id })
  }
  return <AppContext value={{ invoke, store, facts, navigate, openCrawl }}>{children}</AppContext>
}

export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('useApp outside of AppProvider')
  return app
}
