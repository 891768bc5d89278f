import { Problem } from '#lib/contract/problems.ts'
import type { QuarantineResolution } from '#lib/contract/merchant-requests.ts'
import type { QuarantineRow, Store, WebhookOutcome } from '../store/types.ts'
import { CAN_APPLY } from './quarantine-reasons.ts'
import { quarantineItem, type QuarantineItem } from './quarantine-list.ts'

/** Ids are decimal text, as the list shows them. */
const ID = /^\d{1,15}$/

export interface ResolveOptions {
  readonly store: Pick<Store, 'quarantine'>
  readonly clock: () => number
  /** Applies an open event again; null if it is no longer open. */
  readonly applyAgain: (row: QuarantineRow, note: string | null) => Promise<WebhookOutcome | null>
  readonly onDismissed?: (row: QuarantineRow) => Promise<void>
}

export interface ResolvedItem {
  /** The result: `applied`, `seen`, `dismissed`, or the reason that remains. */
  readonly outcome: WebhookOutcome | 'dismissed'
  readonly item: QuarantineItem
}

const notOpen = (): Problem => new Problem('conflict', 'This event is already settled.')

/**
 * `POST /api/merchant/quarantine/{id}/resolution` (docs/reference/merchant-api.md, "Settle an event in quarantine").
 * Throws a `Problem`: `not_found` for an unknown id, `conflict` for an event that is settled or that its reason forbids
 * to apply.
 */
export const createResolveQuarantine =
  ({ store, clock, applyAgain, onDismissed }: ResolveOptions) =>
  async (id: string, { action, note = null }: QuarantineResolution): Promise<ResolvedItem> => {
    const find = async (): Promise<QuarantineRow> => {
      const row = ID.test(id) ? await store.quarantine.find(Number(id)) : null
      if (row === null) throw new Problem('not_found', 'There is no such event in quarantine.')
      return row
    }
    const row = await find()
    if (row.settled_ms !== null) throw notOpen()
    if (action === 'dismiss') {
      if (!(await store.quarantine.settle(row.id, { by: 'merchant', now: clock(), note }))) throw notOpen()
      await onDismissed?.(row)
      return { outcome: 'dismissed', item: quarantineItem(await find()) }
    }
    if (!CAN_APPLY[row.reason])
      throw new Problem('conflict', `An event with the reason ${row.reason} cannot be applied; it can be dismissed.`)
    const outcome = await applyAgain(row, note)
    if (outcome === null) throw notOpen()
    return { outcome, item: quarantineItem(await find()) }
  }
