/** Whether the books agree with the gateway (docs/explanation/money.md, "Control totals"). */
import { add, canonical, equals, negate, subtract, sum, ZERO, type Decimal } from '#lib/contract/money.ts'
import { compareCurrencies, comparePaidOut, type NamedCurrency } from './compare.ts'
import { isFarAhead } from './long-ago.ts'
import { subjectOf } from './post-entries.ts'
import type { PayoutRow, WithdrawalRow } from './rows.ts'

/** A succeeded transaction of the user's whole list. */
export interface ListedTransfer extends NamedCurrency {
  /** Null for a record type that we do not know. */
  readonly kind: 'deposit' | 'payout' | null
  readonly transaction_uuid: string
  readonly amount: Decimal
  readonly inserted_ms: number
}

/** A posting that moves money from or to the account `gateway`. */
export interface GatewayBooking extends NamedCurrency {
  readonly currency_id: string
  readonly posting_key: string
  /** Positive if the user's money grew. */
  readonly amount: Decimal
  readonly created_ms: number
}

type PaidWithdrawal = Pick<
  WithdrawalRow,
  'id' | 'transaction_uuid' | 'amount' | 'funds' | 'currency_id' | 'currency_code' | 'network'
>

/** Whose a payout is, and what it moved. */
export type KnownPayout = Pick<
  PayoutRow,
  | 'transaction_uuid'
  | 'owner'
  | 'withdrawal_id'
  | 'unbooked'
  | 'status'
  | 'amount'
  | 'currency_id'
  | 'currency_code'
  | 'network'
>

export interface TotalsRules {
  readonly nowMs: number
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** `OVERDUE_S`: a credited purchase may wait this long for its deposit in the list. */
  readonly overdueMs: number
  /** The list may not show yet what was booked since then. */
  readonly settledBeforeMs: number
  /** The user's payouts, by `transaction_uuid`. */
  readonly payouts: ReadonlyMap<string, KnownPayout>
  /** The user's withdrawals by id. */
  readonly withdrawals: ReadonlyMap<string, PaidWithdrawal>
  /** Transactions of a user who was erased: their bookings have another name. */
  readonly erased?: ReadonlySet<string>
  /** Deposits that the merchant has booked, who kept the books then. */
  readonly merchants?: ReadonlySet<string>
}

/** A transaction about which the list and the books differ; amounts as they change the user's money. */
export interface DifferingTransaction {
  readonly kind: 'deposit' | 'payout' | 'onramp'
  readonly transaction_uuid: string | null
  readonly withdrawal_id: string | null
  readonly gateway: Decimal
  readonly ledger: Decimal
}

/** The totals of a user in one currency. */
export interface ControlTotals {
  readonly user_reference_id: string
  readonly currency_id: string
  readonly currency_code: string
  readonly network: string
  /** What the gateway took in, minus what it paid out. */
  readonly gateway: Decimal
  /** The same by our postings. */
  readonly ledger: Decimal
  /** `gateway` minus `ledger`: below zero if the books have more than the gateway holds. */
  readonly difference: Decimal
  /** Each transaction about which both differ. Two of opposite amounts do not show in `difference`. */
  readonly transactions: readonly DifferingTransaction[]
}

/** Whether a payout was acknowledged after a restore, and its user's books do not have it. */
export const isUnbooked = ({ owner, unbooked, status }: KnownPayout): boolean =>
  owner === 'acknowledged' && unbooked === 1 && status !== 'failed'

/** Both sides of one deposit, purchase, payout or withdrawal, in one currency. */
interface Item extends Omit<DifferingTransaction, 'gateway' | 'ledger'> {
  gateway: Decimal
  ledger: Decimal
  isListed: boolean
  bookedMs: number
}

interface Group {
  readonly currency: NamedCurrency & { readonly currency_id: string }
  readonly items: Map<string, Item>
}

const newItem = (kind: Item['kind'], transaction_uuid: string | null, withdrawal_id: string | null): Item => ({
  ...{ kind, transaction_uuid, withdrawal_id },
  ...{ gateway: ZERO, ledger: ZERO, isListed: false, bookedMs: 0 },
})

/** Groups amounts by currency. A currency whose id has changed is one currency, under the id of its first booking. */
class Groups {
  readonly all: Group[] = []
  readonly #ids = new Set<string>()

  #of(currency: NamedCurrency): Group {
    const found = this.all.find((group) => compareCurrencies(group.currency, currency) === 'agree')
    if (found !== undefined) return found
    const { currency_id: id, currency_code, network } = currency
    // An id that has another currency already: the totals of both are stored.
    const currency_id = id !== null && !this.#ids.has(id) ? id : `${id ?? ''} (${currency_code}, ${network})`
    this.#ids.add(currency_id)
    const group: Group = { currency: { currency_id, currency_code, network }, items: new Map() }
    this.all.push(group)
    return group
  }

  item(currency: NamedCurrency, subject: string, empty: () => Item): Item {
    const { items } = this.#of(currency)
    const item = items.get(subject) ?? empty()
    items.set(subject, item)
    return item
  }
}

const emptyItemOf = (subject: string, withdrawals: TotalsRules['withdrawals']): Item => {
  const at = subject.indexOf(':')
  const kind = subject.slice(0, at)
  if (at > 0 && (kind === 'deposit' || kind === 'onramp')) return newItem(kind, subject.slice(at + 1), null)
  return newItem('payout', withdrawals.get(subject)?.transaction_uuid ?? null, subject)
}

