/**
 * Takes secrets out of what is logged: by the name of the field, and by what an address carries. Crawled text is kept as it
 * is: JSON holds it.
 */

const HIDDEN = '[redacted]'
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:password|passwd|secret|token|api[-_]?key|session[-_]?id|signature|credential)s?)$/i
const USER_INFO = /([a-z][a-z\d+.-]*:\/\/)[^/?#\s@]+@/gi
const QUERY = /([?&;])([^=&;#\s]+)=([^&;#\s]*)/g
const MAX_DEPTH = 6

export interface Redaction {
  /** Also the values of all queries: addresses of private sites tell much. */
  queries: boolean
}

/** @returns the same shape without what nobody else should see */
export function redact(value: unknown, options: Redaction = { queries: false }, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, options)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth >= MAX_DEPTH) return '[…]'
  if (value instanceof Error) return redact(describeError(value), options, depth)
  if (Array.isArray(value)) return value.map((each) => redact(each, options, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SECRET_NAME.test(name) && each !== null && each !== '' ? HIDDEN : redact(each, options, depth + 1),
    ]),
  )
}

/** Of an address, and of any text that holds one. */
export function redactText(text: string, { queries }: Redaction): string {
  if (!text.includes('://') && !text.includes('=')) return text
  return text
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(QUERY, (whole, mark: string, name: string) =>
      queries || SECRET_NAME.test(name) ? `${mark}${name}=${HIDDEN}` : whole,
    )
}

function describeError(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  return { name, message, ...code, stack: stack?.split('\n').slice(1, 12), ...(cause === undefined ? {} : { cause }) }
}
