import { isUtf8 } from 'node:buffer'

/** The character encoding of an HTML document by the WHATWG order (HTML §13.2.3.2): BOM, header, meta, then a guess. */

const PRESCAN_BYTES = 1024
const LONGEST_LABEL = 40

export interface DecodedText {
  text: string
  /** A WHATWG encoding name, lower case. */
  encoding: string
}

export function decodeText(bytes: Buffer, contentType: string): DecodedText {
  const bom = bomOf(bytes)
  const named = bom ?? encodingOf(charsetOf(contentType)) ?? prescan(bytes)
  // A page that names no encoding and is valid UTF-8 is UTF-8; browsers guess by locale here.
  const encoding = named ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  if (encoding === 'utf-8') return { text: bytes.toString('utf8', bom === 'utf-8' ? 3 : 0), encoding }
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function bomOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

/** The charset parameter of a media type, or what follows "charset=" in a meta content (HTML "extracting a character encoding"). */
export function charsetOf(contentType: string): string {
  const match = /charset\s*=\s*(?:"([^"]{1,40})"|'([^']{1,40})'|([^\s;"']{1,40}))/i.exec(contentType)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
}

/** The encoding that a label means (Encoding Standard §4.2); null for what is none. */
function encodingOf(label: string): string | null {
  const trimmed = label.trim()
  if (trimmed === '' || trimmed.length > LONGEST_LABEL) return null
  try {
    return new TextDecoder(trimmed).encoding
  } catch {
    return null
  }
}

const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y

/** HTML "prescan a byte stream": meta elements in the first 1,024 bytes, outside comments. */
function prescan(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, PRESCAN_BYTES)
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2)
      if (end < 0) return null
      at = end + 3
    } else if (/^<meta[\s/]/i.test(head.slice(at, at + 6))) {
      const found = metaEncoding(head, at + 5)
      if (found !== null) return found
      at += 5
    } else at++
  }
  return null
}

function metaEncoding(head: string, start: number): string | null {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = start
  for (let match = ATTRIBUTE.exec(head); match !== null; match = ATTRIBUTE.exec(head)) {
    const name = match[1]!.toLowerCase()
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
  const declared = attributes.get('charset')
  const isPragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type'
  const encoding = encodingOf(declared ?? (isPragma ? charsetOf(attributes.get('content') ?? '') : ''))
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}
