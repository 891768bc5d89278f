import { canonical, equals, isPositive, isZero, negate, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import { coveredPurchases, isNamedAlike } from './covered-purchases.ts'
import { post, postingKey } from './post-entries.ts'
import type { TransactionRow } from './rows.ts'
import { isSameHash } from './same-transfer.ts'
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

const hasSucceeded = (row: TransactionRow): row is Succeeded =>
  row.status === 'succeeded' && row.amount !== null && isBooked(row)

type Succeeded = TransactionRow & { readonly amount: Decimal }

/** Whether the ledger has decided about this purchase before: it was credited, or a deposit stood for it. */
const wasSettled = (row: TransactionRow): boolean =>
  row.onramp_session_id !== null && (row.postings > 0 || row.deposit_uuid !== null)

/**
 * The deposit that brought a purchase's coins. The gateway names it, or the hash does. A deposit that was found by a
 * hash which a later event replaced stays.
 */
function depositOf(unit: UnitOfWork, purchase: TransactionRow, covered: boolean): string | null {
  const deposits = unit.sameTransfer(purchase).filter(hasSucceeded)
  const named = deposits.find((deposit) => isNamedAlike(purchase, deposit))
  if (named !== undefined) return named.transaction_uuid
  const byHash = deposits.filter((deposit) => isSameHash(purchase, deposit)).map((row) => row.transaction_uuid)
  const { deposit_uuid } = purchase
  if (deposit_uuid !== null && (covered || !byHash.includes(deposit_uuid))) return deposit_uuid
  return covered ? (byHash[0] ?? null) : null
}

/**
 * Credits a succeeded transaction of a known user and currency. A purchase and its deposit are one credit of the
 * deposit's amount, whichever came first (docs/explanation/money.md, "Credits"): the deposit's credit replaces the
 * purchase's. Other purchases with the same hash are decided anew.
 */
export function settleCredits(unit: UnitOfWork, row: TransactionRow): void {
  if (row.kind === 'payout' || !hasSucceeded(row)) return
  if (row.kind === 'deposit') creditTo(unit, row, row.amount)
  const transfers = [row, ...unit.sameHash(row)].filter(hasSucceeded)
  const purchases = transfers.filter((one) => one.kind === 'onramp' && (one === row || wasSettled(one)))
  const covered = coveredPurchases(
    purchases,
    transfers.filter(({ kind }) => kind === 'deposit'),
  )
  const others = row.kind === 'deposit' ? unit.sameTransfer(row).filter(hasSucceeded) : []
  for (const purchase of new Set([...purchases, ...others])) {
    // A purchase that the ledger has not decided about is only linked: it is not ours, or the merchant kept the books.
    const isOpen = purchases.includes(purchase)
    const deposit_uuid = depositOf(unit, purchase, !isOpen || covered.has(purchase.onramp_session_id))
    const linked = { ...purchase, deposit_uuid }
    if (deposit_uuid !== purchase.deposit_uuid) unit.putTransaction(linked)
    creditTo(unit, linked, deposit_uuid === null ? purchase.amount : ZERO)
  }
}
