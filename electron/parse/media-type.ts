/** What a body is (WHATWG MIME Sniffing): the header's word where it has one, the first bytes where it has none. */

const USELESS: ReadonlySet<string> = new Set(['', 'unknown/unknown', 'application/unknown', '*/*'])

/** The essence, "text/html", lower case. */
export function mediaTypeOf(contentType: string, bytes: Buffer): string {
  const essence = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const valid = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}\/[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(essence)
  return valid && !USELESS.has(essence) ? essence : sniff(bytes)
}

export const isHtml = (essence: string): boolean => essence === 'text/html' || essence === 'application/xhtml+xml'

/** MIME Sniffing §7.1, the tags that say "this is HTML", after leading white space. */
const HTML =
  /^(?:<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|<title|<b|<body|<br|<p)[\s>]|^<!--/i

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x1f\x8b\x08', 'application/gzip'],
  ['PK\x03\x04', 'application/zip'],
]

function sniff(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 1445)
  const text = head.replace(/^\xef\xbb\xbf/, '').replace(/^[\t\n\f\r ]+/, '')
  if (HTML.test(text)) return 'text/html'
  if (text.startsWith('<?xml')) return 'text/xml'
  const signature = SIGNATURES.find(([start]) => head.startsWith(start))
  if (signature) return signature[1]
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp'
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(head) ? 'application/octet-stream' : 'text/plain'
}
