import { comparableAddress } from '#lib/addresses/index.ts'
import { canonical } from '#lib/contract/money.ts'
import type { Fact } from './facts.ts'
import type { PayoutToMatch } from './match-payout.ts'
import type { WithdrawalRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The withdrawals with a payout's details, and the values to match them by; null if the payout says too little. */
export function payoutCandidates(
  unit: UnitOfWork,
  { user_reference_id, currency_id, network, amount, to_address, status }: Fact,
  times: Pick<PayoutToMatch, 'insertedMs' | 'listedMs' | 'clockOffset'>,
): { readonly candidates: readonly WithdrawalRow[]; readonly payout: PayoutToMatch } | null {
  if (user_reference_id === null || amount === null || to_address === null) return null
  const amount_key = canonical(amount)
  const address_key = comparableAddress(network, to_address)
  return {
    candidates: unit.withdrawalsMatching({ user_reference_id, currency_id, amount_key, address_key }),
    payout: { ...times, amount_key, succeeded: status === 'succeeded', nowMs: unit.now },
  }
}
