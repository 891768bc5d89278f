import { Problem } from '#lib/contract/problems.ts'
import type { Store } from '../store/port.ts'
import { readCursor } from './read-cursor.ts'

const MOST_CURSORS = 1000
/** Dead ones taken in one transaction. */
const PAGE = 500

export interface RedeliverInput {
  /** Events by their cursors in the feed, whatever became of them. */
  readonly cursors?: readonly string[]
  /** All that were given up. */
  readonly dead?: boolean
}

const refuse = (field: string, allowed: string): never => {
  throw new Problem('invalid_request', 'Say which events to send again.', { errors: { [field]: [allowed] } })
}

/**
 * Puts events in line for the merchant's webhook again, under the same `webhook-id`; gives how many. Throws a
 * `Problem`: `invalid_request` where nothing, too much, or no cursor is named; `not_available` where there is no
 * `MERCHANT_WEBHOOK_URL`.
 */
export const createRedeliver =
  (options: { readonly store: Pick<Store, 'transaction'>; readonly clock: () => number; readonly enabled: boolean }) =>
  async ({ cursors = [], dead = false }: RedeliverInput): Promise<{ readonly queued: number }> => {
    const { store, clock, enabled } = options
    if (!enabled) throw new Problem('not_available', 'No merchant webhook is set up here.')
    if (cursors.length === 0 && !dead) refuse('cursors', 'must name at least one event, or dead must be true')
    if (cursors.length > MOST_CURSORS) refuse('cursors', `must be at most ${MOST_CURSORS} cursors`)
    const numbers = [...new Set(cursors.map((text) => readCursor(text, 'cursors')))]

    let queued = await store.transaction((tx) => tx.deliveries.sendAgain(numbers, clock()))
    for (let page = dead ? PAGE : 0; page === PAGE; queued += page)
      page = await store.transaction((tx) => tx.deliveries.reviveDead(clock(), PAGE))
    return { queued }
  }
