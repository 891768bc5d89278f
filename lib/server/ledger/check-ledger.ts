import { add, canonical, equals, isNegative, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { Store } from '../store/port.ts'

export interface LedgerReport {
  readonly ok: boolean
  /** One line for each fault: what does not agree, for whom. */
  readonly faults: readonly string[]
  /** Negative balances that the rules allow, by their reason; counted apart. */
  readonly allowedOverdrafts: Readonly<Record<string, number>>
  readonly postings: number
  readonly balances: number
}

const totalBy = <T>(
  items: readonly T[],
  key: (item: T) => string,
  amount: (item: T) => Decimal,
): ReadonlyMap<string, Decimal> => {
  const totals = new Map<string, Decimal>()
  for (const item of items) totals.set(key(item), add(totals.get(key(item)) ?? ZERO, amount(item)))
  return totals
}

/**
 * The invariants of the ledger, over everything in the store: each posting sums to zero; each balance is what its
 * entries say; what is held is what open withdrawals hold; nothing available is below zero but where the rules allow
 * it (`late_payout`, `credit_replaced`).
 */
export async function checkLedger(store: Pick<Store, 'transaction'>): Promise<LedgerReport> {
  return store.transaction(async (tx) => {
    const entries = await tx.ledger.entries()
    const balances = await tx.ledger.allBalances()
    const open = await tx.ledger.heldByWithdrawals()
    const faults: string[] = []

    const postings = totalBy(
      entries,
      (entry) => entry.posting_key,
      (entry) => entry.amount,
    )
    for (const [key, total] of postings) if (!equals(total, ZERO)) faults.push(`posting ${key} sums to ${total}`)

    const accounts = totalBy(
      entries,
      (entry) => `${entry.user_reference_id} ${entry.currency_id} ${entry.account}`,
      (entry) => entry.amount,
    )
    const holds = totalBy(
      open,
      (row) => `${row.user_reference_id} ${row.currency_id}`,
      (row) => row.amount,
    )
    const known = new Set<string>()
    const allowedOverdrafts: Record<string, number> = {}
    for (const balance of balances) {
      const owner = `${balance.user_reference_id} ${balance.currency_id}`
      known.add(owner)
      const booked = { available: accounts.get(`${owner} available`), held: accounts.get(`${owner} held`) }
      if (!equals(booked.available ?? ZERO, balance.available))
        faults.push(`${owner}: available ${balance.available}, entries say ${booked.available ?? ZERO}`)
      if (!equals(booked.held ?? ZERO, balance.held))
        faults.push(`${owner}: held ${balance.held}, entries say ${booked.held ?? ZERO}`)
      const held = holds.get(owner) ?? ZERO
      if (!equals(held, balance.held))
        faults.push(`${owner}: held ${balance.held}, open withdrawals hold ${canonical(held)}`)
      if (isNegative(balance.held)) faults.push(`${owner}: held is below zero: ${balance.held}`)
      if (!isNegative(balance.available)) continue
      if (balance.overdraft === null) faults.push(`${owner}: available is below zero: ${balance.available}`)
      else allowedOverdrafts[balance.overdraft] = (allowedOverdrafts[balance.overdraft] ?? 0) + 1
    }
    for (const entry of entries)
      if (!known.has(`${entry.user_reference_id} ${entry.currency_id}`))
        faults.push(`posting ${entry.posting_key} has no balance`)
    return { ok: faults.length === 0, faults, allowedOverdrafts, postings: postings.size, balances: balances.length }
  })
}
