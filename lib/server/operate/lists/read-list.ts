import type { ListName, ListPage, ListQuery } from '#lib/contract/operate/lists.ts'
import type { Store } from '../../store/types.ts'
import { readListCursor, writeListCursor, type PageStart } from './list-cursor.ts'
import { createSearchList, type FoundRows } from './list-search.ts'

/** The search for the rows of a page stops after so many steps of the store, or after so long. */
const PAGE_STEPS = 10
const PAGE_MS = 40

/**
 * `GET /api/operate/lists/{list}`: a page of a list. With filters that no index answers, a page may have few rows, or
 * none, although there are more: `next` then goes on where the search stopped.
 * @throws Problem `invalid_request` with `errors.cursor` for an invalid cursor
 */
export function createReadList(
  store: Pick<Store, 'operatorLists' | 'payouts'>,
  clock: () => number,
  elapsedMs: () => number = () => performance.now(),
) {
  const search = createSearchList(store, clock)
  return async <L extends ListName>(list: L, query: ListQuery<L>): Promise<ListPage<L>> => {
    const { sort, cursor, limit } = query
    const beganMs = elapsedMs()
    const stops = (steps: number): boolean => steps >= PAGE_STEPS || elapsedMs() - beganMs >= PAGE_MS
    const find = (start: PageStart | null): Promise<FoundRows<L>> =>
      search(list, {
        filter: query,
        sort,
        after: start?.place ?? null,
        back: start?.back ?? false,
        limit,
        stops,
      })
    const given = readListCursor(list, sort, cursor)
    const found = await find(given)
    // The page before reaches the beginning of the list: the first page has as many rows as any.
    const first = given?.back === true && found.next === null && found.rows.length < limit
    const start = first ? null : given
    const { rows, next } = first ? await find(null) : found
    const back = start?.back === true
    const cursorOf = (place: PageStart['place'], towards: boolean): string =>
      writeListCursor(list, sort, { place, back: towards })
    const views = rows.map(({ view }) => view)
    const further = next === null ? null : cursorOf(next.place, back)
    const nearest = rows[0]?.place ?? start?.place
    const opposite = start === null || nearest === undefined ? null : cursorOf(nearest, !back)
    return {
      rows: back ? views.toReversed() : views,
      next: back ? opposite : further,
      previous: back ? further : opposite,
      searched_to: next?.stoppedMs == null ? null : new Date(next.stoppedMs).toISOString(),
    }
  }
}
