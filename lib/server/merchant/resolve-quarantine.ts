import { Problem } from '#lib/contract/problems.ts'
import type { QuarantineResolution } from '#lib/contract/merchant-requests.ts'
import { compareTexts } from '../ledger/compare.ts'
import { anyPayout, type MayDecide } from '../ledger/payouts/may-decide.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import type { Decider, QuarantineRow, Store, WebhookOutcome } from '../store/types.ts'
import { requireScope, type MerchantCaller } from './merchant-caller.ts'
import { CAN_APPLY } from './quarantine-reasons.ts'
import { quarantineItem, type QuarantineItem } from './quarantine-list.ts'

/** Ids are decimal text, as the list shows them. */
const ID = /^\d{1,15}$/

export interface ResolveOptions {
  readonly store: Pick<Store, 'payouts' | 'quarantine' | 'transaction'>
  readonly clock: () => number
  /** Applies an open event again; null if it is no longer open. */
  readonly applyAgain: (
    row: QuarantineRow,
    request: { readonly by: Decider; readonly note: string | null },
  ) => Promise<WebhookOutcome | null>
  readonly onDismissed?: (row: QuarantineRow) => Promise<void>
}

export interface ResolvedItem {
  /** The result: `applied`, `seen`, `dismissed`, or the reason that remains. */
  readonly outcome: WebhookOutcome | 'dismissed'
  readonly item: QuarantineItem
}

const notOpen = (): Problem => new Problem('conflict', 'This event is already settled.')

const noteMissing = (): Problem =>
  new Problem('invalid_request', 'Not valid: note.', {
    errors: { note: ['must say why the payout belongs to no withdrawal'] },
  })

const ofAnother = (): Problem =>
  new Problem(
    'conflict',
    'A message has given this payout to another user since. Look at it again, and say whose it is.',
  )

/**
 * Dismisses the line of a payout, and acknowledges the payout while nobody owns it, which needs the scope of payouts.
 * What a person says of one user's payout says nothing of another's. False: it is no longer open.
 */
async function dismissPayout(
  store: ResolveOptions['store'],
  { id, transaction_uuid, user_reference_id }: QuarantineRow,
  {
    caller,
    note,
    mayDecide,
  }: { readonly caller: MerchantCaller; readonly note: string | null; readonly mayDecide: MayDecide },
): Promise<boolean> {
  requireScope(caller, 'payouts')
  const reported = await store.payouts.find(transaction_uuid ?? '')
  return store.transaction(async (tx) => {
    const unit = await tx.load({
      users: reported === null ? [] : [reported.user_reference_id],
      transactions: reported === null ? [] : [{ kind: 'payout', transaction_uuid: reported.transaction_uuid }],
    })
    if (!(await tx.quarantine.settle(id, { by: caller.by, now: tx.now, note }))) return false
    const payout = unit.payout(transaction_uuid ?? '')
    if (payout?.owner === null) {
      if (compareTexts(payout.user_reference_id, user_reference_id) === 'differ') throw ofAnother()
      mayDecide(payout)
      if (note === null || note.trim() === '') throw noteMissing()
      setOwner(unit, payout, 'acknowledged', { note })
    }
    await tx.save(unit)
    return true
  })
}

/**
 * `POST /api/merchant/quarantine/{id}/resolution` (docs/reference/merchant-api.md, "Settle an event in quarantine").
 * @throws Problem `not_found` for an unknown id, `conflict` for an event that is settled or that its reason forbids to
 * apply, `invalid_request` for the line of an open payout without a note, and `scope_required` for that line and a
 * caller who may not own payouts
 */
export const createResolveQuarantine =
  ({ store, clock, applyAgain, onDismissed }: ResolveOptions) =>
  async (
    id: string,
    { action, note = null }: QuarantineResolution,
    caller: MerchantCaller,
    mayDecide: MayDecide = anyPayout,
  ): Promise<ResolvedItem> => {
    const find = async (): Promise<QuarantineRow> => {
      const row = ID.test(id) ? await store.quarantine.find(Number(id)) : null
      if (row === null) throw new Problem('not_found', 'There is no such event in quarantine.')
      return row
    }
    const row = await find()
    if (row.settled_ms !== null) throw notOpen()
    if (action === 'dismiss') {
      const dismissed =
        row.reason === 'unmatched_payout'
          ? await dismissPayout(store, row, { caller, note, mayDecide })
          : await store.quarantine.settle(row.id, { by: caller.by, now: clock(), note })
      if (!dismissed) throw notOpen()
      await onDismissed?.(row)
      return { outcome: 'dismissed', item: quarantineItem(await find()) }
    }
    if (!CAN_APPLY[row.reason])
      throw new Problem('conflict', `An event with the reason ${row.reason} cannot be applied; it can be dismissed.`)
    const outcome = await applyAgain(row, { by: caller.by, note })
    if (outcome === null) throw notOpen()
    return { outcome, item: quarantineItem(await find()) }
  }
