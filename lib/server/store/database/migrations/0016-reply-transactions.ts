import { sql, type Kysely } from 'kysely'
import type { Flavour } from './0001-initial.ts'

/**
 * A withdrawal knows which transaction the gateway's own reply named. Of older ones that is known where the first answer
 * has it and neither a webhook nor the list had told of that payout when the call ended. Where it is not known, the list
 * says what becomes of the payout.
 */
export async function addReplyTransactions(db: Kysely<never>, flavour: Flavour): Promise<void> {
  const answered =
    flavour === 'postgres'
      ? `first_result::json ->> 'transaction_uuid'`
      : `json_extract(first_result, '$.transaction_uuid')`
  await sql`alter table withdrawals add column reply_transaction_uuid text`.execute(db)
  await sql
    .raw(
      `update withdrawals set reply_transaction_uuid = transaction_uuid
        where transaction_uuid is not null and call_ended_ms is not null
        and first_result is not null and ${answered} = transaction_uuid
        and not exists (select 1 from facts where facts.kind = 'payout'
          and facts.transaction_uuid = withdrawals.transaction_uuid
          and facts.recorded_ms <= withdrawals.call_ended_ms)`,
    )
    .execute(db)
}
