import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Column } from '../../../shared/columns.ts'
import { csvHeader, csvRow, csvText } from './csv.ts'
import { jsonLine } from './jsonl.ts'

const columns: Column[] = [
  { name: 'a', type: 'text', label: 'A' },
  { name: 'b', type: 'number', label: 'B' },
  { name: 'c', type: 'text', label: 'C' },
]

/** An RFC 4180 reader, character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (character === '"' && cell === '') quoted = true
    else if (character === ',') {
      rows.at(-1)!.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.at(-1)!.push(cell)
      cell = ''
      rows.push([])
      at++
    } else cell += character
  }
  return rows.slice(0, -1)
}

it('reads back as what was written, whatever the text', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '"', '""', ',', '\r\n', '\n', '\r', ' a ', '=1'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, fc.oneof(fc.integer(), fc.constant(null)), cell)), (rows) => {
      const text = csvHeader(columns) + rows.map((row) => csvRow(row, columns, 'data')).join('')
      const expected = rows.map(([a, b, c]) => [a.toWellFormed(), b === null ? '' : String(b), c.toWellFormed()])
      expect(readCsv(text)).toEqual([['a', 'b', 'c'], ...expected])
    }),
  )
})

it.each([
  ['=1+1', "'=1+1"],
  ['+x', "'+x"],
  ['-x', "'-x"],
  ['@x', "'@x"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['-5', '-5'],
  ['+3.25', '+3.25'],
  ['-1e5', "'-1e5"],
  ['1=1', '1=1'],
  ['http://x/=1', 'http://x/=1'],
])('the excel preset writes %j as %j', (text, expected) => {
  expect(csvText(text, 'excel')).toBe(expected)
})

it('the data preset changes nothing', () => {
  for (const text of ['=1+1', '+x', '@x', '\t=1']) expect(csvText(text, 'data')).toBe(text)
})

it('quotes by RFC 4180', () => {
  expect(csvText('a,"b"\nc', 'data')).toBe('"a,""b""\nc"')
})

it('writes JSON lines with typed numbers and null for nothing', () => {
  expect(jsonLine(['x\n', 5, null], columns)).toBe('{"a":"x\\n","b":5,"c":null}\n')
})

it('tells a number from a formula in linear time', () => {
  const almost = `-${'1'.repeat(500_000)}x`
  expect(csvText(almost, 'excel')).toBe(`'${almost}`)
})

it('replaces a lone surrogate, which UTF-8 cannot hold', () => {
  expect(csvText('a\ud800b', 'data')).toBe('a\ufffdb')
})

it('neutralises text cells only', () => {
  expect(csvRow(['=a', -5, null], columns, 'excel')).toBe("'=a,-5,\r\n")
})