/** @returns the subjects of all postings */
function addBookings(
  groups: Groups,
  bookings: readonly GatewayBooking[],
  { withdrawals }: TotalsRules,
): ReadonlySet<string> {
  const subjects = new Set<string>()
  for (const booking of bookings) {
    const subject = subjectOf(booking.posting_key)
    subjects.add(subject)
    const item = groups.item(booking, subject, () => emptyItemOf(subject, withdrawals))
    item.ledger = add(item.ledger, booking.amount)
    item.bookedMs = Math.max(item.bookedMs, booking.created_ms)
  }
  return subjects
}

/** What counts as paid for a withdrawal: what it debits, unless the difference is more than a fee. */
const paidFor = ({ amount: debited }: PaidWithdrawal, paid: Decimal): Decimal =>
  comparePaidOut(paid, debited) === 'differ' ? paid : debited

/** A payout in another currency than its withdrawal counts by itself, and the withdrawal has none. */
function addPayout(groups: Groups, record: ListedTransfer, { payouts, withdrawals }: TotalsRules): void {
  const { owner = null, withdrawal_id = null } = payouts.get(record.transaction_uuid) ?? {}
  if (owner === 'acknowledged' || owner === 'before') return
  const withdrawal = withdrawals.get(withdrawal_id ?? '')
  // The merchant kept the books of this withdrawal.
  if (withdrawal?.funds === 'none') return
  const debits = withdrawal !== undefined && compareCurrencies(withdrawal, record) !== 'differ' ? withdrawal : null
  const item = groups.item(debits ?? record, debits?.id ?? `payout:${record.transaction_uuid}`, () =>
    newItem('payout', record.transaction_uuid, withdrawal?.id ?? null),
  )
  item.gateway = subtract(item.gateway, debits === null ? record.amount : paidFor(debits, record.amount))
  item.isListed = true
}

/** Adds payouts that a person acknowledged after a restore. The list may not call them succeeded yet. */
function addUnbooked(groups: Groups, { payouts }: TotalsRules): void {
  for (const payout of payouts.values()) {
    const { transaction_uuid, amount } = payout
    if (!isUnbooked(payout) || amount === null) continue
    const item = groups.item(payout, `payout:${transaction_uuid}`, () => newItem('payout', transaction_uuid, null))
    item.gateway = subtract(item.gateway, amount)
    item.isListed = true
  }
}

/** What a record is; of an unknown type, what was booked for it or whose payout it is. Null: nothing is known. */
function kindOf(
  { kind, transaction_uuid }: ListedTransfer,
  subjects: ReadonlySet<string>,
  { payouts }: TotalsRules,
): Item['kind'] | null {
  if (kind !== null) return kind
  if (payouts.has(transaction_uuid)) return 'payout'
  return (['deposit', 'onramp'] as const).find((one) => subjects.has(`${one}:${transaction_uuid}`)) ?? null
}

function addRecords(
  groups: Groups,
  records: readonly ListedTransfer[],
  subjects: ReadonlySet<string>,
  rules: TotalsRules,
): void {
  for (const record of records) {
    if (rules.erased?.has(record.transaction_uuid) === true) continue
    const kind = kindOf(record, subjects, rules)
    if (kind === 'deposit' && rules.merchants?.has(record.transaction_uuid) === true) continue
    if (kind === 'payout') {
      if (
        record.inserted_ms >= rules.ledgerStartMs ||
        rules.payouts.get(record.transaction_uuid)?.owner === 'withdrawal'
      )
        addPayout(groups, record, rules)
    } else if (kind !== null && record.inserted_ms >= rules.ledgerStartMs) {
      const { transaction_uuid } = record
      const item = groups.item(record, `${kind}:${transaction_uuid}`, () => newItem(kind, transaction_uuid, null))
      item.gateway = add(item.gateway, record.amount)
      item.isListed = true
    }
  }
}

/** Whether the list may still come to say what the books say. */
const mayFollow = ({ kind, isListed, bookedMs }: Item, { nowMs, overdueMs, settledBeforeMs }: TotalsRules): boolean =>
  !isFarAhead(bookedMs, nowMs) &&
  (bookedMs >= settledBeforeMs || (kind === 'onramp' && !isListed && nowMs - bookedMs < overdueMs))

function totalsOf(user_reference_id: string, { currency, items }: Group, rules: TotalsRules): ControlTotals {
  const counted = [...items.values()].filter((item) => equals(item.gateway, item.ledger) || !mayFollow(item, rules))
  const gateway = canonical(sum(counted.map((item) => item.gateway)))
  const ledger = canonical(sum(counted.map((item) => item.ledger)))
  const difference = canonical(subtract(gateway, ledger))
  const transactions = counted
    .filter((item) => !equals(item.gateway, item.ledger))
    .map(({ kind, transaction_uuid, withdrawal_id, ...item }) => ({
      ...{ kind, transaction_uuid, withdrawal_id },
      ...{ gateway: canonical(item.gateway), ledger: canonical(item.ledger) },
    }))
  return { user_reference_id, ...currency, gateway, ledger, difference, transactions }
}

/**
 * Compares what the gateway says it took in and paid out for a user with the ledger's account of the gateway, by
 * currency.
 * @param records the succeeded records of the user's whole list
 * @param bookings in the order in which they were booked
 */
export function compareTotals(
  user: string,
  records: readonly ListedTransfer[],
  bookings: readonly GatewayBooking[],
  rules: TotalsRules,
): readonly ControlTotals[] {
  const groups = new Groups()
  const subjects = addBookings(groups, bookings, rules)
  addRecords(groups, records, subjects, rules)
  addUnbooked(groups, rules)
  return groups.all.map((group) => totalsOf(user, group, rules))
}

/** The change of the user's money by a posting from or to the account `gateway`. */
export const gatewayAmount = (amount: Decimal, from: string): Decimal => (from === 'gateway' ? amount : negate(amount))
