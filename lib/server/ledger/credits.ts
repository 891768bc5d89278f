import { canonical, equals, isPositive, isZero, negate, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { TransactionRow, Tx } from '../store/port.ts'
import { post } from './post-entries.ts'

/** Posts the difference between what a transaction has been credited and what it is due. */
async function creditTo(tx: Tx, row: TransactionRow, due: Decimal): Promise<void> {
  const { credited } = row
  if (equals(due, credited)) return
  const difference = subtract(due, credited)
  const gain = isPositive(difference)
  await post(
    tx,
    {
      booking: gain ? 'credit' : 'reversal',
      posting_key: `${gain ? 'credit' : 'reversal'}:${row.kind}:${row.transaction_uuid}`,
      user_reference_id: row.user_reference_id ?? '',
      currency_id: row.currency_id ?? '',
      amount: canonical(gain ? difference : negate(difference)),
    },
    gain || isZero(credited) ? null : 'credit_replaced',
  )
  await tx.transactions.setCredited(row.kind, row.transaction_uuid, due)
}

/** A deposit that may belong to another merchant replaces nothing. */
const isBooked = (row: TransactionRow): boolean =>
  row.kind === 'onramp' || row.standing === 'confirmed' || !isZero(row.credited)

/**
 * Credits a succeeded transaction of a known user and currency. An on-ramp and its deposit are one credit, of the
 * deposit's amount whichever came first (docs/api.md, "Credits"): a deposit replaces what its on-ramp was credited.
 */
export async function settleCredits(tx: Tx, row: TransactionRow): Promise<void> {
  if (row.kind === 'payout' || row.status !== 'succeeded' || row.amount === null) return
  const others = (await tx.transactions.sameTransfer(row)).filter(
    (other) => other.kind !== row.kind && other.status === 'succeeded' && isBooked(other),
  )
  const isReplaced = row.kind === 'onramp' && others.length > 0
  await creditTo(tx, row, isReplaced ? ZERO : row.amount)
  if (row.kind === 'deposit') for (const onramp of others) await creditTo(tx, onramp, ZERO)
}
