import { type AppFacts, type AppSettings, appSettings } from '../../shared/app-settings.ts'
import type { Handlers } from '../../shared/contract.ts'

/** What the app remembers for its user. */
export class AppCommands {
  readonly #facts: AppFacts

  constructor(facts: Omit<AppFacts, 'settings'>) {
    this.#facts = { ...facts, settings: appSettings.parse({}) }
  }

  get settings(): AppSettings {
    return this.#facts.settings
  }

  readonly handlers: Handlers<'app.read' | 'app.save'> = {
    'app.read': () => this.#facts,
    'app.save': (changes) => {
      this.#facts.settings = appSettings.parse({ ...this.#facts.settings, ...changes })
      return this.#facts.settings
    },
  }
}
