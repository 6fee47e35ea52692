import { describe, expect, it, vi } from 'vitest'
import { appSettings, LANGUAGES } from '../../shared/app-settings.ts'
import type { EventBatch } from '../../shared/contract.ts'
import { desktopStatus } from './desktop-status.ts'
import { menuTemplate } from './menu.ts'
import { openedFile } from './opened-file.ts'
import { ReloadBudget } from './reload-budget.ts'
import { SHELL_WORDS, shellWords } from './shell-words.ts'
import { restoredBounds } from './window-bounds.ts'

describe('the place of the window', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1040 },
    { x: 1920, y: 0, width: 1280, height: 984 },
  ]
  const DEFAULT = { width: 1280, height: 800 }

  it.each([
    ['as it was', { x: 100, y: 50, width: 1000, height: 700 }, { x: 100, y: 50, width: 1000, height: 700 }],
    ['on the other screen', { x: 2000, y: 0, width: 900, height: 600 }, { x: 2000, y: 0, width: 900, height: 600 }],
    ['not too small', { x: 0, y: 0, width: 10, height: 10 }, { x: 0, y: 0, width: 800, height: 500 }],
    ['not on a screen that is gone', { x: 4000, y: 0, width: 900, height: 600 }, DEFAULT],
    ['not above the screen', { x: 0, y: -300, width: 900, height: 600 }, DEFAULT],
    ['not below it', { x: 0, y: 1030, width: 900, height: 600 }, DEFAULT],
    ['nothing kept', undefined, DEFAULT],
    ['damaged', { x: '1', y: null }, DEFAULT],
    ['no whole numbers', { x: 0.5, y: 0, width: 900, height: 600 }, DEFAULT],
  ])('%s', (_name, saved, expected) => {
    expect(restoredBounds(saved, screens)).toEqual(expected)
  })
})

describe('dock, taskbar and power', () => {
  const settings = appSettings.parse({})
  const progress = (done: number, pending: number): EventBatch['progress'][string] => ({
    counts: { pending, processing: 0, done, failed: 0, final_failed: 0, skipped: 0 },
    inFlight: 0,
    requests: 0,
    wireBytes: 0,
    pagesFinished: 0,
    state: 'running',
    elapsedMs: 0,
  })

  it('show nothing while nothing runs', () => {
    const none = { bar: -1, keepAwake: false, ended: [] }
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(desktopStatus({ before: new Set(), running: {}, isEnding: false }, settings, platform)).toEqual(none)
    }
  })

  it('show that something runs, with a part only where there must be one', () => {
    const running = { a: progress(30, 70), b: progress(10, 90) }
    const now = { before: new Set<string>(), running, isEnding: false }
    expect(desktopStatus(now, settings, 'darwin')).toMatchObject({ bar: 2, keepAwake: true })
    expect(desktopStatus(now, settings, 'linux')).toMatchObject({ bar: 0.2, keepAwake: true })
  })

  it('tell which crawls have ended, and do as the user wants', () => {
    const now = { before: new Set(['a', 'b']), running: { b: progress(1, 1) }, isEnding: false }
    expect(desktopStatus(now, settings, 'linux').ended).toEqual(['a'])
    const quiet = { ...settings, notify: false, keepAwake: false }
    expect(desktopStatus(now, quiet, 'linux')).toMatchObject({ ended: [], keepAwake: false })
  })

  it('say nothing of crawls that end because the app does', () => {
    const now = { before: new Set(['a']), running: {}, isEnding: true }
    expect(desktopStatus(now, settings, 'linux').ended).toEqual([])
  })
})

it('a page that died is loaded anew three times a minute', () => {
  const budget = new ReloadBudget()
  expect([0, 1_000, 2_000, 3_000, 59_000].map((now) => budget.spend(now))).toEqual([true, true, true, false, false])
  expect(budget.spend(60_500)).toBe(true)
  expect(budget.spend(60_600)).toBe(false)
})

it.each([
  [['a.sandpiper'], '/work/a.sandpiper'],
  [['--flag', '/x/b.sandpiper', '--other=1.sandpiper'], '/x/b.sandpiper'],
  [['a.txt', '.'], null],
  [[], null],
])('%j opens %s', (argv, file) => {
  expect(openedFile(argv, '/work')).toBe(file)
})

describe('the menu', () => {
  const words = SHELL_WORDS.en

  it.each(['darwin', 'linux', 'win32'] as const)('of %s has each command once', (platform) => {
    const send = vi.fn()
    const ids: string[] = []
    const visit = (items: ReturnType<typeof menuTemplate>): void => {
      for (const { id, click, submenu } of items) {
        if (id !== undefined) {
          ids.push(id)
          ;(click as () => void)()
        }
        if (Array.isArray(submenu)) visit(submenu)
      }
    }
    visit(menuTemplate(platform, words, send))
    const expected = ['about', 'export', 'keyboard', 'library', 'new', 'open', 'pause-or-resume', 'settings', 'stop']
    expect([...ids].sort()).toEqual(expected)
    expect(send.mock.calls.map(([name]) => name)).toEqual(ids)
  })

  it('is said in every language', () => {
    for (const language of LANGUAGES) {
      for (const word of Object.values(SHELL_WORDS[language])) expect(word).not.toBe('')
    }
    expect(shellWords(null, 'zh-Hans-CN').file).toBe('文件')
    expect(shellWords(null, 'de').file).toBe('File')
    expect(shellWords('zh-CN', 'en').file).toBe('文件')
  })
})
