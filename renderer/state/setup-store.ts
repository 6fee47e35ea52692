import { create } from 'zustand'
import type { CommandError } from '../../shared/command-result.ts'
import type { SeedCheck } from '../../shared/crawl-check.ts'
import { type CrawlProfile, profileSettings } from '../../shared/crawl-profile.ts'
import type { CrawlSettings, CrawlSettingsInput } from '../../shared/crawl-settings.ts'
import type { Invoke } from '../transport/commands.ts'
import {
  checkDraft,
  type Draft,
  draftOf,
  EMPTY,
  type Field,
  type Mistakes,
  type Settings,
} from '../views/setup/draft.ts'

/** The crawl that is being set up. It outlives the view: whoever looks at another one in between finds it as it was. */

export type SetupSection = 'scope' | 'speed' | 'limits' | 'requests' | 'robots' | 'profiles'

export interface SetupState {
  draft: Draft
  /** Of the draft as it is; null if there is a mistake. */
  settings: CrawlSettings | null
  mistakes: Mistakes
  /** Mistakes in the addresses are shown: somebody has finished typing them. */
  seedsLeft: boolean
  /** What the host said of the addresses when it refused them; empty if nothing. */
  seedTrouble: string
  open: ReadonlySet<SetupSection>
  /** The draft that a preset or profile replaced, and its name. */
  replaced: { draft: Draft; by: string } | null
  check: CheckState
  /** Null until the first answer. */
  profiles: CrawlProfile[] | null
  edit<F extends Field>(field: F, value: Draft[F]): void
  leaveSeeds(): void
  refuseSeeds(trouble: string): void
  toggle(section: SetupSection, isOpen: boolean): void
  reset(field: Field): void
  /** Replaces everything but the addresses. */
  use(settings: Settings, name: string): void
  undoUse(): void
  /** Begins with given settings. */
  load(settings: CrawlSettingsInput): void
  clear(): void
  /** Answers with what went wrong; null if nothing did. */
  runCheck(invoke: Invoke): Promise<CommandError | null>
  readProfiles(invoke: Invoke): Promise<CommandError | null>
}

export type CheckState =
  | { state: 'none' | 'running' }
  /** Of this draft; another one since makes it old. */
  | { state: 'done'; draft: Draft; seeds: SeedCheck[] }

const withDraft = (draft: Draft): Pick<SetupState, 'draft' | 'settings' | 'mistakes' | 'seedTrouble'> => ({
  draft,
  ...checkDraft(draft),
  seedTrouble: '',
})

const fresh = (draft: Draft) => ({
  ...withDraft(draft),
  seedsLeft: false,
  replaced: null,
  check: { state: 'none' } as const,
})

export const useSetup = create<SetupState>((set, get) => ({
  ...fresh(EMPTY),
  open: new Set(),
  profiles: null,
  edit: (field, value) => set({ ...withDraft({ ...get().draft, [field]: value }), replaced: null }),
  leaveSeeds: () => set({ seedsLeft: true }),
  refuseSeeds: (seedTrouble) => set({ seedTrouble }),
  toggle: (section, isOpen) => {
    const open = new Set(get().open)
    if (isOpen) open.add(section)
    else open.delete(section)
    set({ open })
  },
  reset: (field) => get().edit(field, EMPTY[field]),
  use: (settings, by) => {
    const { draft } = get()
    set({ ...withDraft({ ...draftOf([], settings), seeds: draft.seeds }), replaced: { draft, by } })
  },
  undoUse: () => {
    const { replaced } = get()
    if (replaced !== null) set({ ...withDraft(replaced.draft), replaced: null })
  },
  load: ({ seeds, ...options }) => set(fresh(draftOf(seeds, profileSettings.parse(options)))),
  clear: () => set({ ...fresh(EMPTY), open: new Set() }),
  runCheck: async (invoke) => {
    const { draft, settings } = get()
    if (settings === null) return null
    const running: CheckState = { state: 'running' }
    set({ check: running })
    const result = await invoke('setup.check', { settings })
    // Another check, or another crawl, has taken its place.
    if (get().check !== running) return null
    set({ check: result.ok ? { state: 'done', draft, seeds: result.value } : { state: 'none' } })
    return result.ok ? null : result.error
  },
  readProfiles: async (invoke) => {
    const result = await invoke('profile.list', {})
    set({ profiles: result.ok ? result.value : [] })
    return result.ok ? null : result.error
  },
}))
