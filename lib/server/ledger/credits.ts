import {
  canonical,
  compare,
  equals,
  isNegative,
  isPositive,
  isZero,
  negate,
  subtract,
  sum,
  ZERO,
  type Decimal,
} from '#lib/contract/money.ts'
import { coveredPurchases, isNamedAlike } from './covered-purchases.ts'
import { contradicted, disputeLine, reportDispute } from './disputes.ts'
import { times } from './compare.ts'
import { post, postingKey } from './post-entries.ts'
import type { Correction } from './quarantine-set.ts'
import type { TransactionRow } from './rows.ts'
import { isSameHash } from './same-transfer.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * Posts the difference between the amount that a transaction is due and the amount that was credited for it. A person who
 * was told of the transfer before, and has corrected the balance, is told.
 */
function creditTo(unit: UnitOfWork, row: TransactionRow, due: Decimal, evidence: string): void {
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
  const others = unit.transfers.isAlone(row) ? [] : [...unit.transfers.same(row), ...unit.transfers.sameHash(row)]
  const transfer = [row, ...others]
  unit.quarantineIfCorrected({
    about: transfer.map(({ transaction_uuid }) => transaction_uuid),
    line: disputeLine('contradiction', row, () => contradicted(row, evidence)),
    booked: correctionOf(row, [difference, ...transfer.flatMap(({ amount, credited: had }) => [amount, had])]),
  })
}

/**
 * A deposit that may belong to another merchant replaces no credit. A deposit from before `LEDGER_START` takes its
 * purchase's credit away, and brings none itself.
 */
const isBooked = (row: TransactionRow): boolean =>
  row.kind === 'onramp' || row.standing === 'confirmed' || row.standing === 'before' || !isZero(row.credited)

const hasSucceeded = (row: TransactionRow): row is Succeeded =>
  row.status === 'succeeded' && row.amount !== null && isBooked(row)

type Succeeded = TransactionRow & { readonly amount: Decimal }

/** Whether the ledger has decided about this purchase before: it was credited, or a deposit stood for it. */
const wasSettled = (row: TransactionRow): boolean =>
  row.onramp_session_id !== null && (row.postings > 0 || row.deposit_uuid !== null)

/**
 * The deposit that brought a purchase's coins. The gateway names it, or the hash does. A deposit that was found by a
 * hash which a later event replaced stays, unless its key names another session.
 */
function depositOf(unit: UnitOfWork, purchase: TransactionRow, covered: boolean): string | null {
  const deposits = unit.transfers.same(purchase).filter(hasSucceeded)
  const named = deposits.find((deposit) => isNamed(unit, purchase, deposit))
  if (named !== undefined) return named.transaction_uuid
  const byHash = deposits.filter((deposit) => isSameHash(purchase, deposit)).map((row) => row.transaction_uuid)
  const linked = purchase.deposit_uuid === null ? null : unit.transaction('deposit', purchase.deposit_uuid)
  const deposit_uuid =
    linked !== null && unit.transfers.isOfOtherSession(purchase, linked) ? null : purchase.deposit_uuid
  if (deposit_uuid !== null && (covered || !byHash.includes(deposit_uuid))) return deposit_uuid
  return covered ? (byHash[0] ?? null) : null
}

/** Whether the gateway itself says that the deposit is this purchase's. */
const isNamed = (unit: UnitOfWork, purchase: TransactionRow, deposit: TransactionRow): boolean =>
  isNamedAlike(purchase, deposit) ||
  (purchase.onramp_session_id !== null && unit.transfers.sessionByKey(deposit) === purchase.onramp_session_id)

const totalOf = (rows: readonly Succeeded[]): Decimal => sum(rows.map(({ amount }) => amount))

/** Over 5% less. */
export const isMuchLess = (arrived: Decimal, bought: Decimal): boolean =>
  compare(times(20, arrived), times(19, bought)) < 0

