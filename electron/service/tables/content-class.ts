import type { ContentClass } from '../../../shared/table-query.ts'

const EXACT: Readonly<Record<string, ContentClass>> = {
  '': 'unknown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/css': 'style',
  'application/pdf': 'document',
  'application/rtf': 'document',
  'text/rtf': 'document',
  'application/epub+zip': 'document',
  'application/msword': 'document',
}
const SCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/
const DOCUMENT = /^application\/vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats-officedocument|oasis\.opendocument)/

const MAX_REMEMBERED = 1_000
const remembered = new Map<string, ContentClass>()

/** @param contentType as the server sent it, parameters and all */
export function contentClass(contentType: string): ContentClass {
  const known = remembered.get(contentType)
  if (known !== undefined) return known
  const decided = decide(contentType.split(';', 1)[0]!.trim().toLowerCase())
  if (remembered.size < MAX_REMEMBERED) remembered.set(contentType, decided)
  return decided
}

function decide(type: string): ContentClass {
  if (Object.hasOwn(EXACT, type)) return EXACT[type]!
  if (type.startsWith('image/')) return 'image'
  if (SCRIPT.test(type)) return 'script'
  return DOCUMENT.test(type) ? 'document' : 'other'
}
