'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { listQuery } from '#lib/browser/operate/lists.ts'
import { sortField, type ListSort } from '#lib/contract/operate/list-fields.ts'
import {
  fileQuery,
  FIRST_PAGE,
  LIST_ADDRESSES,
  viewQueryOf,
  type ListAddress,
} from '#lib/contract/operate/list-address.ts'
import { LIST_SORTS, type ListName, type ListRow } from '#lib/contract/operate/lists.ts'
import { useAddress, useAddressState } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { DataTable, type DataColumn, type RowSelection } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListPager } from '../ui/list-pager.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useColumns } from '../ui/use-columns.ts'
import { ActiveFilters } from './active-filters.tsx'
import { LIST_FIELDS } from './filter-fields.ts'
import { ListParts } from './list-parts.tsx'
import { ListToolbar } from './list-toolbar.tsx'

export interface ConsoleListProps<L extends ListName> {
  readonly list: L
  readonly columns: readonly DataColumn<ListRow<L>>[]
  readonly rowId: (row: ListRow<L>) => string
  readonly rowHref: (row: ListRow<L>) => string
  readonly selection?: RowSelection
  readonly canSelect?: (row: ListRow<L>) => boolean
  /** Between the filters and the rows, such as acts on what is selected. */
  readonly children?: ReactNode
}

const queryText = (state: ListAddress): string => {
  const query = viewQueryOf(state)
  return query === '' ? '' : `?${query}`
}

const withCursor = (state: ListAddress, cursor: string | null): string | null =>
  cursor === null ? null : `${queryText(state)}${queryText(state) === '' ? '?' : '&'}cursor=${cursor}`

/** A list of the console: its parts, filters, views, columns, file, rows and pages. All of it is in the address. */
export function ConsoleList<L extends ListName>({
  list,
  columns,
  rowId,
  rowHref,
  selection,
  canSelect,
  children,
}: ConsoleListProps<L>) {
  const { t } = useConsoleText()
  const { path } = useAddress()
  const address = useAddressState(LIST_ADDRESSES[list])
  const [state, change] = address
  const { parts, fields } = LIST_FIELDS[list]
  const chosen = useColumns(list, columns, address)
  const page = useQuery(listQuery(useConsoleClient(), list, state))
  const sort = useMemo((): ListSort => {
    const given = state['sort'] === undefined ? null : sortField(LIST_SORTS[list]).safeParse(state['sort'])
    return given?.data ?? { by: LIST_SORTS[list][0], descending: true }
  }, [list, state])

  const active = fields.filter(({ name }) => state[name] !== undefined)
  const isFiltered = active.length > 0 || state['show'] !== undefined
  const cleared: ListAddress = {
    ...Object.fromEntries(fields.map(({ name }) => [name, undefined])),
    ...FIRST_PAGE,
  }
  const { searched_to: searchedTo = null, previous = null, next = null } = page.data ?? {}
  const hrefOf = (query: string | null): string | null => (query === null ? null : `${path}${query}`)

  return (
    <>
      <PageHead title={t(`page.${list}`)} about={t(`${list}.about`)} />
      <div className="mb-4 grid gap-3">
        <ListParts
          parts={parts}
          shown={state['show'] ?? ''}
          hrefOf={(part) => `${path}${queryText({ ...state, show: part })}`}
        />
        <ListToolbar
          list={list}
          address={address}
          fields={fields}
          chosen={chosen}
          fileHref={`/api/operate/lists/${list}/rows.csv?${fileQuery(list, state)}`}
        />
        <ActiveFilters
          fields={fields}
          state={state}
          onRemove={(name) => change({ [name]: undefined, ...FIRST_PAGE })}
        />
        {children}
      </div>
      <DataTable
        caption={t(`page.${list}`)}
        columns={columns}
        rows={page.data?.rows}
        rowId={rowId}
        rowHref={rowHref}
        shown={chosen.shown}
        sort={sort}
        onSort={({ by, descending }) => change({ sort: `${descending ? '-' : ''}${by}`, ...FIRST_PAGE })}
        {...(selection !== undefined && { selection })}
        {...(canSelect !== undefined && { canSelect })}
        stale={page.isPlaceholderData}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={
          searchedTo !== null ? (
            <EmptyState title={t('list.noneYet')}>{t('list.noneYetHelp')}</EmptyState>
          ) : isFiltered ? (
            <EmptyState title={t('list.noneFiltered')}>
              <p>{t('list.noneFilteredHelp')}</p>
              <Button className="mt-3 text-s" onClick={() => change({ ...cleared, show: undefined })}>
                {t('filter.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title={t(`${list}.none`)}>{t(`${list}.noneHelp`)}</EmptyState>
          )
        }
      />
      <ListPager
        previous={hrefOf(withCursor(state, previous))}
        next={hrefOf(withCursor(state, next))}
        searchedTo={searchedTo}
      />
    </>
  )
}
