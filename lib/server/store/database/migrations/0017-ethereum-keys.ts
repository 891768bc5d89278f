import { sql, type Kysely } from 'kysely'

/**
 * An address of Ethereum's format is compared in lower case on every network. Of older withdrawals on a network that was
 * not known then, the key has the case that was typed: a payout of the same address would not find them.
 */
export async function foldEthereumKeys(db: Kysely<never>): Promise<void> {
  await sql`update withdrawals set address_key = lower(address_key)
    where length(address_key) = 42 and address_key like '0x%' and address_key <> lower(address_key)`.execute(db)
}
