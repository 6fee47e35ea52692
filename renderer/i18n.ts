import i18next from 'i18next'
import ICU from 'i18next-icu'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES, type Language } from '../shared/app-settings.ts'
import { resources } from './locales/resources.ts'

/** Every sentence of the app, in the user's language. English stands in for what is missing; a test says that nothing is. */

/** Chinese for whoever reads any Chinese, otherwise English. */
export function systemLanguage(preferred: readonly string[]): Language {
  return preferred[0]?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

export function startTranslation(language: Language): void {
  void i18next
    .use(ICU)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'en',
      supportedLngs: LANGUAGES,
      resources,
      defaultNS: 'common',
      keySeparator: false,
      initAsync: false,
      interpolation: { escapeValue: false },
    })
}

/** @param language null for the system's */
export function useLanguage(language: Language | null): void {
  const next = language ?? systemLanguage(navigator.languages)
  document.documentElement.lang = next
  if (i18next.language !== next) void i18next.changeLanguage(next)
}