/** How the event of a line ends that tells of much less: what is missing may still come. */
export const LESS = ',"less":true}'

/** What a person may have credited by hand who did not wait for a booking; null if nothing is known of it. */
export function correctionOf(
  { currency_id }: Pick<TransactionRow, 'currency_id'>,
  amounts: readonly (Decimal | null | undefined)[],
): Correction | null {
  const known = amounts.flatMap((amount) => amount ?? [])
  return currency_id === null || known.length === 0 ? null : { currency_id, amounts: known }
}

/** What has come of a purchase of which much less had arrived. */
interface Rest {
  readonly news: TransactionRow
  /** The message that told it, as text. */
  readonly evidence: string
  /** What was missing before. */
  readonly missing: Decimal | undefined
}

/** What was missing of a purchase has come. A person who has dismissed the line, or credited as much, is told. */
export const endLess = (unit: UnitOfWork, purchase: TransactionRow, { evidence, news, missing }: Rest): void =>
  unit.settleReport('contradiction', purchase.transaction_uuid, LESS, {
    line: disputeLine('contradiction', purchase, () => contradicted(purchase, evidence)),
    booked: correctionOf(news, [news.amount, missing]),
  })

/** A purchase, and the deposit that stands for it. */
interface Link {
  readonly purchase: Succeeded
  readonly deposit: Succeeded
}

/**
 * The purchases for which much less arrived, by their uuids, and how much is missing. Purchases and deposits with one
 * hash are compared by their sums, since a deposit may bring several purchases.
 */
function muchLess(
  unit: UnitOfWork,
  links: readonly Link[],
  arrived: readonly Succeeded[],
): ReadonlyMap<string, Decimal> {
  const uuids = new Set(arrived.map(({ transaction_uuid }) => transaction_uuid))
  const isTogether = ({ purchase, deposit }: Link): boolean =>
    uuids.has(deposit.transaction_uuid) && !isNamed(unit, purchase, deposit)
  const bought = totalOf(links.filter(isTogether).map(({ purchase }) => purchase))
  return new Map(
    links.flatMap((link): readonly (readonly [string, Decimal])[] => {
      const [came, wanted] = isTogether(link) ? [totalOf(arrived), bought] : [link.deposit.amount, link.purchase.amount]
      return isMuchLess(came, wanted) ? [[link.purchase.transaction_uuid, subtract(wanted, came)]] : []
    }),
  )
}

/**
 * The deposit under the id of its currency that its credit has. Of a purchase that was credited under an earlier id, and
 * whose coins were spent, that id stays: under the new one they could be spent again.
 */
function underSpentId(unit: UnitOfWork, deposit: Succeeded): Succeeded {
  const isSpent = ({ user_reference_id: user, currency_id: id, credited }: TransactionRow): boolean =>
    user !== null &&
    id !== null &&
    id !== deposit.currency_id &&
    !isZero(credited) &&
    compare(unit.balance(user, id).available, credited) < 0
  const purchase = isZero(deposit.credited) ? unit.transfers.same(deposit).find(isSpent) : undefined
  return purchase === undefined ? deposit : { ...deposit, currency_id: purchase.currency_id }
}

/**
 * Reports a purchase whose credit was taken back for its deposit's, although the user had spent it: they have had more
 * than arrived. `before` is the purchase as it was credited.
 */
function reportSpent(unit: UnitOfWork, before: Succeeded, { deposit_uuid }: Succeeded, evidence: string): void {
  const { user_reference_id: user, currency_id: id } = before
  if (deposit_uuid === null || isZero(before.credited) || user === null || id === null) return
  const { available } = unit.balance(user, id)
  if (!isNegative(available)) return
  const ending = `,"available":${JSON.stringify(available)}}`
  reportDispute(unit, 'contradiction', before, contradicted(before, evidence, ending))
}

export interface CreditOptions {
  /** The message as text. */
  readonly evidence: string
  /** A person has asked for it. */
  readonly evenIfImplausible?: boolean
}

