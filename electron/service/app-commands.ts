import { join } from 'node:path'
import { type AppFacts, type AppSettings, appSettings } from '../../shared/app-settings.ts'
import type { Handlers } from '../../shared/contract.ts'
import { JsonFile } from './json-file.ts'

/** What the app remembers for its user. */
export class AppCommands {
  readonly #facts: AppFacts
  readonly #file: JsonFile
  readonly #onChange: () => void

  /**
   * @param folder where settings are kept
   * @param onChange called when settings have changed
   */
  constructor(facts: Omit<AppFacts, 'settings'>, folder: string, onChange: () => void) {
    this.#file = new JsonFile(join(folder, 'settings.json'), 'Settings')
    this.#facts = { ...facts, settings: readSettings(this.#file) }
    this.#onChange = onChange
  }

  get settings(): AppSettings {
    return this.#facts.settings
  }

  readonly handlers: Handlers<'app.read' | 'app.save'> = {
    'app.read': () => this.#facts,
    'app.save': (changes) => {
      const settings = appSettings.parse({ ...this.#facts.settings, ...changes })
      this.#file.write(settings)
      this.#facts.settings = settings
      this.#onChange()
      return settings
    },
  }
}

/** What is right in the file; for the rest, and where it cannot be read, the defaults. A wrong one is kept aside. */
function readSettings(file: JsonFile): AppSettings {
  try {
    const content = file.read()
    if (content === undefined) return appSettings.parse({})
    const whole = appSettings.safeParse(content)
    if (whole.success) return whole.data
    file.setAside()
    return rightParts(content)
  } catch {
    return appSettings.parse({})
  }
}

function rightParts(content: unknown): AppSettings {
  const right: Record<string, unknown> = {}
  if (typeof content === 'object' && content !== null) {
    for (const [name, schema] of Object.entries(appSettings.shape)) {
      const value = schema.safeParse((content as Record<string, unknown>)[name])
      if (value.success) right[name] = value.data
    }
  }
  return appSettings.parse(right)
}
