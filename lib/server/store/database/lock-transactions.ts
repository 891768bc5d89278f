import { CompiledQuery } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import type { StatementRunner } from './pipelined.ts'

/**
 * Inside a transaction on PostgreSQL: locks these transactions of the gateway until the end. The lock of a user is not
 * enough, since a transaction may have no user, or another user in each message. Call it after locking users. The locks
 * are taken in a fixed order, so that no two transactions wait for each other.
 */
export async function lockTransactions(
  flavour: Flavour,
  runner: StatementRunner,
  uuids: Iterable<string>,
): Promise<void> {
  const sorted = [...new Set(uuids)].sort()
  if (flavour === 'sqlite' || sorted.length === 0) return
  const text = `select pg_advisory_xact_lock(hashtextextended(k, 7)) from
    (select k from unnest($1::text[]) k order by k) sorted`
  await runner.executeQuery(CompiledQuery.raw(text, [sorted]))
}
