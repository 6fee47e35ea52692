import zlib from 'node:zlib'
import type { BodyFault } from '../../shared/parse-job.ts'

/** Undoes Content-Encoding (RFC 9110 §8.4) with a hard cap on what comes out. */

/** More layers are an attack, not a server. */
const MAX_LAYERS = 2

export type Decoded = { fault: null; bytes: Buffer } | { fault: BodyFault; detail: string }

type Codec = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const CODECS: Readonly<Record<string, Codec>> = {
  __proto__: null as never,
  gzip: (bytes, options) => (isGzip(bytes) ? zlib.gunzipSync(bytes, options) : bytes),
  'x-gzip': (bytes, options) => (isGzip(bytes) ? zlib.gunzipSync(bytes, options) : bytes),
  deflate: (bytes, options) => (isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)),
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

/** @param encoding the header's value, empty if absent */
export function decodeContent(body: Buffer, encoding: string, maxBytes: number): Decoded {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  if (layers.length > MAX_LAYERS) return { fault: 'unsupported_encoding', detail: `${layers.length} layers` }
  let bytes = body
  for (const layer of layers.reverse()) {
    const codec = CODECS[layer]
    if (codec === undefined) return { fault: 'unsupported_encoding', detail: layer.slice(0, 40) }
    if (bytes.length === 0) continue
    try {
      bytes = codec(bytes, { maxOutputLength: maxBytes })
    } catch (error) {
      return faultOf(error)
    }
  }
  return bytes.length > maxBytes ? { fault: 'body_too_large', detail: `${bytes.length} bytes` } : { fault: null, bytes }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** RFC 1950: method 8 and a header divisible by 31; servers also send raw deflate under this name. */
const isZlib = (bytes: Buffer): boolean => (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0

/** What each codec says of a stream that ends too early. */
const TRUNCATED: ReadonlySet<string> = new Set(['Z_BUF_ERROR', 'ERR_BROTLI_DECODER_ERROR_NEEDS_MORE_INPUT'])

function faultOf(error: unknown): Decoded {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ERR_BUFFER_TOO_LARGE') return { fault: 'body_too_large', detail: 'after decompression' }
  return { fault: TRUNCATED.has(code) ? 'truncated' : 'bad_encoding', detail: code }
}
