import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Failure } from '../../shared/failure.ts'
import { compose } from '../service/compose.ts'
import type { HostFacts } from '../service/crawl-run.ts'
import { libraryFolder } from '../service/profile-paths.ts'
import { StaticAssets } from '../service/static-assets.ts'
import { HttpHost } from './http-host.ts'
import { ProcessSignals } from './process-signals.ts'

/** `sandpiper serve`: the app in the user's browser, until a signal ends it. */
export interface ServeOptions {
  port: number
  open: boolean
  /** Where the built files are. */
  folder: string
  host: HostFacts
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** @returns the exit code @throws Failure `bad_input` when the port is taken */
export async function serve({ port, open, folder, host }: ServeOptions): Promise<number> {
  const isOwnAddress = (url: URL): boolean => LOOPBACK.has(url.hostname) && url.port === String(server.port)
  const application = compose(libraryFolder(process.env, process.platform), { ...host, isOwnAddress }, null)
  const assets = new StaticAssets(join(folder, '../renderer'))
  const server = await HttpHost.listen({ application, assets }, port).catch((cause: unknown) => {
    throw new Failure(
      'bad_input',
      `--port ${port} cannot be used: something else may be listening there; choose another.`,
      { cause },
    )
  })
  process.stdout.write(`Sandpiper is at ${server.url}\nCtrl-C ends it; running crawls are saved.\n`)
  if (open) openInBrowser(server.url)
  const code = await untilSignal(
    () => application.crawls.stopAll(),
    () => application.crawls.abortAll(),
  )
  await server.close()
  await application.close()
  return code
}

function untilSignal(stop: () => Promise<void>, abort: () => void): Promise<number> {
  return new Promise((resolve) => {
    const target = {
      stop: () => {
        void stop().then(() => {
          signals.dispose()
          resolve(signals.exitCode ?? 0)
        })
      },
      abort,
    }
    const signals = new ProcessSignals(target, (line) => process.stderr.write(`${line}\n`))
  })
}

/** Nothing depends on it: the address is printed too. */
function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
