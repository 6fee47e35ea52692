import type { Handlers } from '../../shared/contract.ts'
import type { HostFacts } from './crawl-run.ts'
import { ProfileStore } from './profile-store.ts'
import { testScope } from './scope-tester.ts'
import { SeedChecker } from './seed-checker.ts'

/** What a user asks before a crawl starts: checks, the scope tester, saved profiles. */
export class SetupCommands {
  readonly #checker: SeedChecker
  readonly #profiles: ProfileStore

  /** @param folder where profiles are kept */
  constructor(host: HostFacts, folder: string) {
    this.#checker = new SeedChecker(host)
    this.#profiles = new ProfileStore(folder)
  }

  readonly handlers: Handlers<'setup.check' | 'setup.testScope' | 'profile.list' | 'profile.save' | 'profile.delete'> =
    {
      'setup.check': ({ settings }) => this.#checker.check(settings),
      'setup.testScope': ({ settings, url }) => testScope(settings, url),
      'profile.list': () => this.#profiles.list(),
      'profile.save': (profile) => {
        this.#profiles.save(profile)
        return {}
      },
      'profile.delete': ({ name }) => {
        this.#profiles.delete(name)
        return {}
      },
    }
}
