import { setTimeout as sleep } from 'node:timers/promises'
import { csvLine } from '#lib/contract/csv.ts'
import { LIST_ROWS, type ListName, type ListQuery } from '#lib/contract/operate/lists.ts'
import type { Store } from '../../store/types.ts'
import { createSearchList, type FoundRows } from './list-search.ts'

/** Rows of one step; each holds up the other calls of the process for a few milliseconds. */
const STEP_ROWS = 250

const text = (value: string | boolean | null | undefined): string => String(value ?? '')

/**
 * `GET /api/operate/lists/{list}/rows.csv`: all rows that pass the filters, in the order of the query, a step at a time.
 * `cursor` and `limit` do not count.
 */
export function createListFile(store: Pick<Store, 'operatorLists' | 'payouts'>, clock: () => number) {
  const search = createSearchList(store, clock)
  return async function* <L extends ListName>(list: L, query: ListQuery<L>): AsyncIterable<string> {
    const columns = Object.keys(LIST_ROWS[list].shape)
    yield csvLine(columns)
    let after: NonNullable<FoundRows<L>['next']>['place'] | null = null
    do {
      const step: FoundRows<L> = await search(list, {
        filter: query,
        sort: query.sort,
        after,
        back: false,
        limit: STEP_ROWS,
        stops: () => true,
      })
      const lines = step.rows.map(({ view }) =>
        csvLine(columns.map((name) => text((view as Readonly<Record<string, string | boolean | null>>)[name]))),
      )
      if (lines.length > 0) yield lines.join('')
      after = step.next?.place ?? null
      await sleep(0)
    } while (after !== null)
  }
}
