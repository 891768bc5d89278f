import { canonical, equals, isPositive, isZero, negate, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { TransactionRow, Tx } from '../store/port.ts'
import { book } from './book.ts'

/** What a transfer's rows should have credited, by row: each deposit its amount; an on-ramp only where no deposit came. */
function creditsDue(rows: readonly TransactionRow[]): ReadonlyMap<TransactionRow, Decimal> {
  const deposits = rows.filter((row) => row.kind === 'deposit' && row.status === 'succeeded')
  const covered = (onramp: TransactionRow): boolean =>
    deposits.some(
      (deposit) =>
        deposit.transaction_uuid === onramp.transaction_uuid ||
        (deposit.correlation_key !== null && deposit.correlation_key === onramp.correlation_key) ||
        (deposit.tx_hash_key !== null && deposit.tx_hash_key === onramp.tx_hash_key),
    )
  return new Map(
    rows.map((row) => {
      const due = row.status === 'succeeded' && !(row.kind === 'onramp' && covered(row))
      return [row, due && row.amount !== null ? (row.amount as Decimal) : ZERO]
    }),
  )
}

/**
 * The rows that are one transfer with this one: same user and currency, and the same hash, or the same uuid or
 * correlation key (the list may show an on-ramp's deposit before it has a hash).
 */
async function transferOf(tx: Tx, row: TransactionRow): Promise<readonly TransactionRow[]> {
  const { user_reference_id: user, currency_id: currency } = row
  if (user === null || currency === null || row.kind === 'payout') return []
  const byHash = row.tx_hash_key === null ? [] : await tx.transactions.sameTransfer(user, currency, row.tx_hash_key)
  const named = [
    ...(await tx.transactions.byUuid(row.transaction_uuid)),
    ...(row.correlation_key === null ? [] : await tx.transactions.byCorrelation(row.correlation_key)),
  ].filter((other) => other.kind !== 'payout' && other.user_reference_id === user && other.currency_id === currency)
  const known = new Map([...byHash, ...named].map((other) => [`${other.kind}:${other.transaction_uuid}`, other]))
  return [...known.values()]
}

/**
 * Books what the transfer of this row is due and has not been credited, or takes back an on-ramp's credit that its
 * deposit replaces (contract section 6: one credit, of the deposit's amount, whichever came first).
 */
export async function settleCredits(tx: Tx, row: TransactionRow): Promise<void> {
  for (const [part, due] of creditsDue(await transferOf(tx, row))) {
    const credited = part.credited as Decimal
    if (equals(due, credited)) continue
    const difference = subtract(due, credited)
    const gain = isPositive(difference)
    await book(
      tx,
      {
        booking: gain ? 'credit' : 'reversal',
        posting_key: `${gain ? 'credit' : 'reversal'}:${part.kind}:${part.transaction_uuid}`,
        user_reference_id: part.user_reference_id ?? '',
        currency_id: part.currency_id ?? '',
        amount: canonical(gain ? difference : negate(difference)),
      },
      gain || isZero(credited) ? null : 'credit_replaced',
    )
    await tx.transactions.setCredited(part.kind as 'deposit' | 'onramp', part.transaction_uuid, due)
  }
}
