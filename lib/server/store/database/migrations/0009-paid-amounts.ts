import { sql, type Kysely } from 'kysely'

/** A withdrawal knows what its payout came to. */
export async function addPaidAmounts(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table withdrawals add column paid_amount text').execute(db)
  await sql
    .raw(
      `update withdrawals set paid_amount =
        (select t.amount from transactions t where t.kind = 'payout' and t.transaction_uuid = withdrawals.transaction_uuid)
        where transaction_uuid is not null`,
    )
    .execute(db)
}
