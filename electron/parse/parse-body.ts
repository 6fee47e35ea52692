import { hash as digest } from 'node:crypto'
import type { BodyFault, ParseJob, ParseResult } from '../../shared/parse-job.ts'
import { decodeContent } from './content-decoding.ts'
import { isHtml, mediaTypeOf } from './media-type.ts'
import { readPage } from './page-facts.ts'
import { readSitemapFile } from './sitemap-file.ts'

const HASH_HEX_DIGITS = 32

/** One body from wire bytes to facts. Never throws. */
export function parseBody(job: ParseJob): ParseResult {
  try {
    return read(job)
  } catch (error) {
    return fault(job.id, 'parse_failed', error instanceof Error ? error.name : 'unknown')
  }
}

function read({ id, want, url, status, contentType, contentEncoding, body, maxBytes }: ParseJob): ParseResult {
  const decoded = decodeContent(Buffer.from(body), contentEncoding, maxBytes)
  if (decoded.fault !== null) return fault(id, decoded.fault, decoded.detail)
  const { bytes } = decoded
  const mediaType = mediaTypeOf(contentType, bytes)
  const isPage = want === 'page' && status >= 200 && status < 300 && isHtml(mediaType)
  return {
    id,
    fault: null,
    faultDetail: '',
    bytes: bytes.length,
    hash: digest('sha256', bytes, 'hex').slice(0, HASH_HEX_DIGITS),
    mediaType,
    page: isPage ? readPage(bytes, contentType, url) : null,
    sitemap: want === 'sitemap' ? readSitemapFile(bytes, contentType, url, maxBytes) : null,
  }
}

const fault = (id: number, code: BodyFault, detail: string): ParseResult => ({
  id,
  fault: code,
  faultDetail: detail,
  bytes: 0,
  hash: '',
  mediaType: '',
  page: null,
  sitemap: null,
})
