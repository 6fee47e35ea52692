import type { Column } from '../../../shared/columns.ts'
import type { Cell } from '../../store/view-cells.ts'

/** CSV by RFC 4180: CRLF after every row, cells quoted where they must be. */

export type Preset = 'excel' | 'data'

/** Makes Excel read UTF-8; only the `excel` preset has it. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/
/** In decimal notation; read in linear time, whatever the text. */
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const MUST_QUOTE = /[",\r\n]/

export function csvRow(cells: readonly Cell[], columns: readonly Column[], preset: Preset): string {
  let row = ''
  for (let n = 0; n < columns.length; n++) {
    const cell = cells[n] ?? null
    if (n > 0) row += ','
    if (typeof cell === 'number') row += cell
    else if (cell !== null) row += csvText(cell, preset)
  }
  return `${row}\r\n`
}

/** A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD. */
export function csvText(text: string, preset: Preset): string {
  const formed = text.toWellFormed()
  const safe = preset === 'excel' && FORMULA.test(formed) && !PLAIN_NUMBER.test(formed) ? `'${formed}` : formed
  return MUST_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvHeader = (columns: readonly Column[]): string => `${columns.map(({ name }) => name).join(',')}\r\n`
