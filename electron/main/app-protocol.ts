import { protocol } from 'electron'
import type { StaticAssets } from '../service/static-assets.ts'
import { APP_SCHEME, isOwnPage } from './trusted-origin.ts'

/** The window's files as app://sandpiper/…, never from disk by path. The scheme is registered before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

export function serveAppScheme(assets: StaticAssets): void {
  protocol.handle(APP_SCHEME, (request) => {
    if (request.method !== 'GET' || !isOwnPage(request.url)) return new Response('Not found', { status: 404 })
    const { status, headers, body } = assets.respond(new URL(request.url).pathname)
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers })
  })
}
