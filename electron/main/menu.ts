import type { MenuItemConstructorOptions } from 'electron'
import type { WindowCommand } from '../../shared/contract.ts'
import type { ShellWords } from './shell-words.ts'

/** The application menu. What is ours is a command to the window, which can do all of it by itself too. */
export function menuTemplate(
  platform: NodeJS.Platform,
  words: ShellWords,
  send: (name: WindowCommand['name']) => void,
): MenuItemConstructorOptions[] {
  const item = (name: WindowCommand['name'], label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id: name,
    label,
    click: () => send(name),
    ...(accelerator === undefined ? {} : { accelerator }),
  })
  const settings = item('settings', words.settings, 'CmdOrCtrl+,')
  const about = item('about', words.about)
  const line: MenuItemConstructorOptions = { type: 'separator' }
  const isMac = platform === 'darwin'
  const appMenu: MenuItemConstructorOptions = {
    label: 'Sandpiper',
    submenu: [about, line, settings, line, { role: 'hide' }, { role: 'hideOthers' }, line, { role: 'quit' }],
  }
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: words.file,
      submenu: [
        item('new', words.newCrawl, 'CmdOrCtrl+N'),
        item('open', words.open, 'CmdOrCtrl+O'),
        line,
        item('export', words.export, 'CmdOrCtrl+E'),
        ...(isMac ? [line, { role: 'close' as const }] : [line, settings, line, { role: 'quit' as const }]),
      ],
    },
    { role: 'editMenu', label: words.edit },
    {
      label: words.crawl,
      submenu: [item('pause-or-resume', words.pauseOrResume), item('stop', words.stop)],
    },
    {
      label: words.view,
      submenu: [
        item('library', words.library),
        line,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        line,
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu', label: words.window },
    {
      role: 'help',
      label: words.help,
      submenu: [item('keyboard', words.keyboard), ...(isMac ? [] : [about])],
    },
  ]
}
