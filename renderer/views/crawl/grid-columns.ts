import type { CellClassParams, ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { TFunction } from 'i18next'
import type { FrontierState } from '../../../shared/frontier-state.ts'
import { FAILURE_CODES, SKIP_REASONS } from '../../../shared/page-outcome.ts'
import type { SortColumn, TableRow } from '../../../shared/table-query.ts'
import { formatBytes, formatCount, formatTime } from '../../components/format.ts'

/** The columns of the table of URLs. Everything crawled goes in as text, never as HTML. */

export type Translate = TFunction<readonly ['common', 'crawl']>

/** States are words and a shape. */
const SHAPES: Readonly<Record<FrontierState, string>> = {
  pending: '○',
  processing: '◐',
  done: '●',
  failed: '○',
  final_failed: '✕',
  skipped: '–',
}

const REASONS: ReadonlySet<string> = new Set([...SKIP_REASONS, ...FAILURE_CODES])
type ReasonCode = (typeof SKIP_REASONS)[number] | (typeof FAILURE_CODES)[number]

export function stateText({ state, status }: Pick<TableRow, 'state' | 'status'>, t: Translate): string {
  if (isRedirect(state, status)) return `↪ ${t('urlState.redirect')}`
  return `${SHAPES[state]} ${t(`urlState.${state}`)}`
}

const isRedirect = (state: FrontierState, status: number | null): boolean =>
  state === 'done' && status !== null && status >= 300 && status < 400 && status !== 304

/** The reason in plain words, then the detail as the site or the settings have it. */
export function reasonText({ reason, detail }: Pick<TableRow, 'reason' | 'detail'>, t: Translate): string {
  if (reason === '') return ''
  const words = REASONS.has(reason) ? t(`reason.${reason as ReasonCode}`) : reason
  return detail === '' ? words : `${words}: ${detail}`
}

type Cell = CellClassParams<TableRow>

export function gridColumns(t: Translate, language: string): ColDef<TableRow>[] {
  const column = (name: SortColumn, more: ColDef<TableRow>): ColDef<TableRow> => ({
    colId: name,
    field: name,
    headerName: t(`crawl:column.${name}`),
    ...more,
  })
  const number = (name: SortColumn, width: number, format = (value: number) => formatCount(value, language)) =>
    column(name, {
      width,
      cellClass: 'num',
      headerClass: 'ag-right-aligned-header',
      valueFormatter: ({ value }) => (typeof value === 'number' ? format(value) : ''),
    })
  return [
    column('url', { minWidth: 220, flex: 4, cellRenderer: UrlCell }),
    column('state', {
      width: 104,
      valueFormatter: ({ data }) => (data ? stateText(data, t) : ''),
      cellClassRules: {
        bad: ({ data }: Cell) => data?.state === 'final_failed',
        live: ({ data }: Cell) => data?.state === 'processing',
        quiet: ({ data }: Cell) => data?.state === 'skipped' || data?.state === 'pending',
      },
    }),
    column('reason', {
      minWidth: 100,
      flex: 1.2,
      valueFormatter: ({ data }) => (data ? reasonText(data, t) : ''),
    }),
    {
      ...number('status', 72, (value) => String(value)),
      cellClassRules: { bad: ({ value }: Cell) => typeof value === 'number' && value >= 400 },
    },
    column('type', { width: 96, valueFormatter: ({ value }) => String(value ?? '').replace(/;.*$/, '') }),
    column('title', { minWidth: 140, flex: 3 }),
    number('depth', 72),
    number('words', 90),
    number('bytes', 80, (value) => formatBytes(value, language)),
    number('responseMs', 92, (value) => `${formatCount(value, language)} ms`),
    {
      ...column('fetchedAt', { width: 180 }),
      valueFormatter: ({ value }) => (typeof value === 'number' ? formatTime(value, language) : ''),
    },
    number('attempts', 80),
  ]
}

const TAIL_CHARS = 24

/** A URL cut in the middle by the style sheet: its tail never gives way. */
class UrlCell implements ICellRendererComp<TableRow> {
  readonly #element = document.createElement('span')

  init({ value }: ICellRendererParams<TableRow>): void {
    this.#fill(value)
  }

  getGui(): HTMLElement {
    return this.#element
  }

  refresh({ value }: ICellRendererParams<TableRow>): boolean {
    this.#fill(value)
    return true
  }

  #fill(url: unknown): void {
    this.#element.className = typeof url === 'string' ? 'url' : 'skeleton'
    this.#element.replaceChildren(...(typeof url === 'string' ? urlParts(url) : []))
  }
}

function urlParts(url: string): HTMLElement[] {
  const cut = Math.max(0, url.length - TAIL_CHARS)
  return [
    [url.slice(0, cut), 'url-head'],
    [url.slice(cut), 'url-tail'],
  ].map(([text, className]) => Object.assign(document.createElement('span'), { textContent: text, className }))
}

/** Rows as tab-separated text, for a spreadsheet: a tab or a line break in a cell becomes a space. */
export function toTsv(rows: readonly TableRow[], shown: readonly SortColumn[]): string {
  const cell = (row: TableRow, name: SortColumn): string => {
    const value = row[name]
    if (value === null) return ''
    return name === 'fetchedAt' ? new Date(value).toISOString() : neutral(String(value).replaceAll(/[\t\r\n]+/g, ' '))
  }
  return rows.map((row) => shown.map((name) => cell(row, name)).join('\t')).join('\n')
}

/** A spreadsheet would run what begins like a formula. */
const neutral = (text: string): string => (/^[=+\-@]/.test(text) ? `'${text}` : text)
