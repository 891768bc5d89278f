import { canonical, equals, isPositive, isZero, negate, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { TransactionRow, Tx } from '../store/port.ts'
import { book } from './book.ts'

/** Books the difference between what a row has been credited and what it is due. */
async function creditTo(tx: Tx, row: TransactionRow, due: Decimal): Promise<void> {
  const credited = row.credited as Decimal
  if (equals(due, credited)) return
  const difference = subtract(due, credited)
  const gain = isPositive(difference)
  await book(
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
  await tx.transactions.setCredited(row.kind as 'deposit' | 'onramp', row.transaction_uuid, due)
}

/**
 * Credits a row of a known user and currency that has succeeded. An on-ramp and its deposit are one credit, of the
 * deposit's amount whichever came first (contract section 6): a deposit takes back what its on-ramp was credited.
 */
export async function settleCredits(tx: Tx, row: TransactionRow): Promise<void> {
  if (row.kind === 'payout' || row.status !== 'succeeded' || row.amount === null) return
  const others = (await tx.transactions.sameTransfer(row)).filter(
    (other) => other.kind !== row.kind && other.status === 'succeeded',
  )
  const isReplaced = row.kind === 'onramp' && others.length > 0
  await creditTo(tx, row, isReplaced ? ZERO : (row.amount as Decimal))
  if (row.kind === 'deposit') for (const onramp of others) await creditTo(tx, onramp, ZERO)
}
