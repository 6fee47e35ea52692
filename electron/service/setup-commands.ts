import type { CommandArgument, CommandOutput, Handlers } from '../../shared/contract.ts'
import { Failure } from '../../shared/failure.ts'
import { canonicalUrl, parseSeed } from '../engine/canonical-url.ts'
import { CrawlScope } from './crawl-scope.ts'

/** What a user asks before a crawl starts: checks, the scope tester, saved profiles. */
export class SetupCommands {
  readonly handlers: Handlers<'setup.check' | 'setup.testScope' | 'profile.list' | 'profile.save' | 'profile.delete'> =
    {
      'setup.check': () => notYet(),
      'setup.testScope': ({ settings, url }) => testScope(settings, url),
      'profile.list': () => notYet(),
      'profile.save': () => notYet(),
      'profile.delete': () => notYet(),
    }
}

function testScope(
  settings: CommandArgument<'setup.testScope'>['settings'],
  text: string,
): CommandOutput<'setup.testScope'> {
  const seeds = settings.seeds.map((seed) => parseSeed(seed))
  const url = canonicalUrl(text)
  if (url === null)
    throw new Failure('bad_input', `"${text.slice(0, 200)}" is not a web address: write it like https://example.org/`)
  const scope = new CrawlScope({ ...settings, seeds, limits: { ...settings.limits, maxDepth: null } })
  const verdict = scope.admit({ url: url.url, key: url.key, isPage: true, depth: 0, found: 'link' })
  return verdict.admitted
    ? { in: true, reason: null, detail: '' }
    : { in: false, reason: verdict.reason, detail: verdict.detail }
}

function notYet(): never {
  throw new Failure('internal', 'not built yet')
}
