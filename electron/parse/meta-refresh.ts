/**
 * The address in the content of a meta refresh (HTML §4.2.5.3, shared declarative refresh steps): "5; url='/next'". Null if
 * it is malformed or names none, which reloads the page itself.
 */
export function parseRefresh(content: string): string | null {
  let at = skip(content, 0, isSpace)
  const digits = at
  at = skip(content, at, isDigit)
  if (at === digits && content[at] !== '.') return null
  at = skip(content, at, (character) => isDigit(character) || character === '.')
  if (at < content.length && !isSpace(content[at]!) && !isSeparator(content[at]!)) return null
  at = skip(content, at, isSpace)
  if (isSeparator(content[at] ?? '')) at++
  at = skip(content, at, isSpace)
  const address = unquote(content, afterUrlSign(content, at))
  return address.trim() === '' ? null : address
}

/** The position behind "url =", or `start` where it does not stand there. */
function afterUrlSign(content: string, start: number): number {
  if (content.slice(start, start + 3).toLowerCase() !== 'url') return start
  const sign = skip(content, start + 3, isSpace)
  return content[sign] === '=' ? skip(content, sign + 1, isSpace) : start
}

function unquote(content: string, start: number): string {
  const quote = content[start]
  if (quote !== '"' && quote !== "'") return content.slice(start)
  const end = content.indexOf(quote, start + 1)
  return content.slice(start + 1, end < 0 ? content.length : end)
}

function skip(content: string, start: number, matches: (character: string) => boolean): number {
  let at = start
  while (at < content.length && matches(content[at]!)) at++
  return at
}

const isSpace = (character: string): boolean => '\t\n\f\r '.includes(character)
const isDigit = (character: string): boolean => character >= '0' && character <= '9'
const isSeparator = (character: string): boolean => character === ';' || character === ','
