import type { Decimal } from '#lib/contract/money.ts'
import { caughtBy, needsPerson, type WithdrawalRules } from '../ledger/withdrawal-rules.ts'
import type { PendingWithdrawal, Tx } from '../store/types.ts'
import { addressId } from './sent-addresses.ts'

const HOUR_MS = 3_600_000

interface NewWithdrawal {
  readonly user: string
  readonly network: string
  readonly address: string
  readonly amount: Decimal
}

/** What a withdrawal waits for. */
export type Caught = Pick<PendingWithdrawal, 'review' | 'wait_until_ms' | 'early_decision'>

/** Whether no withdrawal of the user to this address has succeeded, in whatever spelling. */
async function isNew(tx: Pick<Tx, 'withdrawals'>, { user, network, address }: NewWithdrawal): Promise<boolean> {
  const own = addressId(network, address)
  const paid = await tx.withdrawals.paidAddresses(user)
  return !paid.some((one) => addressId(one.network, one.wallet_address) === own)
}

/**
 * What the rules say about a new withdrawal; null if it may be sent at once. Call it in the transaction that records the
 * withdrawal, with its user locked: two at once are then judged one after the other.
 */
export async function holdBack(
  tx: Pick<Tx, 'withdrawals' | 'reconciliation' | 'now'>,
  rules: WithdrawalRules,
  withdrawal: NewWithdrawal,
): Promise<Caught | null> {
  const { review_new_address, review_more_than: most, wait_for_new_address_s: waitS } = rules
  const before =
    most === undefined ? 0 : await tx.withdrawals.countSince(withdrawal.user, tx.now - most.hours * HOUR_MS)
  const names = caughtBy(rules, {
    amount: withdrawal.amount,
    isNewAddress: (review_new_address !== undefined || waitS !== undefined) && (await isNew(tx, withdrawal)),
    count: before + 1,
  })
  if (names.length === 0) return null
  const waits = waitS !== undefined && names.includes('wait_for_new_address')
  return {
    review: JSON.stringify(names),
    wait_until_ms: waits ? (await tx.reconciliation.nowMs()) + waitS * 1000 : null,
    early_decision: needsPerson(names) ? null : 'approve',
  }
}
