import { canonical, equals, isPositive, isZero, negate, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import { post, postingKey } from './post-entries.ts'
import type { TransactionRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Posts the difference between the amount that a transaction is due and the amount that was credited for it. */
function creditTo(unit: UnitOfWork, row: TransactionRow, due: Decimal): void {
  const { credited } = row
  if (equals(due, credited)) return
  const difference = subtract(due, credited)
  const gain = isPositive(difference)
  const booking = gain ? 'credit' : 'reversal'
  const postings = row.postings + 1
  post(
    unit,
    {
      booking,
      posting_key: postingKey(booking, `${row.kind}:${row.transaction_uuid}`, postings),
      user_reference_id: row.user_reference_id ?? '',
      currency_id: row.currency_id ?? '',
      amount: canonical(gain ? difference : negate(difference)),
    },
    gain || isZero(credited) ? null : 'credit_replaced',
  )
  unit.putTransaction({ ...row, credited: due, postings })
}

/** A deposit that may belong to another merchant replaces no credit. */
const isBooked = (row: TransactionRow): boolean =>
  row.kind === 'onramp' || row.standing === 'confirmed' || !isZero(row.credited)

/** Stores that this deposit brought an on-ramp's coins. The link stays even if a later event changes the hash. */
function link(unit: UnitOfWork, onramp: TransactionRow, deposit: TransactionRow): TransactionRow {
  if (onramp.deposit_uuid !== null) return onramp
  const linked = { ...onramp, deposit_uuid: deposit.transaction_uuid }
  unit.putTransaction(linked)
  return linked
}

/**
 * Credits a succeeded transaction of a known user and currency. An on-ramp and its deposit are one credit of the
 * deposit's amount, whichever came first (docs/explanation/money.md, "Credits"): the deposit's credit replaces the
 * on-ramp's.
 */
export function settleCredits(unit: UnitOfWork, row: TransactionRow): void {
  if (row.kind === 'payout' || row.status !== 'succeeded' || row.amount === null) return
  const others = unit.sameTransfer(row).filter((other) => other.status === 'succeeded' && isBooked(other))
  if (row.kind === 'onramp') {
    const [deposit] = others
    creditTo(unit, deposit === undefined ? row : link(unit, row, deposit), deposit === undefined ? row.amount : ZERO)
    return
  }
  creditTo(unit, row, row.amount)
  for (const onramp of others) creditTo(unit, link(unit, onramp, row), ZERO)
}
