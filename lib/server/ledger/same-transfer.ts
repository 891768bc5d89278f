import { compareCurrencies, compareTexts, surelyAgrees } from './compare.ts'
import type { TransactionRow } from './rows.ts'

/** The keys by which a deposit or an on-ramp is found as the same transfer. */
function transferKeys(row: TransactionRow): readonly string[] {
  if (row.kind === 'payout') return []
  return [
    `uuid ${row.transaction_uuid}`,
    ...(row.deposit_uuid === null ? [] : [`uuid ${row.deposit_uuid}`]),
    ...(row.tx_hash_key === null ? [] : [`hash ${row.tx_hash_key}`]),
    ...(row.correlation_key === null ? [] : [`key ${row.correlation_key}`]),
  ]
}

const haveSameOwner = (a: TransactionRow, b: TransactionRow): boolean =>
  surelyAgrees(compareTexts(a.user_reference_id, b.user_reference_id), compareCurrencies(a, b))

/** Whether two transfers of one user and currency have the same hash. */
export const isSameHash = (a: TransactionRow, b: TransactionRow): boolean =>
  a.tx_hash_key !== null && a.tx_hash_key === b.tx_hash_key && haveSameOwner(a, b)

/**
 * Whether a deposit and an on-ramp are the same transfer. They have the same user and currency, and were linked before
 * or share the hash, uuid (the gateway may list an on-ramp as the deposit that it became) or correlation key.
 */
export function isSameTransfer(a: TransactionRow, b: TransactionRow): boolean {
  if (a.kind === b.kind || !haveSameOwner(a, b)) return false
  const keys = new Set(transferKeys(a))
  return transferKeys(b).some((key) => keys.has(key))
}

/**
 * Whether a deposit is another purchase's, although it has this purchase's hash: its key names this other session of
 * ours.
 */
export const isOfOtherSession = (purchase: TransactionRow, deposit: TransactionRow, named: string | null): boolean =>
  named !== null &&
  named !== purchase.onramp_session_id &&
  deposit.correlation_key !== purchase.correlation_key &&
  deposit.transaction_uuid !== purchase.transaction_uuid

/**
 * Finds transactions that may be the same transfer. A row whose hash or key has changed is still found by the old one.
 */
export class TransferIndex {
  readonly #found = new Map<string, Set<string>>()

  /** `near` returns `id`. */
  add(row: TransactionRow, id: string): void {
    for (const key of transferKeys(row)) {
      const ids = this.#found.get(key)
      if (ids === undefined) this.#found.set(key, new Set([id]))
      else ids.add(id)
    }
  }

  /** Whether `near` would return nothing but `id`. */
  isAlone(row: TransactionRow, id: string): boolean {
    return transferKeys(row).every((key) => {
      const ids = this.#found.get(key)
      return ids === undefined || (ids.size === 1 && ids.has(id))
    })
  }

  near(row: TransactionRow): ReadonlySet<string> {
    return new Set(transferKeys(row).flatMap((key) => [...(this.#found.get(key) ?? [])]))
  }
}
