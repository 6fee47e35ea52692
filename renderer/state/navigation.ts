import { create } from 'zustand'
import type { CrawlSettingsInput } from '../../shared/crawl-settings.ts'

/** Which view the window shows, and which dialog lies over it. */
export type View =
  | { name: 'library' }
  | { name: 'crawl'; id: string }
  | { name: 'setup'; settings?: CrawlSettingsInput }
  | { name: 'settings' }

export type Dialog = 'export' | 'keyboard' | 'about' | null

interface Navigation {
  view: View
  dialog: Dialog
  navigate(view: View): void
  show(dialog: Dialog): void
}

export const useNavigation = create<Navigation>((set) => ({
  view: { name: 'library' },
  dialog: null,
  navigate: (view) => set({ view, dialog: null }),
  show: (dialog) => set({ dialog }),
}))
