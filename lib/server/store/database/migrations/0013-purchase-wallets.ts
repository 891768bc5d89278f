import { sql, type Kysely } from 'kysely'

/** A purchase to a wallet of the user's own: its address, so that the page and the history can show it later. */
export async function addPurchaseWallets(db: Kysely<never>): Promise<void> {
  await sql`alter table onramp_sessions add column wallet_address text`.execute(db)
}
