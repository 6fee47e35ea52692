import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeContent } from './content-decoding.ts'

const TEXT = Buffer.from(Array.from({ length: 5_000 }, (_, n) => `line ${(n * 7_919) % 10_007}`).join('\n'))
const MAX = 1_000_000

const CODINGS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => zlib.gzipSync(bytes)],
  ['x-gzip', (bytes) => zlib.gzipSync(bytes)],
  ['deflate', (bytes) => zlib.deflateSync(bytes)],
  ['deflate', (bytes) => zlib.deflateRawSync(bytes)],
  ['br', (bytes) => zlib.brotliCompressSync(bytes)],
  ['zstd', (bytes) => zlib.zstdCompressSync(bytes)],
]

describe.each(CODINGS)('%s', (coding, encode) => {
  const encoded = encode(TEXT)

  it('gives the body back', () => {
    expect(decodeContent(encoded, coding, MAX)).toEqual({ fault: null, bytes: TEXT })
    expect(decodeContent(encoded, ` ${coding.toUpperCase()} `, MAX)).toEqual({ fault: null, bytes: TEXT })
  })

  it.each([1, 3, 10, 200])('calls a body that lacks its last %i bytes truncated', (missing) => {
    expect(decodeContent(encoded.subarray(0, -missing), coding, MAX).fault).toBe('truncated')
  })

  it.each([1, 2, 5])('calls a body of %i bytes truncated', (length) => {
    expect(decodeContent(encoded.subarray(0, length), coding, MAX).fault).toBe('truncated')
  })

  it('allows exactly the cap and not one byte more', () => {
    expect(decodeContent(encoded, coding, TEXT.length).fault).toBeNull()
    expect(decodeContent(encoded, coding, TEXT.length - 1).fault).toBe('body_too_large')
  })

  it('never unpacks a bomb beyond the cap', () => {
    expect(decodeContent(encode(Buffer.alloc(20_000_000)), coding, MAX).fault).toBe('body_too_large')
  })

  it('takes an empty body for an empty body', () => {
    expect(decodeContent(Buffer.alloc(0), coding, MAX)).toEqual({ fault: null, bytes: Buffer.alloc(0) })
  })
})

describe('damage', () => {
  const broken = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes)
    copy[copy.length >> 1]! ^= 0xff
    return copy
  }

  it.each(CODINGS.filter(([coding]) => coding !== 'deflate'))('%s', (coding, encode) => {
    expect(decodeContent(broken(encode(TEXT)), coding, MAX).fault).toBe('bad_encoding')
  })

  it('is seen in the checksum of deflate with a zlib header', () => {
    expect(decodeContent(broken(zlib.deflateSync(TEXT)), 'deflate', MAX).fault).toBe('bad_encoding')
  })

  it.each(['br', 'zstd', 'deflate'])('is what plain text under the name of %s is', (coding) => {
    expect(decodeContent(Buffer.from('<html><body>hello'), coding, MAX).fault).toBe('bad_encoding')
  })
})

describe('layers', () => {
  it('undoes two, the last one named first', () => {
    const twice = zlib.brotliCompressSync(zlib.gzipSync(TEXT))
    expect(decodeContent(twice, 'gzip, br', MAX)).toEqual({ fault: null, bytes: TEXT })
  })

  it('refuses three, and codings it does not know', () => {
    expect(decodeContent(TEXT, 'gzip, gzip, gzip', MAX).fault).toBe('unsupported_encoding')
    expect(decodeContent(TEXT, 'compress', MAX)).toEqual({ fault: 'unsupported_encoding', detail: 'compress' })
    expect(decodeContent(TEXT, 'constructor', MAX).fault).toBe('unsupported_encoding')
  })

  it('counts identity for none', () => {
    expect(decodeContent(TEXT, 'identity, , identity, identity', MAX)).toEqual({ fault: null, bytes: TEXT })
    expect(decodeContent(TEXT, '', MAX)).toEqual({ fault: null, bytes: TEXT })
    expect(decodeContent(TEXT, '', TEXT.length - 1).fault).toBe('body_too_large')
  })

  it('caps the layer in between as well', () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(20_000_000)))
    expect(decodeContent(bomb, 'gzip, gzip', 10_000).fault).toBe('body_too_large')
  })
})

describe('what servers really send', () => {
  it.each(['gzip', 'x-gzip'])('a plain body under the name of %s', (coding) => {
    expect(decodeContent(TEXT, coding, MAX)).toEqual({ fault: null, bytes: TEXT })
  })

  it('a gzip file of several members', () => {
    const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')])
    expect(decodeContent(members, 'gzip', MAX)).toEqual({ fault: null, bytes: Buffer.from('one two') })
  })

  it('a .gz file that is labelled too: one layer is undone', () => {
    const file = zlib.gzipSync(TEXT)
    expect(decodeContent(zlib.gzipSync(file), 'gzip', MAX)).toEqual({ fault: null, bytes: file })
  })

  it('several zstd frames, the cap counting them all', () => {
    const frames = Buffer.concat([zlib.zstdCompressSync(TEXT), zlib.zstdCompressSync(TEXT)])
    expect(decodeContent(frames, 'zstd', MAX)).toEqual({ fault: null, bytes: Buffer.concat([TEXT, TEXT]) })
    expect(decodeContent(frames, 'zstd', TEXT.length * 2).fault).toBeNull()
    expect(decodeContent(frames, 'zstd', TEXT.length * 2 - 1).fault).toBe('body_too_large')
    expect(decodeContent(frames, 'zstd', TEXT.length).fault).toBe('body_too_large')
    expect(decodeContent(frames.subarray(0, -5), 'zstd', MAX).fault).toBe('truncated')
  })
})
