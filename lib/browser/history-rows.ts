/** The history's rows: what each is called, and the days they fall into. */
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { dayKey, type Zone } from '#lib/i18n/time-format.ts'
import { kindOf, STATUS_LOOKS, type StatusLook, type TransactionKind } from './transaction-status.ts'

export interface Money {
  readonly value: string
  readonly code: string
  readonly sign?: '+' | '\u2212'
}

export interface HistoryRow {
  readonly key: string
  readonly node: TransactionNode
  /** Null for a type that this version does not know: it is shown by its own name, and claims no direction. */
  readonly kind: TransactionKind | null
  /** What the row is about. A purchase whose coins are not known yet is about what is to be paid, and claims no sign. */
  readonly money: Money
  /** What a purchase took, once it did. */
  readonly paid: Money | null
  readonly look: StatusLook
}

const SIGNS = { deposit: '+', payout: '\u2212', onramp: '+' } as const
const KNOWN_TYPES: readonly string[] = ['deposit', 'payout']

const isZero = (amount: string): boolean => !/[1-9]/.test(amount)

export function historyRow(node: TransactionNode): HistoryRow {
  const kind = kindOf(node)
  const known = kind === 'onramp' || KNOWN_TYPES.includes(node.type.toLowerCase())
  const coins = { value: node.amount, code: node.currency.code }
  const price = node.from_amount && node.from_currency ? { value: node.from_amount, code: node.from_currency } : null
  return {
    key: node.transaction_uuid ?? node.withdrawal_id ?? node.session_reference ?? node.inserted_at,
    node,
    kind: known ? kind : null,
    money: price && isZero(node.amount) ? price : { ...coins, ...(known && { sign: SIGNS[kind] }) },
    paid: node.cashier_status === 'succeeded' ? price : null,
    look: STATUS_LOOKS[kind][node.cashier_status],
  }
}

export interface HistoryDay {
  /** `2026-11-20`, in the reader's zone. */
  readonly day: string
  readonly iso: string
  readonly rows: readonly HistoryRow[]
}

/** Consecutive rows of one day together, in the order of the list. */
export function historyDays(rows: readonly HistoryRow[], zone: Zone): HistoryDay[] {
  const days: { day: string; iso: string; rows: HistoryRow[] }[] = []
  for (const row of rows) {
    const iso = row.node.inserted_at
    const day = dayKey(iso, zone)
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(row)
    else days.push({ day, iso, rows: [row] })
  }
  return days
}
