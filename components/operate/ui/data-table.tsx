'use client'

import {
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type Row as TableRow,
} from '@tanstack/react-table'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useMemo, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { ListSort } from '#lib/contract/operate/list-fields.ts'
import { useAddress } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from './loading-failure.tsx'

/** A column of a list. */
export interface DataColumn<Row> {
  /** Its name in the address, and in a sort. */
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly sortable?: boolean
  /** Of numbers. */
  readonly align?: 'end'
  /** Shown only when a person chooses it. */
  readonly extra?: boolean
  /** It names the row, and is always shown. */
  readonly names?: boolean
}

export interface RowSelection {
  /** Ids of rows; they may be on other pages. */
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

export interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly caption: string
  /** Declare them once, or in `useMemo`. */
  readonly columns: readonly DataColumn<Row>[]
  /** Undefined until the first rows are there. Give the last ones while others are being loaded. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** The row's own page: Enter or a press opens it. */
  readonly rowHref?: (row: Row) => string
  /** The ids of the shown columns; undefined: all but the extra ones. */
  readonly shown?: readonly string[] | undefined
  readonly sort?: ListSort | undefined
  readonly onSort?: (sort: ListSort) => void
  readonly selection?: RowSelection
  /** Whether a row can be selected; all can by default. */
  readonly canSelect?: (row: Row) => boolean
  /** The rows are those of an earlier answer. */
  readonly stale?: boolean
  /** Why the rows could not be loaded; null if they could. */
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Instead of a table without rows. */
  readonly empty: ReactNode
}

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: metaHelper<{ readonly align?: 'end' | undefined; readonly names?: boolean | undefined }>(),
})

const NO_ROWS: readonly never[] = []
const LOADING_ROWS = 6

export const isShown = <Row,>(column: DataColumn<Row>, shown: readonly string[] | undefined): boolean =>
  column.names === true || (shown === undefined ? column.extra !== true : shown.includes(column.id))

