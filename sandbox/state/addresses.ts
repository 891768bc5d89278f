import { z } from 'zod'
import type { Currency } from '../currencies/catalogue.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import type { Database } from './database.ts'

const rowSchema = z.object({
  address: z.string(),
  currency_id: z.string(),
  merchant_id: z.string(),
  user_reference: z.string(),
  created_at: z.number(),
})

export type DepositAddress = z.infer<typeof rowSchema>

export interface AddressOwner {
  readonly merchantId: string
  readonly userReference: string
}

/** The address of a user and currency. It is the same on every machine. */
export const addressOf = ({ merchantId, userReference }: AddressOwner, currency: Currency): string =>
  NETWORKS[currency.network].encoding.write(deterministicBytes('deposit', merchantId, userReference, currency.id))

/** Stores the user's address for a currency (once) and returns it. `created` is true the first time. */
export function getOrCreateAddress(
  database: Database,
  owner: AddressOwner,
  currency: Currency,
  now: number,
): { address: string; created: boolean } {
  const address = addressOf(owner, currency)
  const { changes } = database.run(
    'INSERT OR IGNORE INTO addresses (address, currency_id, merchant_id, user_reference, created_at) VALUES (?, ?, ?, ?, ?)',
    address,
    currency.id,
    owner.merchantId,
    owner.userReference,
    now,
  )
  return { address, created: changes === 1 }
}

/** The owner of an address. Letter case is ignored, because some networks ignore it. */
export function findAddress(database: Database, address: string): DepositAddress | null {
  const row =
    database.one('SELECT * FROM addresses WHERE address = ?', address) ??
    database.one('SELECT * FROM addresses WHERE lower(address) = lower(?)', address)
  return row ? rowSchema.parse(row) : null
}

/** Newest first. */
export function listAddresses(
  database: Database,
  userReference: string | null,
  limit: number,
): readonly DepositAddress[] {
  return database
    .all(
      'SELECT * FROM addresses WHERE (?1 IS NULL OR user_reference = ?1) ORDER BY created_at DESC, rowid DESC LIMIT ?2',
      userReference,
      limit,
    )
    .map((row) => rowSchema.parse(row))
}
