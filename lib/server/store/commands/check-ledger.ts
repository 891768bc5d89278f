import { add, canonical, equals, isNegative, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { WholeLedger } from '../types.ts'
import type { BalanceRow } from '../../ledger/accounts.ts'

export interface LedgerReport {
  readonly ok: boolean
  /** One line for each fault: the values that differ, and the user. */
  readonly faults: readonly string[]
  /** How many negative balances the rules allow, by their reason. */
  readonly allowedOverdrafts: Readonly<Record<string, number>>
  readonly postings: number
  readonly balances: number
}

class Totals {
  readonly #totals = new Map<string, Decimal>()

  add(key: string, amount: Decimal): void {
    this.#totals.set(key, add(this.of(key), amount))
  }

  of(key: string): Decimal {
    return this.#totals.get(key) ?? ZERO
  }

  keys(): Iterable<string> {
    return this.#totals.keys()
  }
}

const ownerOf = (row: { readonly user_reference_id: string; readonly currency_id: string }): string =>
  `${row.user_reference_id} ${row.currency_id}`

interface Entries {
  readonly accounts: Totals
  readonly owners: ReadonlySet<string>
  readonly postings: number
}

/** Reads all entries. A posting is one row with two entries, so it always sums to zero. */
async function readEntries(ledger: Pick<WholeLedger, 'entries'>): Promise<Entries> {
  const accounts = new Totals()
  const owners = new Set<string>()
  let entries = 0
  for await (const page of ledger.entries())
    for (const entry of page) {
      entries += 1
      accounts.add(`${ownerOf(entry)} ${entry.account}`, entry.amount)
      owners.add(ownerOf(entry))
    }
  return { accounts, owners, postings: entries / 2 }
}

function checkBalance(balance: BalanceRow, accounts: Totals, holds: Totals): string[] {
  const owner = ownerOf(balance)
  const faults: string[] = []
  for (const account of ['available', 'held'] as const) {
    const booked = accounts.of(`${owner} ${account}`)
    if (!equals(booked, balance[account]))
      faults.push(`${owner}: ${account} ${balance[account]}, entries say ${booked}`)
  }
  const held = holds.of(owner)
  if (!equals(held, balance.held))
    faults.push(`${owner}: held ${balance.held}, open withdrawals hold ${canonical(held)}`)
  if (isNegative(balance.held)) faults.push(`${owner}: held is below zero: ${balance.held}`)
  if (isNegative(balance.available) && balance.overdraft === null)
    faults.push(`${owner}: available is below zero: ${balance.available}`)
  return faults
}

/**
 * Checks the invariants of the whole ledger: each balance is the sum of its entries; the held balance is what open
 * withdrawals hold; the available balance is below zero only if the rules allow it (`late_payout`, `credit_replaced`).
 */
export async function checkLedger(ledger: WholeLedger): Promise<LedgerReport> {
  const faults: string[] = []
  const { accounts, owners, postings } = await readEntries(ledger)
  const holds = new Totals()
  for await (const page of ledger.holds()) for (const hold of page) holds.add(ownerOf(hold), hold.amount)

  const known = new Set<string>()
  const allowedOverdrafts: Record<string, number> = {}
  for await (const page of ledger.balances())
    for (const balance of page) {
      known.add(ownerOf(balance))
      faults.push(...checkBalance(balance, accounts, holds))
      const { overdraft } = balance
      if (isNegative(balance.available) && overdraft !== null)
        allowedOverdrafts[overdraft] = (allowedOverdrafts[overdraft] ?? 0) + 1
    }
  for (const owner of new Set([...owners, ...holds.keys()]))
    if (!known.has(owner)) faults.push(`${owner}: entries or holds without a balance`)
  return { ok: faults.length === 0, faults, allowedOverdrafts, postings, balances: known.size }
}
