import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeContent } from './content-decoding.ts'

const text = Buffer.from('the tide comes in '.repeat(2_000))
const LIMIT = 1_000_000
const codecs: [string, Buffer][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['Deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
]

describe.each(codecs)('%s', (encoding, packed) => {
  it('is undone', () => {
    expect(decodeContent(packed, encoding, LIMIT)).toMatchObject({ fault: null, bytes: text })
  })

  it('is seen to be cut short, wherever it is cut', () => {
    for (const missing of [1, 5, 20, Math.floor(packed.length / 2)]) {
      const cut = decodeContent(packed.subarray(0, packed.length - missing), encoding, LIMIT)
      expect(cut.fault, `${missing} bytes missing`).toBe('truncated')
    }
  })

  it('stops at the cap', () => {
    expect(decodeContent(packed, encoding, 1_000).fault).toBe('body_too_large')
  })
})

it('says what is damaged or unknown', () => {
  const damaged = Buffer.from(gzipSync(text))
  damaged.fill(0xff, 20, 40)
  expect(decodeContent(damaged, 'gzip', LIMIT).fault).toBe('bad_encoding')
  expect(decodeContent(text, 'compress', LIMIT).fault).toBe('unsupported_encoding')
  expect(decodeContent(text, '__proto__', LIMIT).fault).toBe('unsupported_encoding')
  expect(decodeContent(text, 'gzip, gzip, gzip', LIMIT).fault).toBe('unsupported_encoding')
})

it('undoes two layers, in the right order', () => {
  expect(decodeContent(brotliCompressSync(gzipSync(text)), 'gzip, br', LIMIT)).toMatchObject({
    fault: null,
    bytes: text,
  })
})

it('takes an answer that only claims to be gzip as it is, and an empty one too', () => {
  expect(decodeContent(text, 'gzip', LIMIT)).toMatchObject({ fault: null, bytes: text })
  expect(decodeContent(Buffer.alloc(0), 'br', LIMIT)).toMatchObject({ fault: null, bytes: Buffer.alloc(0) })
})
