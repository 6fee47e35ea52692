import {
  type CellContextMenuEvent,
  type CellFocusedEvent,
  type CellKeyDownEvent,
  CellStyleModule,
  ColumnApiModule,
  createGrid,
  type FullWidthCellKeyDownEvent,
  type GridApi,
  type GridOptions,
  type GridSizeChangedEvent,
  InfiniteRowModelModule,
  LocaleModule,
  type ModelUpdatedEvent,
  ModuleRegistry,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  type SuppressKeyboardEventParams,
  themeQuartz,
} from 'ag-grid-community'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CrawlListing } from '../../../shared/crawl-listing.ts'
import type { TableRow } from '../../../shared/table-query.ts'
import { useApp } from '../../state/app-context.tsx'
import type { TableStore } from '../../state/table-store.ts'
import { pauseOrResume } from '../../state/use-actions.ts'
import { useColumns } from './columns.ts'
import { gridColumns, toTsv } from './grid-columns.ts'
import { GridNotes } from './grid-notes.tsx'
import { gridWords } from './grid-words.ts'
import { type MenuPlace, RowMenu } from './row-menu.tsx'
import { TableSource } from './table-source.ts'

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  RowStyleModule,
  ColumnApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  LocaleModule,
])

const theme = themeQuartz.withParams({
  fontFamily: 'system-ui, sans-serif',
  fontSize: 12,
  rowHeight: 28,
  headerHeight: 32,
  spacing: 4,
  cellHorizontalPadding: 12,
  backgroundColor: 'var(--bg)',
  foregroundColor: 'var(--text)',
  borderColor: 'var(--border)',
  accentColor: 'var(--accent)',
  headerBackgroundColor: 'var(--bg)',
  headerTextColor: 'var(--text-dim)',
  headerFontWeight: 400,
  rowHoverColor: 'var(--surface)',
  selectedRowBackgroundColor: 'var(--accent-soft)',
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  browserColorScheme: 'inherit',
})

/**
 * The plain grid, not its React layer, which took 134 ms against 75 ms to draw the rows that a jump in 1,000,000
 * lands on (`npm run bench:large-ui`). Small blocks and no rows beyond the edge: what is not seen is not drawn.
 */
const GRID: GridOptions<TableRow> = {
  theme,
  rowModelType: 'infinite',
  cacheBlockSize: 50,
  maxBlocksInCache: 80,
  maxConcurrentDatasourceRequests: 2,
  rowBuffer: 0,
  suppressAnimationFrame: true,
  infiniteInitialRowCount: 1,
  // Its place is left free from the beginning: widths are not worked out anew when it appears.
  alwaysShowVerticalScroll: true,
  animateRows: false,
  preventDefaultOnContextMenu: true,
  enableCellTextSelection: false,
  rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
  defaultColDef: { sortable: true, resizable: true, suppressKeyboardEvent: isOurs, suppressMovable: false },
  getRowId: ({ data }) => String(data.id),
  onCellMouseOver: ({ event }) => sayWhole(event?.target),
}

type GridHandlers = Pick<
  GridOptions<TableRow>,
  | 'onCellFocused'
  | 'onCellKeyDown'
  | 'onCellContextMenu'
  | 'onRowDoubleClicked'
  | 'onGridSizeChanged'
  | 'onModelUpdated'
>

const LIVE_MS = 1_000

interface UrlGridProps {
  crawl: CrawlListing
  isLive: boolean
  useTable: TableStore
  nonce: string
}