/**
 * A list as a table; on a phone each row is a card. With the focus on a row, Enter opens it and `x` selects it. The
 * order and the filters are the server's. Roles are explicit, since a browser forgets those of a table that is
 * displayed as cards.
 */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowId,
  rowHref,
  shown,
  sort,
  onSort,
  selection,
  canSelect,
  stale = false,
  error = null,
  onRetry,
  empty,
}: DataTableProps<Row>) {
  const { t } = useConsoleText()
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id, header, cell, sortable = false, align, names }) =>
      // Without an accessor a column could not be sorted by.
      helper.accessor((row: Row): unknown => row, {
        id,
        header,
        cell: ({ row }) => cell(row.original),
        enableSorting: sortable,
        sortDescFirst: true,
        meta: { align, names },
      }),
    )
  }, [columns])
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.id, isShown(column, shown)])),
    [columns, shown],
  )
  const sorting = useMemo(() => (sort === undefined ? [] : [{ id: sort.by, desc: sort.descending }]), [sort])
  const rowSelection = useMemo(
    () => Object.fromEntries((selection?.ids ?? []).map((id) => [id, true as const])),
    [selection?.ids],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    enableRowSelection: selection !== undefined && (canSelect === undefined || (({ original }) => canSelect(original))),
    state: { columnVisibility, sorting, rowSelection },
    onSortingChange: (update) => {
      const [first] = typeof update === 'function' ? update(sorting) : update
      if (first !== undefined) onSort?.({ by: first.id, descending: first.desc })
    },
    onRowSelectionChange: (update) =>
      selection?.onChange(Object.keys(typeof update === 'function' ? update(rowSelection) : update)),
  })

  const failure = error !== null && error !== undefined && <LoadingFailure error={error} retry={() => onRetry?.()} />
  if (rows === undefined) return failure || <LoadingRows text={t('list.loading')} />
  if (rows.length === 0) return failure || empty
  const [head] = table.getHeaderGroups()
  return (
    <div className="grid gap-3">
      {failure}
      <div className="overflow-x-auto sm:rounded-card sm:border sm:border-line sm:bg-surface">
        <table
          role="table"
          aria-busy={stale}
          className={`w-full border-collapse text-start text-s max-sm:block ${stale ? 'opacity-60' : ''}`}
        >
          <caption className="sr-only">{caption}</caption>
          <thead role="rowgroup" className="max-sm:sr-only">
            <tr role="row" className="border-b border-line">
              {selection !== undefined && (
                <th role="columnheader" scope="col" className="w-11 p-0">
                  <SelectBox
                    label={t('list.selectAll')}
                    checked={table.getIsAllRowsSelected()}
                    mixed={table.getIsSomeRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              )}
              {head?.headers.map(({ id, column }) => {
                const order = column.getIsSorted()
                return (
                  <th
                    key={id}
                    role="columnheader"
                    scope="col"
                    aria-sort={order === false ? undefined : order === 'asc' ? 'ascending' : 'descending'}
                    className={`px-3 py-1 font-semibold whitespace-nowrap text-ink-2 ${column.columnDef.meta?.align === 'end' ? 'text-end' : 'text-start'}`}
                  >
                    {column.getCanSort() ? (
                      <button
                        type="button"
                        className="-mx-1 inline-flex min-h-9 items-center gap-1 rounded-small px-1 font-semibold hover:text-ink"
                        onClick={column.getToggleSortingHandler()}
                      >
                        {String(column.columnDef.header)}
                        <SortMark order={order} />
                      </button>
                    ) : (
                      String(column.columnDef.header)
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-3">
            {table.getRowModel().rows.map((row) => (
              <DataRow key={row.id} row={row} href={rowHref?.(row.original)} selects={selection !== undefined} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** A press on one of these is not a press on the row. */
const OWN_PRESS = 'a, button, input, label, select, summary'

const isPressOnRow = (event: MouseEvent): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  event.target instanceof Element &&
  event.target.closest(OWN_PRESS) === null &&
  // A press that ends the selection of text.
  window.getSelection()?.isCollapsed !== false

function DataRow<Row extends object>({
  row,
  href,
  selects,
}: {
  readonly row: TableRow<typeof features, Row>
  readonly href: string | undefined
  readonly selects: boolean
}) {
  const { t } = useConsoleText()
  const { go } = useAddress()
  const onKey = (event: KeyboardEvent): void => {
    // Not on a link or a button in the row, nor with another key held.
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Enter' && href !== undefined) go(href)
    else if (event.key === 'x' && selects) row.toggleSelected()
    else return
    event.preventDefault()
  }
  return (
    <tr
      role="row"
      data-row={row.id}
      data-href={href}
      tabIndex={-1}
      aria-selected={selects ? row.getIsSelected() : undefined}
      className={`scroll-my-16 outline-offset-[-2px] hover:bg-sunken aria-selected:bg-accent-soft max-sm:grid max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-1.5 max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-3.5 sm:border-b sm:border-line sm:last:border-b-0 ${href === undefined ? '' : 'cursor-pointer'}`}
      onKeyDown={onKey}
      onClick={(event) => {
        if (href !== undefined && isPressOnRow(event)) go(href)
      }}
    >
      {selects && (
        <td role="cell" className="p-0 align-top max-sm:-ms-2.5 max-sm:-mt-2">
          {row.getCanSelect() && (
            <SelectBox
              label={t('list.select', { id: row.id })}
              checked={row.getIsSelected()}
              onChange={row.getToggleSelectedHandler()}
            />
          )}
        </td>
      )}
      {row.getVisibleCells().map((shown) => {
        const { header, cell, meta } = shown.column.columnDef
        const Cell = meta?.names === true ? 'th' : 'td'
        return (
          <Cell
            key={shown.id}
            role={meta?.names === true ? 'rowheader' : 'cell'}
            scope={meta?.names === true ? 'row' : undefined}
            className={`py-2 align-baseline font-normal max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:p-0 max-sm:has-[[data-value]:empty]:hidden sm:px-3 ${meta?.align === 'end' ? 'text-end' : 'text-start'}`}
          >
            <span aria-hidden className="shrink-0 text-ink-2 sm:hidden">
              {String(header)}
            </span>
            <span data-value="" className="min-w-0 max-sm:text-end">
              {typeof cell === 'function' ? (cell(shown.getContext()) as ReactNode) : null}
            </span>
          </Cell>
        )
      })}
    </tr>
  )
}

function SortMark({ order }: { readonly order: false | 'asc' | 'desc' }) {
  const Icon = order === 'asc' ? ArrowUp : ArrowDown
  return <Icon aria-hidden size={14} className={order === false ? 'opacity-30' : 'text-accent'} />
}

function SelectBox({
  label,
  checked,
  mixed = false,
  onChange,
}: {
  readonly label: string
  readonly checked: boolean
  readonly mixed?: boolean
  readonly onChange: (event: unknown) => void
}) {
  return (
    <label className="grid size-11 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        className="size-4.5 accent-(--accent)"
        checked={checked}
        ref={(box) => {
          if (box !== null) box.indeterminate = mixed && !checked
        }}
        onChange={onChange}
      />
    </label>
  )
}

function LoadingRows({ text }: { readonly text: string }) {
  return (
    <div className="grid gap-2">
      <p className="sr-only" role="status">
        {text}
      </p>
      {Array.from({ length: LOADING_ROWS }, (_row, index) => (
        <div key={index} aria-hidden className="skeleton h-11" />
      ))}
    </div>
  )
}
