import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/**
 * The built renderer as responses, the same for every host. Everything is read into memory at start: what is asked for is a
 * key of a map and never a path on disk.
 */
export interface Asset {
  status: 200 | 404
  headers: Record<string, string>
  body: Buffer | string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Replaced in the document by a nonce that is fresh for each response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export class StaticAssets {
  readonly #files: ReadonlyMap<string, Buffer>

  constructor(folder: string) {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    this.#files = new Map(
      entries.map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [`/${relative(folder, path).split(sep).join('/')}`, readFileSync(path)]
      }),
    )
  }

  /** @param pathname as in the URL, still encoded: an encoded character never names a file */
  respond(pathname: string): Asset {
    const name = pathname === '/' ? '/index.html' : pathname
    const file = this.#files.get(name)
    const type = TYPES[extname(name)]
    if (file === undefined || type === undefined) {
      return { status: 404, headers: { ...SECURITY, 'content-type': 'text/plain; charset=utf-8' }, body: 'Not found' }
    }
    const headers = { ...SECURITY, 'content-type': type }
    if (extname(name) !== '.html') return { status: 200, headers, body: file }
    const nonce = randomBytes(16).toString('base64')
    const body = file.toString().replaceAll(NONCE_PLACEHOLDER, nonce)
    return { status: 200, headers: { ...headers, 'content-security-policy': policy(nonce) }, body }
  }
}
