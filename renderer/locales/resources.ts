import enCommon from './en/common.json'
import enCrawl from './en/crawl.json'
import enHelp from './en/help.json'
import enLibrary from './en/library.json'
import enSettings from './en/settings.json'
import enSetup from './en/setup.json'
import zhCommon from './zh-CN/common.json'
import zhCrawl from './zh-CN/crawl.json'
import zhHelp from './zh-CN/help.json'
import zhLibrary from './zh-CN/library.json'
import zhSettings from './zh-CN/settings.json'
import zhSetup from './zh-CN/setup.json'

/** The sentences by language and part of the app. */
export const resources = {
  en: {
    common: enCommon,
    library: enLibrary,
    setup: enSetup,
    crawl: enCrawl,
    settings: enSettings,
    help: enHelp,
  },
  'zh-CN': {
    common: zhCommon,
    library: zhLibrary,
    setup: zhSetup,
    crawl: zhCrawl,
    settings: zhSettings,
    help: zhHelp,
  },
} as const