/** Every URL of the view. It follows the crawl without moving under the user. */
export function UrlGrid({ crawl, isLive, useTable, nonce }: UrlGridProps) {
  const app = useApp()
  const { t, i18n } = useTranslation(['common', 'crawl'])
  const filter = useTable((state) => state.filter)
  const wanted = useTable((state) => state.wanted)
  const { select, openDetails } = useTable.getState()
  const shown = useColumns((state) => state.shown)
  const place = useRef<HTMLElement>(null)
  const [api, setApi] = useState<GridApi<TableRow> | null>(null)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const extends_ = useRef(false)
  const height = useRef(0)
  const awaited = useRef<number | null>(null)
  const { id } = crawl
  const [source, setSource] = useState<TableSource | null>(null)
  const handlers = useRef<GridHandlers>({})
  handlers.current = {
    onCellFocused: onFocused,
    onCellKeyDown: onKeyDown,
    onCellContextMenu: openMenu,
    onRowDoubleClicked: () => openDetails(true),
    onGridSizeChanged: onResized,
    onModelUpdated: chooseAwaited,
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: its language and nonce stay as long as the grid does
  useEffect(() => {
    const created = createGrid<TableRow>(place.current!, {
      ...GRID,
      ...(hasOverlayScrollbars() ? { scrollbarWidth: OVERLAY_PX } : {}),
      styleNonce: nonce,
      localeText: gridWords(t),
      onCellFocused: (event) => handlers.current.onCellFocused?.(event),
      onCellKeyDown: (event) => handlers.current.onCellKeyDown?.(event),
      onCellContextMenu: (event) => handlers.current.onCellContextMenu?.(event),
      onRowDoubleClicked: (event) => handlers.current.onRowDoubleClicked?.(event),
      onGridSizeChanged: (event) => handlers.current.onGridSizeChanged?.(event),
      onModelUpdated: (event) => handlers.current.onModelUpdated?.(event),
    })
    setApi(created)
    return () => created.destroy()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: of the app only its commands are used
  useEffect(() => {
    if (api === null) return
    const next = new TableSource(app, id, useTable, filter)
    api.setGridOption('datasource', next)
    api.ensureIndexVisible(0)
    setSource(next)
    return () => next.retire()
  }, [api, app.invoke, id, useTable, filter])

  // Once more after the end: the last rows changed between the last look and the end.
  useEffect(() => {
    if (api === null || source === null) return
    if (!isLive) {
      void source.refreshShown(api)
      return
    }
    const timer = setInterval(() => void source.refreshShown(api), LIVE_MS)
    return () => clearInterval(timer)
  }, [api, source, isLive])

  useEffect(() => {
    if (api !== null && wanted > 0) void source?.renew(api)
  }, [api, source, wanted])

  const columns = useMemo(() => gridColumns(t, i18n.language), [t, i18n.language])
  useEffect(() => {
    if (api === null) return
    api.setGridOption('columnDefs', columns)
    for (const { colId } of columns) api.setColumnsVisible([colId!], (shown as readonly string[]).includes(colId!))
  }, [api, columns, shown])

  function onKeyDown(event: CellKeyDownEvent<TableRow> | FullWidthCellKeyDownEvent<TableRow>): void {
    const key = event.event as KeyboardEvent
    if (key.key === ' ') void pauseOrResume(app, id)
    else if (key.key === 'Enter' && event.data) {
      select(event.data)
      openDetails(true)
    } else if (key.key === 'Escape') openDetails(false)
    else if (key.key.toLowerCase() === 'c' && (key.ctrlKey || key.metaKey)) copyRows(event.api, event.data)
    else return
    key.preventDefault()
  }

  function copyRows(grid: GridApi<TableRow>, focused: TableRow | undefined): void {
    const chosen = grid.getSelectedRows()
    const rows = chosen.length > 0 ? chosen : focused ? [focused] : []
    void navigator.clipboard.writeText(toTsv(rows, shown))
  }

  /** The selection follows the focus, as in a mail program; with Shift it grows. */
  function onFocused({
    rowIndex,
    rowPinned,
    api: grid,
  }: Pick<CellFocusedEvent<TableRow>, 'rowIndex' | 'rowPinned' | 'api'>): void {
    awaited.current = null
    if (rowIndex === null || rowPinned) return
    const node = grid.getDisplayedRowAtIndex(rowIndex)
    if (node?.data === undefined) {
      awaited.current = rowIndex
      return
    }
    if (lastInput === 'keyboard') node.setSelected(true, !extends_.current)
    select(node.data)
  }

  /** The focus went ahead to a row that had yet to be read. */
  function chooseAwaited({ api: grid }: ModelUpdatedEvent<TableRow>): void {
    const focused = grid.getFocusedCell()
    if (focused && focused.rowIndex === awaited.current) onFocused({ ...focused, api: grid })
  }

  /** The details opened over the chosen row: it is moved into sight. A row that was out of sight stays there. */
  function onResized({ api: grid, clientHeight }: GridSizeChangedEvent<TableRow>): void {
    const before = height.current
    height.current = clientHeight
    const row = grid.getFocusedCell()?.rowIndex
    const top = row === undefined ? null : grid.getDisplayedRowAtIndex(row)?.rowTop
    const inSight = grid.getVerticalPixelRange().top
    if (row !== undefined && typeof top === 'number' && top >= inSight && top < inSight + before)
      grid.ensureIndexVisible(row)
  }

  function openMenu({ event, node, data, api: grid }: CellContextMenuEvent<TableRow>): void {
    if (data === undefined || node.data === undefined) return
    if (!node.isSelected()) node.setSelected(true, true)
    select(data)
    setMenu({ ...placeOf(event as MouseEvent), rows: grid.getSelectedRows() })
  }

  return (
    <div className="grid-place" data-pane="table">
      <GridNotes crawl={crawl} isLive={isLive} useTable={useTable} />
      <section
        ref={place}
        className="ag-grid"
        aria-label={t('crawl:table')}
        onKeyDownCapture={(event) => {
          lastInput = 'keyboard'
          extends_.current = event.shiftKey
        }}
        onPointerDownCapture={() => {
          lastInput = 'pointer'
        }}
      />
      <RowMenu
        id={id}
        place={menu}
        onClose={() => setMenu(null)}
        useTable={useTable}
        copy={(rows) => toTsv(rows, shown)}
      />
    </div>
  )
}

/** Scrollbars that take no place, as on a Mac, would lie over the last column. */
function hasOverlayScrollbars(): boolean {
  const probe = document.createElement('div')
  probe.className = 'scroll-probe'
  document.body.append(probe)
  const overlay = probe.offsetWidth === probe.clientWidth
  probe.remove()
  return overlay
}
const OVERLAY_PX = 16

/** What a cell cuts off is there when the pointer rests on it: the browser's own tip, which costs nothing until then. */
function sayWhole(target: EventTarget | null | undefined): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.ag-cell') : null
  if (cell !== null) cell.title = cell.textContent
}

/** A focus that follows a click leaves the selection to the click. */
let lastInput: 'keyboard' | 'pointer' = 'pointer'

/** Keys the grid would use for itself. */
function isOurs({ event }: SuppressKeyboardEventParams): boolean {
  return event.key === ' ' || event.key === 'Enter'
}

/** Where the pointer is; a menu opened by key stands at its cell. */
function placeOf(event: MouseEvent): { x: number; y: number } {
  if (event.clientX > 0 || event.clientY > 0) return { x: event.clientX, y: event.clientY }
  const box = (event.target as HTMLElement).getBoundingClientRect()
  return { x: box.left + 16, y: box.bottom }
}
