import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Who may talk to the loopback host: this machine's own page, holding the token, and nobody else. Checked before anything of
 * a request is used: DNS rebinding fails at Host, other sites' pages at Origin and Sec-Fetch-Site, other programs at the token.
 */

export const TOKEN_HEADER = 'x-sandpiper-token'

/** Failures in a row before answers are delayed, and before nobody is answered for a while. */
const DELAY_AFTER = 10
const LOCK_AFTER = 100
const LOCK_MS = 60_000
const DELAY_MS = 1_000

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 415 | 421 | 429
  /** Milliseconds to let pass before the refusal is sent. */
  delayMs: number
}

export class RequestGuard {
  /** 256 bits; goes to the user's browser in the URL's fragment, which is never sent. */
  readonly token = randomBytes(32).toString('base64url')
  readonly #digest = digest(this.token)
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>
  readonly #mono: () => number
  #failures = 0
  #lockedUntil = 0

  constructor(port: number, mono: () => number = () => performance.now()) {
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
    this.#hosts = new Set(names)
    this.#origins = new Set(names.map((name) => `http://${name}`))
    this.#mono = mono
  }

  /** For every request: it must have been addressed to us. */
  checkHost({ headers, url }: IncomingMessage): Refusal | null {
    const isPath = url?.startsWith('/') === true && !url.startsWith('//')
    return isPath && this.#hosts.has(headers.host?.toLowerCase() ?? '') ? null : { status: 421, delayMs: 0 }
  }

  /** For every request that does or tells something: it must come from our own page and hold the token. */
  checkCaller({ headers }: IncomingMessage): Refusal | null {
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin') return { status: 403, delayMs: 0 }
    if (headers.origin !== undefined && !this.#origins.has(headers.origin)) return { status: 403, delayMs: 0 }
    return this.#checkToken(headers[TOKEN_HEADER])
  }

  #checkToken(given: string | string[] | undefined): Refusal | null {
    const now = this.#mono()
    if (now < this.#lockedUntil) return { status: 429, delayMs: 0 }
    if (typeof given === 'string' && timingSafeEqual(digest(given), this.#digest)) {
      this.#failures = 0
      return null
    }
    this.#failures++
    if (this.#failures >= LOCK_AFTER) {
      this.#failures = 0
      this.#lockedUntil = now + LOCK_MS
    }
    return { status: 401, delayMs: this.#failures > DELAY_AFTER ? DELAY_MS : 0 }
  }
}

/** Equal length for every input, so that the comparison tells nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
