/** Reads rows of a list until there are enough of them, and stops after a bounded search. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListSort } from '#lib/contract/operate/list-fields.ts'
import type { ListFilter, ListName, ListRow, ListSortName } from '#lib/contract/operate/lists.ts'
import type { ListPlace, ListStep, ListStepRequest, Store, StoredListRows } from '../../store/types.ts'
import { createListViews } from './list-views.ts'

export interface Search<L extends ListName> {
  readonly filter: ListFilter<L>
  readonly sort: ListSort<ListSortName<L>>
  readonly after: ListPlace | null
  readonly back: boolean
  /** How many rows are wanted. */
  readonly limit: number
  /** Whether to stop after this many steps, although there are too few rows. */
  readonly stops: (steps: number) => boolean
}

export interface FoundRows<L extends ListName> {
  readonly rows: readonly { readonly view: ListRow<L>; readonly place: ListPlace }[]
  /** Where the search goes on; null: there are no more rows. `stoppedMs`: it found too few; the time of the row there. */
  readonly next: { readonly place: ListPlace; readonly stoppedMs: number | null } | null
}

/** Of rows that may need a person, those that do: the store finds more of them. */
const isWanted = (list: ListName, filter: { readonly show?: string | undefined }, view: object): boolean =>
  !(list === 'withdrawals' && filter.show === 'attention' && 'attention' in view && view.attention === null)

export type SearchList = <L extends ListName>(list: L, search: Search<L>) => Promise<FoundRows<L>>

export function createSearchList(store: Pick<Store, 'operatorLists' | 'payouts'>, clock: () => number): SearchList {
  const views = createListViews(store, clock)
  return async <L extends ListName>(list: L, { stops, limit, ...search }: Search<L>): Promise<FoundRows<L>> => {
    const read: (request: ListStepRequest<ListFilter<L>, ListSortName<L>>) => Promise<ListStep<StoredListRows[L]>> =
      store.operatorLists[list]
    const rows: { view: ListRow<L>; place: ListPlace }[] = []
    let after = search.after
    for (let step = 1; ; step += 1) {
      const { rows: found, next } = await read({ ...search, after, limit: limit - rows.length })
      const seen = await views[list](found.map(({ row }) => row))
      found.forEach(({ place }, index) => {
        const view = seen[index]
        if (view !== undefined && isWanted(list, search.filter, view)) rows.push({ view, place })
      })
      if (next === null) return { rows, next: null }
      if (rows.length >= limit) return { rows, next: { place: next.place, stoppedMs: null } }
      if (stops(step)) return { rows, next: { place: next.place, stoppedMs: next.ms } }
      after = next.place
      // SQLite has held up the other calls of the process.
      await sleep(0)
    }
  }
}
