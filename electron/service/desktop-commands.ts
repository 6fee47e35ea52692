import type { Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { type HostActions, onDesktop } from './host-actions.ts'

/** Commands that only the desktop app can carry out. */
export class DesktopCommands {
  readonly #actions: HostActions | null

  constructor(actions: HostActions | null) {
    this.#actions = actions
  }

  readonly handlers: Handlers<'url.openOutside' | 'app.quitNow'> = {
    'url.openOutside': async ({ url }) => {
      await onDesktop(this.#actions).openOutside(webAddress(url))
      return {}
    },
    'app.quitNow': () => {
      onDesktop(this.#actions).quitNow()
      return {}
    },
  }
}

/** @throws Failure `bad_input` */
function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new Failure('bad_input', `"${text.slice(0, 200)}" is not a web address: only http and https open in a browser.`)
}
