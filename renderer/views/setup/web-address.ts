/**
 * Is this likely to be accepted as a seed? For a word at the field while it is typed; the crawl decides. Without a scheme
 * it must start with a host.
 */
export function isWebAddress(text: string): boolean {
  const typed = text.trim()
  if (HAS_SCHEME.test(typed)) return /^https?:/i.test(typed) && URL.canParse(typed)
  return STARTS_WITH_HOST.test(typed) && URL.canParse(`https://${typed}`)
}

/** "example.org:8080/x" is a host with a port, "htp:/x" has a scheme. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))/i
const STARTS_WITH_HOST = /^(\[[^\]]*\]|[^:/?#@\\]+)(:\d*)?([/?#]|$)/
