import { parse } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { resources } from './resources.ts'

/** Both languages are complete, and every sentence can be read. */

type Namespace = keyof (typeof resources)['en']
const namespaces = Object.keys(resources.en) as Namespace[]
const languages = Object.keys(resources) as (keyof typeof resources)[]

const messages = (language: keyof typeof resources, namespace: Namespace): Record<string, string> =>
  resources[language][namespace]

/** Names in braces, those of plurals too. */
function names(message: string): string[] {
  const found = new Set<string>()
  const walk = (elements: ReturnType<typeof parse>): void => {
    for (const element of elements) {
      if (element.type !== 0 && element.type !== 7 && 'value' in element) found.add(element.value)
      if ('options' in element) for (const option of Object.values(element.options)) walk(option.value)
    }
  }
  walk(parse(message))
  return [...found].sort()
}

describe.each(namespaces)('%s', (namespace) => {
  it('has the same sentences in every language', () => {
    const keys = Object.keys(resources.en[namespace]).sort()
    for (const language of languages) expect(Object.keys(messages(language, namespace)).sort()).toEqual(keys)
  })

  it('has no empty sentence, and the same names in each', () => {
    for (const [key, english] of Object.entries(messages('en', namespace))) {
      for (const language of languages) {
        const message = messages(language, namespace)[key]!
        expect(message.trim(), key).not.toBe('')
        expect(names(message), `${language} ${key}`).toEqual(names(english))
      }
    }
  })
})
