import type { TransactionRow } from './rows.ts'
import { isSameCurrency } from './same-currency.ts'

/** By what a deposit or an on-ramp is found again as one transfer. */
function transferKeys(row: TransactionRow): readonly string[] {
  if (row.kind === 'payout') return []
  return [
    `uuid ${row.transaction_uuid}`,
    ...(row.deposit_uuid === null ? [] : [`uuid ${row.deposit_uuid}`]),
    ...(row.tx_hash_key === null ? [] : [`hash ${row.tx_hash_key}`]),
    ...(row.correlation_key === null ? [] : [`key ${row.correlation_key}`]),
  ]
}

/**
 * Whether a deposit and an on-ramp are one transfer: of the same user and currency, linked before, or with the same
 * hash, uuid (the gateway may list an on-ramp as the deposit that it became) or correlation key.
 */
export function isSameTransfer(a: TransactionRow, b: TransactionRow): boolean {
  if (a.kind === b.kind || a.user_reference_id !== b.user_reference_id || !isSameCurrency(a, b)) return false
  const keys = new Set(transferKeys(a))
  return transferKeys(b).some((key) => keys.has(key))
}

/** Finds transactions that may be one transfer. A row whose hash or key has changed is found by the old one, too. */
export class TransferIndex {
  readonly #found = new Map<string, Set<string>>()

  /** `id`: what `near` gives. */
  add(row: TransactionRow, id: string): void {
    for (const key of transferKeys(row)) {
      const ids = this.#found.get(key)
      if (ids === undefined) this.#found.set(key, new Set([id]))
      else ids.add(id)
    }
  }

  near(row: TransactionRow): ReadonlySet<string> {
    return new Set(transferKeys(row).flatMap((key) => [...(this.#found.get(key) ?? [])]))
  }
}
