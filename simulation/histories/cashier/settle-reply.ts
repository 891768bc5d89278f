/** Steps of a withdrawal: its row and hold, and what the reply to its call settles. */
import { decimal } from '#lib/contract/money.ts'
import { followNamed, matchOpenPayouts } from '#lib/server/ledger/payouts/payout-owners.ts'
import { post } from '#lib/server/ledger/post-entries.ts'
import type { WithdrawalColumns, WithdrawalRow } from '#lib/server/ledger/rows.ts'
import { settleWithdrawal } from '#lib/server/ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '#lib/server/ledger/unit-of-work.ts'
import type { Evidence } from '#lib/server/ledger/withdrawal-states.ts'
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

/** Step 4 of a withdrawal, as `cashier/withdrawal-call.ts` does it. */
export function settleReply(unit: UnitOfWork, row: WithdrawalRow, said: Evidence, clockOffsetMs: number | null): void {
  const named = 'transaction_uuid' in said ? said.transaction_uuid : null
  const owner = named === null ? null : unit.withdrawalOf(named)
  const isOthers = owner !== null && owner.id !== row.id
  const evidence: Evidence = !isOthers
    ? said
    : said.kind === 'accepted'
      ? { ...said, transaction_uuid: null }
      : { kind: 'uncertain' }
  if (named !== null && !isOthers) followNamed(unit, row, named)
  const also = {
    step: 'ended',
    driver: null,
    call_ended_ms: unit.now,
    clock_offset_ms: clockOffsetMs,
    absent_scans: 0,
    checked_ms: null,
  } as const
  settleWithdrawal(unit, unit.withdrawal(row.id) ?? row, { evidence, source: 'cashier', also })
  matchOpenPayouts(unit, row.user_reference_id, clockOffsetMs)
}
