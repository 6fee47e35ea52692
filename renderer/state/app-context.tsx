import { createContext, type ReactNode, useContext } from 'react'
import type { AppFacts } from '../../shared/app-settings.ts'
import type { Invoke } from '../transport/commands.ts'
import type { AppStore } from './app-store.ts'
import { useNavigation, type View } from './navigation.ts'

/** What every view may use: commands, facts about the host, navigation. */
export interface App {
  invoke: Invoke
  store: AppStore
  facts: AppFacts
  navigate(view: View): void
  openCrawl(id: string): void
}

const AppContext = createContext<App | null>(null)

export function AppProvider({ invoke, store, children }: { invoke: Invoke; store: AppStore; children: ReactNode }) {
  const facts = store((state) => state.facts)
  const navigate = useNavigation((state) => state.navigate)
  if (facts === null) return null
  const openCrawl = (id: string): void => navigate({ name: 'crawl', id })
  return <AppContext value={{ invoke, store, facts, navigate, openCrawl }}>{children}</AppContext>
}

export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('useApp outside of AppProvider')
  return app
}
