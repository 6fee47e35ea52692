import type { Column } from '../../../shared/columns.ts'
import type { Cell } from '../../store/view-cells.ts'

/** One JSON object a line: keys are the column names, numbers are numbers, an empty cell is null. */
export function jsonLine(cells: readonly Cell[], columns: readonly Column[]): string {
  const object: Record<string, Cell> = {}
  for (let n = 0; n < columns.length; n++) {
    const cell = cells[n] ?? null
    object[columns[n]!.name] = typeof cell === 'string' ? cell.toWellFormed() : cell
  }
  return `${JSON.stringify(object)}\n`
}
