import type { Route } from 'playwright-core'
import { app } from './app.ts'
import { strict } from './strict.ts'

/** Custom schemes: Chromium asks for https://<host>.<scheme>.invalid, the registered handler answers as for its own scheme. */

type Handler = (request: Request) => Response | Promise<Response>
interface Privileges {
  standard?: boolean
  secure?: boolean
  supportFetchAPI?: boolean
  codeCache?: boolean
}

const schemes = new Map<string, Privileges>()
const handlers = new Map<string, Handler>()
/** What a page asked for and nobody answers; nothing leaves the machine. */
export const blocked: string[] = []

export const toWeb = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/, (all, scheme, host) =>
    schemes.has(scheme) ? `https://${host}.${scheme}.invalid` : all,
  )
export const fromWeb = (url: string): string =>
  url.replace(/^https:\/\/([^/?#]*)\.([a-z][a-z0-9+-]*)\.invalid(?=[/?#]|$)/, '$2://$1')

export async function answer(route: Route): Promise<void> {
  const request = route.request()
  const url = fromWeb(request.url())
  const handler = handlers.get(url.slice(0, url.indexOf(':')))
  if (handler === undefined) {
    blocked.push(url)
    return route.abort('blockedbyclient')
  }
  const response = await handler(new Request(url, { method: request.method() }))
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  })
}

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (list: { scheme: string; privileges: Privileges }[]): void => {
    if (app.isReady() || schemes.size > 0) throw new Error('schemes are registered once, before the app is ready')
    for (const { scheme, privileges } of list) {
      if (!privileges.standard || !privileges.secure) throw new Error('stand-in: schemes are standard and secure')
      schemes.set(scheme, privileges)
    }
  },
  handle: (scheme: string, handler: Handler): void => {
    if (!app.isReady()) throw new Error('protocol.handle before the app is ready')
    handlers.set(scheme, handler)
  },
})
