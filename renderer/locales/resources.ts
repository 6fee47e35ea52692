import enCommon from './en/common.json'
import enCrawl from './en/crawl.json'
import enHelp from './en/help.json'
import enLibrary from './en/library.json'
import zhCommon from './zh-CN/common.json'
import zhCrawl from './zh-CN/crawl.json'
import zhHelp from './zh-CN/help.json'
import zhLibrary from './zh-CN/library.json'

/** The sentences by language and part of the app. */
export const resources = {
  en: { common: enCommon, library: enLibrary, crawl: enCrawl, help: enHelp },
  'zh-CN': { common: zhCommon, library: zhLibrary, crawl: zhCrawl, help: zhHelp },
} as const
