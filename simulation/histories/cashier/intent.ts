/** The beginning of a withdrawal: its row and its hold. */
import { decimal } from '#lib/contract/money.ts'
import { post } from '#lib/server/ledger/post-entries.ts'
import type { WithdrawalColumns, WithdrawalRow } from '#lib/server/ledger/rows.ts'
import type { UnitOfWork } from '#lib/server/ledger/unit-of-work.ts'
import { sampleWithdrawal } from '#lib/server/store/testing/sample-rows.ts'
import type { WithdrawalPlan } from '../story.ts'
import { ETH } from '../wire.ts'

/** A withdrawal whose call begins now. */
export const intentOf = (
  user: string,
  { id, amount, to }: WithdrawalPlan,
  now: number,
  more: Partial<WithdrawalColumns> = {},
): WithdrawalRow =>
  sampleWithdrawal({
    id,
    user_reference_id: user,
    idempotency_key: id,
    currency_id: ETH.id,
    currency_code: ETH.code,
    network: ETH.network,
    amount: decimal(amount),
    wallet_address: to,
    step: 'calling',
    created_ms: now,
    called_ms: now,
    updated_ms: now,
    ...more,
  })

export const hold = (unit: UnitOfWork, { id, user_reference_id, currency_id, amount }: WithdrawalRow): void => {
  post(unit, { booking: 'hold', posting_key: `hold:${id}`, user_reference_id, currency_id, amount })
}
