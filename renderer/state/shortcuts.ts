import type { WindowCommand } from '../../shared/contract.ts'

/** Keys that work wherever the focus is. A browser keeps Ctrl+N for itself: there it is Alt+N. */

export type Action = WindowCommand['name']

const KEYS: Readonly<Record<string, Action>> = { n: 'new', o: 'open', e: 'export', f: 'filter', ',': 'settings' }

export interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

export const isMac = (platform: string): boolean => platform === 'darwin'

/** The action a key stands for; null for none. @param host a browser's own keys are left to it */
export function actionOf(key: Key, platform: string, host: 'desktop' | 'browser'): Action | null {
  const letter = key.key.toLowerCase()
  if (key.shiftKey) return null
  const command = isMac(platform) ? key.metaKey && !key.ctrlKey : key.ctrlKey && !key.metaKey
  if (host === 'browser' && key.altKey && !key.ctrlKey && !key.metaKey) return letter === 'n' ? 'new' : null
  if (!command || key.altKey || (host === 'browser' && letter === 'n')) return null
  return KEYS[letter] ?? null
}

/** How a shortcut is written for people. */
export function keyName(action: keyof typeof LETTERS, platform: string, host: 'desktop' | 'browser'): string {
  if (host === 'browser' && action === 'new') return isMac(platform) ? '⌥N' : 'Alt+N'
  return isMac(platform) ? `⌘${LETTERS[action]}` : `Ctrl+${LETTERS[action]}`
}

const LETTERS = { new: 'N', open: 'O', export: 'E', filter: 'F', settings: ',' } as const
