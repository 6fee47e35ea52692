import { useEffect } from 'react'
import type { Transport } from '../../shared/transport.ts'
import { importCrawlFile } from '../transport/import-crawl-file.ts'
import { type App, useApp } from './app-context.tsx'
import { isRunning } from './app-store.ts'
import { useNavigation } from './navigation.ts'
import { type Action, actionOf } from './shortcuts.ts'

/** Runs what keys and the application menu ask for. */
export function useActions(transport: Transport): void {
  const app = useApp()
  const { platform, host } = app.facts
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
      }
      const action = actionOf(event, platform, host)
      if (action === null) return
      event.preventDefault()
      act(app, action)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  useEffect(() =>
    transport.onWindowCommand(({ name, id }) => {
      if (name === 'show' && id !== null) void app.openCrawl(id)
      else act(app, name)
    }),
  )
}

export function act(app: App, action: Action): void {
  const { view, show, navigate } = useNavigation.getState()
  if (action === 'new') navigate({ name: 'setup' })
  else if (action === 'library') navigate({ name: 'library' })
  else if (action === 'settings') navigate({ name: 'settings' })
  else if (action === 'open') void openFile(app)
  else if (action === 'keyboard' || action === 'about') show(action)
  else if (view.name !== 'crawl') return
  else if (action === 'export') show('export')
  else if (action === 'filter') document.querySelector<HTMLInputElement>('.text-filter input')?.select()
  else if (action === 'pause-or-resume') void pauseOrResume(app, view.id)
  else if (action === 'stop') void app.invoke('crawl.stop', { id: view.id }).then(app.store.getState().tell)
}

/** Desktop: a file dialog. Browser: an upload. */
export async function openFile(app: App): Promise<void> {
  const { tell } = app.store.getState()
  const result = app.facts.host === 'desktop' ? await app.invoke('library.open', {}) : await importCrawlFile()
  if (tell(result) && result.ok && result.value !== null) await app.openCrawl(result.value.id)
}

export async function pauseOrResume({ invoke, store }: App, id: string): Promise<void> {
  const { crawls, progress, tell } = store.getState()
  const crawl = crawls?.find((each) => each.id === id)
  if (crawl === undefined) return
  if ((progress[id]?.state ?? crawl.state) === 'running') tell(await invoke('crawl.pause', { id }))
  else if (crawl.resumable || isRunning(crawl.state)) tell(await invoke('crawl.resume', { id }))
}

/** Panes are marked with data-pane; the focus goes to what in it can have it. */
function focusNextPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')]
  const now = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = panes[(now + step + panes.length) % panes.length]
  const target = next?.querySelector<HTMLElement>(
    '.ag-cell, [aria-selected="true"], [aria-current="true"], button:not(:disabled), input, a, [tabindex="0"]',
  )
  target?.focus()
}
