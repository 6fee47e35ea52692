import type { Language } from '../../shared/app-settings.ts'

/** What the shell itself says, outside of the window's page: menu and notifications. */
export interface ShellWords {
  file: string
  newCrawl: string
  open: string
  export: string
  settings: string
  crawl: string
  pauseOrResume: string
  stop: string
  edit: string
  view: string
  library: string
  window: string
  help: string
  keyboard: string
  about: string
  /** How a crawl ended. */
  ended: Record<'finished' | 'stopped' | 'paused' | 'failed', string>
  done: (done: number, failed: number) => string
  /** After an error that nobody caught. */
  crashed: string
  crashedMore: string
}

export const SHELL_WORDS: Readonly<Record<Language, ShellWords>> = {
  en: {
    file: 'File',
    newCrawl: 'New crawl',
    open: 'Open file…',
    export: 'Export…',
    settings: 'Settings',
    crawl: 'Crawl',
    pauseOrResume: 'Pause or resume',
    stop: 'Stop',
    edit: 'Edit',
    view: 'View',
    library: 'Library',
    window: 'Window',
    help: 'Help',
    keyboard: 'Keyboard',
    about: 'About Sandpiper',
    ended: { finished: 'Finished', stopped: 'Stopped', paused: 'Paused', failed: 'Failed' },
    done: (done, failed) => `${done.toLocaleString('en')} done, ${failed.toLocaleString('en')} failed`,
    crashed: 'Sandpiper has to close',
    crashedMore:
      'Something went wrong that should not have. Everything finished is saved: start Sandpiper again to carry on.',
  },
  'zh-CN': {
    file: '文件',
    newCrawl: '新建抓取',
    open: '打开文件…',
    export: '导出…',
    settings: '设置',
    crawl: '抓取',
    pauseOrResume: '暂停或继续',
    stop: '停止',
    edit: '编辑',
    view: '视图',
    library: '抓取库',
    window: '窗口',
    help: '帮助',
    keyboard: '键盘',
    about: '关于 Sandpiper',
    ended: { finished: '已完成', stopped: '已停止', paused: '已暂停', failed: '已失败' },
    crashed: 'Sandpiper 必须关闭',
    crashedMore: '发生了意外错误。已完成的内容都已保存：请重新启动 Sandpiper 以继续。',
    done: (done, failed) => `完成 ${done.toLocaleString('zh-CN')}，失败 ${failed.toLocaleString('zh-CN')}`,
  },
}

/** @param locale of the system, where the user has chosen no language */
export function shellWords(chosen: Language | null, locale: string): ShellWords {
  return SHELL_WORDS[chosen ?? (locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en')]
}
