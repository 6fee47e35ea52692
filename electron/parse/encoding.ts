import { isUtf8 } from 'node:buffer'
import { charsetOf, prescan } from './meta-prescan.ts'

/** The character encoding of an HTML document by the WHATWG order (HTML §13.2.3.2): BOM, header, meta, then a guess. */

export { charsetOf }

const LONGEST_LABEL = 40

export interface DecodedText {
  text: string
  /** A WHATWG encoding name, lower case. */
  encoding: string
}

/** @param contentType the header's value, empty if absent */
export function decodeText(bytes: Buffer, contentType: string): DecodedText {
  const bom = bomOf(bytes)
  const named = bom ?? encodingOf(charsetOf(contentType)) ?? prescan(bytes, encodingOf)
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

/** The encoding that a label means (Encoding Standard §4.2); null for what is none. */
function encodingOf(label: string): string | null {
  if (label === 'utf-8') return label
  const trimmed = label.trim()
  if (trimmed === '' || trimmed.length > LONGEST_LABEL) return null
  try {
    return new TextDecoder(trimmed).encoding
  } catch {
    return null
  }
}
