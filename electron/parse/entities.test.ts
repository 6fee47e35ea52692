import { describe, expect, it } from 'vitest'
import { decodeAttribute, decodeText } from './entities.ts'

describe('in text', () => {
  it.each([
    ['no reference', 'no reference'],
    ['a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27;', 'a & b <c> "d" \'e\''],
    ['caf&eacute; &euro;&nbsp;5', 'café €\u00a05'],
    ['&copy 2026 &copyright &notit;', '© 2026 ©right ¬it;'],
    ['AT&T, a&b, a && b, & &; &# &#; &#x; &unknown;', 'AT&T, a&b, a && b, & &; &# &#; &#x; &unknown;'],
    ['&#128; &#x1F600; &#0; &#xD800; &#99999999999;', '€ 😀 \ufffd \ufffd \ufffd'],
    ['&amp;lt;', '&lt;'],
    ['&amp', '&'],
    ['&NotEqualTilde;', '≂̸'],
    ['&AMP;&Amp;', '&&Amp;'],
  ])('%j', (markup, text) => {
    expect(decodeText(markup)).toBe(text)
  })
})

describe('in an attribute', () => {
  it.each([
    ['/p?a=1&amp;b=2', '/p?a=1&b=2'],
    ['/p?a=1&b=2', '/p?a=1&b=2'],
    ['/p?a=1&copy=2&copyx=3&copy;=4', '/p?a=1&copy=2&copyx=3©=4'],
    ['/p?x&copy', '/p?x©'],
    ['/p?x&copy.', '/p?x©.'],
    ['/p?a=1&amp=2', '/p?a=1&amp=2'],
    ['&#x2F;p&#47;q', '/p/q'],
    ['"&quot;\'&apos;<&lt;', '""\'\'<<'],
  ])('%j', (markup, value) => {
    expect(decodeAttribute(markup)).toBe(value)
  })
})
