/** What a body is (WHATWG MIME Sniffing): the header's word where it has one, the first bytes where it has none. */

/** Types that say nothing: what servers send for files they do not know. */
const USELESS: ReadonlySet<string> = new Set([
  'unknown/unknown',
  'application/unknown',
  '*/*',
  'application/octet-stream',
])

const ESSENCE = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}\/[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/

/**
 * The essence, "text/html", lower case.
 * @param contentType the header's value, empty if absent
 */
export function mediaTypeOf(contentType: string, bytes: Buffer): string {
  if (contentType.startsWith('text/html;')) return 'text/html'
  const essence = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (!ESSENCE.test(essence) || USELESS.has(essence)) return sniff(bytes)
  // §7.2: servers call unknown files text/plain; such a file may be binary, but never becomes markup.
  return essence === 'text/plain' && isBinary(headOf(bytes)) ? sniffBinary(headOf(bytes)) : essence
}

export const isHtml = (essence: string): boolean => essence === 'text/html' || essence === 'application/xhtml+xml'

/** §5.2: the resource header. */
const HEAD_BYTES = 1445

const headOf = (bytes: Buffer): string => bytes.toString('latin1', 0, HEAD_BYTES)

/** §7.1, the tags that say "this is HTML", after leading white space. */
const HTML =
  /^(?:<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|<title|<b|<body|<br|<p)[\t\n\f\r >]|^<!--/i

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x1f\x8b\x08', 'application/gzip'],
  ['PK\x03\x04', 'application/zip'],
]

/** §7.1, rules for identifying an unknown MIME type; a UTF-8 byte order mark does not hide a tag. */
function sniff(bytes: Buffer): string {
  const head = headOf(bytes)
  const text = head.replace(/^\xef\xbb\xbf/, '').replace(/^[\t\n\f\r ]+/, '')
  if (HTML.test(text)) return 'text/html'
  if (text.startsWith('<?xml')) return 'text/xml'
  return isBinary(head) ? sniffBinary(head) : (signatureOf(head) ?? 'text/plain')
}

const signatureOf = (head: string): string | undefined =>
  head.startsWith('RIFF') && head.startsWith('WEBPVP', 8)
    ? 'image/webp'
    : SIGNATURES.find(([start]) => head.startsWith(start))?.[1]

const sniffBinary = (head: string): string => signatureOf(head) ?? 'application/octet-stream'

/** §3: binary data bytes, unless a byte order mark says that it is UTF-16 text. */
const isBinary = (head: string): boolean =>
  !/^(?:\xfe\xff|\xff\xfe)/.test(head) && /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(head)
