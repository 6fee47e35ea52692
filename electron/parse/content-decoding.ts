import zlib from 'node:zlib'
import type { BodyFault } from '../../shared/parse-job.ts'

/** Undoes Content-Encoding (RFC 9110 §8.4) with a hard cap on what comes out. */

/** More layers are an attack, not a server. */
const MAX_LAYERS = 2
/** Most pages fit one chunk. */
const CHUNK_BYTES = 65_536

export type Decoded = { fault: null; bytes: Buffer } | { fault: BodyFault; detail: string }

interface Limits {
  maxOutputLength: number
  chunkSize: number
}

type Codec = (bytes: Buffer, limits: Limits) => Buffer

/** A server that names gzip and sends the plain body is taken at its bytes. */
const gunzip: Codec = (bytes, limits) => (isGzip(bytes) ? zlib.gunzipSync(bytes, limits) : bytes)

const CODECS: ReadonlyMap<string, Codec> = new Map<string, Codec>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  [
    'deflate',
    (bytes, limits) => (isZlib(bytes) ? zlib.inflateSync(bytes, limits) : zlib.inflateRawSync(bytes, limits)),
  ],
  ['br', (bytes, limits) => zlib.brotliDecompressSync(bytes, limits)],
  ['zstd', unzstd],
])

/**
 * @param encoding the header's value, empty if absent
 * @param maxBytes cap on the result and on every step towards it
 */
export function decodeContent(body: Buffer, encoding: string, maxBytes: number): Decoded {
  const layers = encoding === '' ? [] : layersOf(encoding)
  if (layers.length > MAX_LAYERS) return { fault: 'unsupported_encoding', detail: `${layers.length} layers` }
  const limits = { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES }
  let bytes = body
  for (const layer of layers.reverse()) {
    const codec = CODECS.get(layer)
    if (codec === undefined) return { fault: 'unsupported_encoding', detail: layer.slice(0, 40) }
    if (bytes.length === 0) continue
    try {
      bytes = codec(bytes, limits)
    } catch (error) {
      return faultOf(error)
    }
  }
  return bytes.length > maxBytes ? { fault: 'body_too_large', detail: `${bytes.length} bytes` } : { fault: null, bytes }
}

const layersOf = (encoding: string): string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')

/** RFC 1952 §2.3.1; the first byte alone is a gzip body cut very short. */
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && (bytes.length === 1 || bytes[1] === 0x8b)

/** RFC 1950 §2.2: method 8 and a header divisible by 31; servers also send raw deflate under this name. */
const isZlib = (bytes: Buffer): boolean =>
  (bytes[0]! & 0x0f) === 8 && (bytes.length === 1 || ((bytes[0]! << 8) | bytes[1]!) % 31 === 0)

const ZSTD_MAGIC = 0xfd2fb528

/** RFC 8878 §3: frames may follow one another; zlib stops after the first. */
function unzstd(bytes: Buffer, limits: Limits): Buffer {
  const frames: Buffer[] = []
  let room = limits.maxOutputLength
  let rest = bytes
  do {
    const { buffer, engine } = zlib.zstdDecompressSync(rest, {
      chunkSize: limits.chunkSize,
      // Zero is refused as a limit; the sum is checked afterwards.
      maxOutputLength: Math.max(1, room),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    frames.push(buffer)
    room -= buffer.length
    rest = engine.bytesWritten > 0 ? rest.subarray(engine.bytesWritten) : Buffer.alloc(0)
  } while (rest.length >= 4 && rest.readUInt32LE(0) === ZSTD_MAGIC && room >= 0)
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames)
}

function faultOf(error: unknown): Decoded {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ERR_BUFFER_TOO_LARGE') return { fault: 'body_too_large', detail: 'after decompression' }
  // Every codec says Z_BUF_ERROR, "unexpected end of file", of a stream that ends too early.
  return { fault: code === 'Z_BUF_ERROR' ? 'truncated' : 'bad_encoding', detail: code }
}
