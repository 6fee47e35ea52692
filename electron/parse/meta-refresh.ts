/** The address of a refresh (HTML "shared declarative refresh steps"), "5; url='/next'"; null if it names none. */
export function parseRefresh(content: string): string | null {
  const match = /^[\t\n\f\r ]*(?:\d+|\d*\.\d*)[\d.]*[\t\n\f\r ]*[;,\t\n\f\r ][\t\n\f\r ;,]*(.*)$/s.exec(
    content.slice(0, 10_000),
  )
  if (match === null) return null
  const rest = match[1]!.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, '')
  const quote = rest[0]
  const url = quote === '"' || quote === "'" ? rest.slice(1).split(quote, 1)[0]! : rest
  return url.trim() === '' ? null : url
}
