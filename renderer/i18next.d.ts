import 'i18next'
import type { resources } from './locales/resources.ts'

/** Keys are checked when the app is compiled. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    keySeparator: false
    resources: (typeof resources)['en']
  }
}
