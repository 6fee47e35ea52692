/**
 * HTML §13.2.3.2, "prescan a byte stream to determine its encoding", and its helpers. Bytes are read as Latin-1 text, which
 * keeps every ASCII character where it was. Labels come back as written; what they mean is for the caller.
 */

const PRESCAN_BYTES = 1024

/** The label of the first meta element that declares a usable encoding, or of an XML declaration. */
export function prescan(bytes: Buffer, encodingOf: (label: string) => string | null): string | null {
  const head = bytes.toString('latin1', 0, PRESCAN_BYTES)
  return prescanMeta(head, encodingOf) ?? mendDeclared(encodingOf(xmlLabel(head)))
}

function prescanMeta(head: string, encodingOf: (label: string) => string | null): string | null {
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    if (head.startsWith('<!--', at)) at = after(head, '-->', at + 2)
    else if (/^<meta[\t\n\f\r /]/i.test(head.slice(at, at + 6))) {
      const cursor = { at: at + 5 }
      const encoding = mendDeclared(metaEncoding(head, cursor, encodingOf))
      if (encoding !== null) return encoding
      at = cursor.at
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      const cursor = { at: endOfName(head, at) }
      while (nextAttribute(head, cursor) !== null);
      at = cursor.at
    } else if (/^<[!/?]/.test(head.slice(at, at + 2))) at = after(head, '>', at)
    else at++
  }
  return null
}

const after = (head: string, mark: string, from: number): number => {
  const found = head.indexOf(mark, from)
  return found < 0 ? head.length : found + mark.length
}

function endOfName(head: string, start: number): number {
  let at = start
  while (at < head.length && !isSpace(head, at) && head[at] !== '>') at++
  return at
}

/** A document that could be scanned for ASCII is not UTF-16, and x-user-defined is served for Latin-1. */
function mendDeclared(encoding: string | null): string | null {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

function metaEncoding(head: string, cursor: Cursor, encodingOf: (label: string) => string | null): string | null {
  const seen = new Set<string>()
  let gotPragma = false
  let needPragma: boolean | null = null
  let encoding: string | null = null
  for (let found = nextAttribute(head, cursor); found !== null; found = nextAttribute(head, cursor)) {
    const { name, value } = found
    if (seen.has(name)) continue
    seen.add(name)
    if (name === 'http-equiv') gotPragma = value === 'content-type'
    else if (name === 'charset') {
      encoding = encodingOf(value)
      needPragma = false
    } else if (name === 'content' && needPragma === null) {
      const declared = encodingOf(charsetOf(value))
      if (declared === null) continue
      encoding = declared
      needPragma = true
    }
  }
  return needPragma === null || (needPragma && !gotPragma) ? null : encoding
}

interface Cursor {
  at: number
}

/** HTML "get an attribute": lower case; null at the end of the tag or of the bytes looked at. */
function nextAttribute(head: string, cursor: Cursor): { name: string; value: string } | null {
  let at = cursor.at
  while (at < head.length && (isSpace(head, at) || head[at] === '/')) at++
  const start = at
  // An equals sign may begin a name but not continue it.
  while (at < head.length && !isSpace(head, at) && !'/>'.includes(head[at]!) && (head[at] !== '=' || at === start)) at++
  const name = head.slice(start, at).toLowerCase()
  cursor.at = at
  if (name === '' || at >= head.length) return null
  at = skipSpace(head, at)
  if (head[at] !== '=') return { name, value: '' }
  at = skipSpace(head, at + 1)
  const quote = head[at]
  const end = quote === '"' || quote === "'" ? head.indexOf(quote, at + 1) : endOfName(head, at)
  if (end < 0 || end >= head.length) {
    cursor.at = head.length
    return null
  }
  const quoted = quote === '"' || quote === "'" ? 1 : 0
  cursor.at = end + quoted
  return { name, value: head.slice(at + quoted, end).toLowerCase() }
}

/**
 * HTML "extracting a character encoding from a meta element": what follows "charset=", wherever it stands. Serves for the
 * Content-Type header too, where it forgives a missing semicolon. Empty if there is none.
 */
export function charsetOf(content: string): string {
  const lower = content.toLowerCase()
  for (let at = lower.indexOf('charset'); at >= 0; at = lower.indexOf('charset', at)) {
    at = skipSpace(lower, at + 7)
    if (lower[at] !== '=') continue
    at = skipSpace(lower, at + 1)
    const quote = lower[at]
    if (quote === '"' || quote === "'") {
      const end = lower.indexOf(quote, at + 1)
      return end < 0 ? '' : lower.slice(at + 1, end)
    }
    let end = at
    while (end < lower.length && !isSpace(lower, end) && lower[end] !== ';') end++
    return lower.slice(at, end)
  }
  return ''
}

/** HTML "get an XML encoding": of `<?xml version="1.0" encoding="..."?>`; empty if there is none. */
function xmlLabel(head: string): string {
  if (!head.startsWith('<?xml')) return ''
  const declaration = head.slice(0, Math.max(0, head.indexOf('>')))
  const match = /encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^"\x00-\x20]*)"|'([^'\x00-\x20]*)')/.exec(declaration)
  return match?.[1] ?? match?.[2] ?? ''
}

const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && isSpace(text, at)) at++
  return at
}
