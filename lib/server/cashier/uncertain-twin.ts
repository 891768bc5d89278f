import { Problem } from '#lib/contract/problems.ts'
import { compareAddresses, compareAmounts, compareCurrencies, surelyAgrees } from '../ledger/compare.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { isShownPaid } from '../ledger/payouts/match-payout.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { WithdrawalRow } from '../store/types.ts'

/** Nobody knows yet whether the gateway has made its payout. */
const isUncertain = ({ status, step }: WithdrawalRow): boolean => status === 'unknown' || step === 'calling'

/**
 * True if a withdrawal of the same user, currency, amount and address is `unknown`, or its call is under way: a second
 * one might pay twice (docs/explanation/money.md, "Same withdrawal again"). The unit has loaded the user's attempts.
 */
export const hasUncertainTwin = (unit: UnitOfWork, withdrawal: WithdrawalRow): boolean =>
  unit
    .withdrawalsOf(withdrawal.user_reference_id)
    .some(
      (other) =>
        other.id !== withdrawal.id &&
        isUncertain(other) &&
        surelyAgrees(
          compareCurrencies(other, withdrawal),
          compareAmounts(other, withdrawal),
          compareAddresses(withdrawal.network, other.wallet_address, withdrawal.wallet_address),
        ),
    )

/** @throws Problem `outcome_unknown` while there is such a withdrawal */
export function refuseUncertainTwin(unit: UnitOfWork, withdrawal: WithdrawalRow): void {
  if (hasUncertainTwin(unit, withdrawal))
    throw new Problem(
      'outcome_unknown',
      'The same withdrawal was requested before and is not confirmed yet. It is being checked.',
    )
}

/**
 * A withdrawal that waits may have been paid before a restore that nobody announced.
 * @throws Problem `outcome_unknown` while a payout that nobody owns has its details
 */
export function refuseShownPaid(unit: UnitOfWork, withdrawal: WithdrawalRow, offset: ClockOffset): void {
  if (unit.openPayouts(withdrawal.user_reference_id).some((payout) => isShownPaid(withdrawal, payout, offset)))
    throw new Problem(
      'outcome_unknown',
      'The gateway shows a payout with these details that belongs to no withdrawal. A person says whose it is first.',
    )
}
