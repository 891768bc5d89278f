/** The data that the history shows for each transaction, grouped by days. */
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { withFiatDigits } from '#lib/i18n/fiat-digits.ts'
import { withoutTrailingZeros } from '#lib/i18n/short-decimal.ts'
import { dayKey, type Zone } from '#lib/i18n/time-format.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { statusDisplay, transactionKind, type StatusDisplay } from './status-display.ts'

export interface SignedAmount {
  readonly value: string
  readonly code: string
  readonly sign?: '+' | '\u2212'
}

export interface HistoryItem {
  readonly key: string
  readonly node: TransactionNode
  /** Null for a type that this version does not know: the row shows the type's name and no sign. */
  readonly kind: TransactionKind | null
  /** The main amount. While a purchase's crypto amount is unknown, it is the price, without a sign. */
  readonly amount: SignedAmount
  /** The price of a completed purchase. */
  readonly paid: SignedAmount | null
  readonly display: StatusDisplay
}

const SIGNS: Readonly<Record<TransactionKind, '+' | '\u2212'>> = { deposit: '+', payout: '\u2212', onramp: '+' }
const KNOWN_TYPES: readonly string[] = ['deposit', 'payout']

const isZero = (amount: string): boolean => !/[1-9]/.test(amount)

export function historyItem(node: TransactionNode): HistoryItem {
  const kind = transactionKind(node)
  const known = kind === 'onramp' || KNOWN_TYPES.includes(node.type.toLowerCase())
  const crypto = { value: withoutTrailingZeros(node.amount), code: node.currency.code }
  const price =
    node.from_amount && node.from_currency
      ? { value: withFiatDigits(node.from_amount, node.from_currency), code: node.from_currency }
      : null
  return {
    key: node.transaction_uuid ?? node.withdrawal_id ?? node.session_reference ?? node.inserted_at,
    node,
    kind: known ? kind : null,
    amount: price && isZero(node.amount) ? price : { ...crypto, ...(known && { sign: SIGNS[kind] }) },
    paid: node.cashier_status === 'succeeded' ? price : null,
    display: statusDisplay(kind, node.cashier_status, node.failure_reason, node.wait?.awaits_decision === false),
  }
}

/**
 * The same transaction in a later list. A withdrawal has its transaction's id late, and a purchase gets that of its
 * deposit.
 */
export function findAgain(items: readonly HistoryItem[], { key, node }: HistoryItem): HistoryItem | null {
  const isSame = (other: TransactionNode): boolean =>
    (node.withdrawal_id !== undefined && node.withdrawal_id === other.withdrawal_id) ||
    (node.session_reference !== undefined && node.session_reference === other.session_reference)
  return items.find((one) => one.key === key) ?? items.find((one) => isSame(one.node)) ?? null
}

export interface HistoryDay {
  /** `2026-11-20`, in the user's zone. */
  readonly day: string
  readonly iso: string
  readonly items: readonly HistoryItem[]
}

/** Groups consecutive items of one day, in the order of the list. */
export function historyDays(items: readonly HistoryItem[], zone: Zone): HistoryDay[] {
  const days: { day: string; iso: string; items: HistoryItem[] }[] = []
  for (const item of items) {
    const iso = item.node.inserted_at
    const day = dayKey(iso, zone)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, iso, items: [item] })
  }
  return days
}
