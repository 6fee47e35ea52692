/** What became of a URL. A refusal is an outcome with a reason, not an exception. Codes are stored and exported: never rename one. */

export const SKIP_REASONS = [
  'robots',
  'outside_scope',
  'excluded',
  'not_included',
  'max_depth',
  'private_address',
  'external',
  'unsupported_scheme',
  'url_too_long',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const FAILURE_CODES = [
  'dns_not_found',
  'dns_failed',
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'private_address',
  'tls_failed',
  'timeout_connect',
  'timeout_headers',
  'timeout_idle',
  'timeout_total',
  'truncated',
  'body_too_large',
  'headers_too_large',
  'bad_encoding',
  'unsupported_encoding',
  'protocol_error',
  'redirect_loop',
  'parse_failed',
  'server_error',
  'crash_suspect',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** Failures that another try may cure. */
const TRANSIENT: ReadonlySet<FailureCode> = new Set([
  'dns_not_found',
  'dns_failed',
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'timeout_connect',
  'timeout_headers',
  'timeout_idle',
  'timeout_total',
  'truncated',
  'server_error',
])
export const isTransient = (code: FailureCode): boolean => TRANSIENT.has(code)

/** What each reason means, in the words of the people who read the export. */
export const REASON_TEXT: Readonly<Record<SkipReason | FailureCode, string>> = {
  robots: 'blocked by robots.txt',
  outside_scope: 'outside the scope of this crawl',
  excluded: 'matches an exclude pattern',
  not_included: 'matches no include pattern',
  max_depth: 'deeper than the depth limit',
  private_address: 'leads to a private network address',
  external: 'another site',
  unsupported_scheme: 'not http or https',
  url_too_long: 'address longer than 8,192 characters',
  dns_not_found: 'the host name does not exist',
  dns_failed: 'the host name could not be looked up',
  connection_refused: 'the server refused the connection',
  connection_reset: 'the server closed the connection',
  connection_failed: 'no connection to the server',
  tls_failed: 'the secure connection failed',
  timeout_connect: 'no connection in time',
  timeout_headers: 'no answer in time',
  timeout_idle: 'the answer stalled',
  timeout_total: 'too slow: the request took longer than the time limit',
  truncated: 'the answer was cut short',
  body_too_large: 'larger than the size limit',
  headers_too_large: 'response headers larger than 64 KiB',
  bad_encoding: 'the compressed answer is damaged',
  unsupported_encoding: 'compressed in a way Sandpiper does not know',
  protocol_error: 'the answer is not valid HTTP',
  redirect_loop: 'redirects to itself',
  parse_failed: 'the page could not be read',
  server_error: 'the server failed',
  crash_suspect: 'Sandpiper ended unexpectedly each time this page was fetched',
}