/**
 * Credits a succeeded transaction of a known user and currency. A purchase and its deposit are one credit of the
 * deposit's amount, whichever came first (docs/explanation/money.md, "Credits"): the deposit's credit replaces the
 * purchase's, and a person is told if it is much less, or if the purchase's was spent. Other purchases with the same
 * hash are decided anew.
 */
export function settleCredits(
  unit: UnitOfWork,
  row: TransactionRow,
  { evidence, evenIfImplausible = false }: CreditOptions,
): void {
  if (row.kind === 'payout' || !hasSucceeded(row)) return
  if (row.kind === 'deposit') {
    // Most deposits have nothing to do with a purchase.
    const isAlone = unit.transfers.isAlone(row)
    creditTo(unit, isAlone ? row : underSpentId(unit, row), row.standing === 'before' ? ZERO : row.amount, evidence)
    if (isAlone) return
  }
  const transfers = [row, ...unit.transfers.sameHash(row)].filter(hasSucceeded)
  const deposits = transfers
    .filter(({ kind }) => kind === 'deposit')
    .map((deposit) => ({ ...deposit, onramp_session_id: unit.transfers.sessionByKey(deposit) }))
  const purchases = transfers.filter((one) => one.kind === 'onramp' && (one === row || wasSettled(one)))
  const covered = coveredPurchases(purchases, deposits)
  const others = row.kind === 'deposit' ? unit.transfers.same(row).filter(hasSucceeded) : []
  const decided = [...new Set([...purchases, ...others])]
  const linksOf = (rows: readonly Succeeded[]): readonly Link[] =>
    rows.flatMap((purchase) => {
      const deposit = purchase.deposit_uuid === null ? null : unit.transaction('deposit', purchase.deposit_uuid)
      return deposit !== null && hasSucceeded(deposit) ? [{ purchase, deposit }] : []
    })
  const after = decided.map((purchase): Succeeded => {
    // A purchase that the ledger has not decided about is only linked: it is not ours, or the merchant kept the books.
    const isOpen = purchases.includes(purchase)
    const deposit_uuid = depositOf(unit, purchase, !isOpen || covered.has(purchase.onramp_session_id))
    const linked = { ...purchase, deposit_uuid }
    if (deposit_uuid !== purchase.deposit_uuid) unit.putTransaction(linked)
    creditTo(unit, linked, deposit_uuid === null ? purchase.amount : ZERO, evidence)
    return linked
  })
  if (evenIfImplausible) return
  const isOurs = (purchase: Succeeded): boolean =>
    wasSettled(purchase) || (row.kind === 'onramp' && purchase.transaction_uuid === row.transaction_uuid)
  const keyless = deposits.filter(({ onramp_session_id }) => onramp_session_id === null)
  const wasBooked = ({ transaction_uuid }: Succeeded): boolean =>
    transaction_uuid !== row.transaction_uuid || !isZero(row.credited)
  const lessBefore = muchLess(unit, linksOf(decided.filter(isOurs)), keyless.filter(wasBooked))
  const lessNow = muchLess(unit, linksOf(after.filter(isOurs)), keyless)
  for (const { purchase, deposit } of linksOf(after)) {
    if (lessNow.has(purchase.transaction_uuid) && !lessBefore.has(purchase.transaction_uuid)) {
      const stands = row.kind === 'deposit' ? purchase : deposit
      reportDispute(unit, 'contradiction', purchase, contradicted(stands, evidence, LESS))
    }
  }
  for (const [at, purchase] of after.entries())
    if (!lessNow.has(purchase.transaction_uuid)) reportSpent(unit, decided[at] ?? purchase, purchase, evidence)
  for (const purchase of after) {
    const missing = lessBefore.get(purchase.transaction_uuid)
    if (missing !== undefined && !lessNow.has(purchase.transaction_uuid))
      endLess(unit, purchase, { evidence, news: row, missing })
  }
}
