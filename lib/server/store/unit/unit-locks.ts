import { CompiledQuery, type Kysely } from 'kysely'
import { listKey } from '../../ledger/line-key.ts'
import type { LockedUser, OnrampRow } from '../../ledger/rows.ts'
import { lockTransactions } from '../database/lock-transactions.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import type { RowUsers } from '../tables/row-users.ts'
import type { UnitKeys } from './unit-keys.ts'
import type { UnitSelects } from './unit-selects.ts'

/** Locks what a unit of work may change. */
export function unitLocks(
  flavour: Flavour,
  { findRowUsers, transactionsByUuid, sessionsById, sessionsByKey }: UnitSelects,
) {
  /**
   * At the time of the lock. A list that is never read completely is not waited for once a person has dismissed the line
   * that told of it since the restore. No list is checked that may not show yet what was lost.
   */
  const lockedUser = `user_reference_id, known, created_ms,
    (select case when exists (select 1 from reconciliation l where l.name = 'lost') then 'unchecked'
      when users.cleared_ms >= r.value then null
      when users.list_told_ms >= coalesce(users.incomplete_ms, users.unreadable_ms)
        and not exists (select 1 from quarantine q where q.user_reference_id = users.user_reference_id
          and q.reason = 'overdue' and q.transaction_uuid = '${listKey('')}' || users.user_reference_id
          and q.settled_ms is null) then 'unread'
      when users.totals_ms >= r.value then 'checked'
      else 'unchecked' end from reconciliation r where r.name = 'restored') as since_restore`

  /** In a fixed order, so that two transactions cannot wait for each other. */
  const lockUsers = async (runner: StatementRunner, ids: readonly string[]): Promise<readonly LockedUser[]> => {
    const sorted = [...new Set(ids)].sort()
    if (sorted.length === 0) return []
    const query: CompiledQuery<LockedUser> =
      flavour === 'postgres'
        ? CompiledQuery.raw(
            `select ${lockedUser} from users where user_reference_id = any($1::text[])
            order by user_reference_id for update of users`,
            [sorted],
          )
        : CompiledQuery.raw(
            `select ${lockedUser} from users where user_reference_id in (select value from json_each(?))`,
            [JSON.stringify(sorted)],
          )
    return (await runner.executeQuery<LockedUser>(query)).rows
  }

  /** The last session to which a reply of the gateway gave a key. */
  const lastReplied = (db: Kysely<Tables>): Promise<readonly OnrampRow[]> =>
    db
      .selectFrom('onramp_sessions')
      .selectAll()
      .where('correlation_key', 'is not', null)
      .where('link', 'is not', null)
      .orderBy('created_ms', 'desc')
      .limit(1)
      .execute()

  /** The on-ramps of these events as they are stored, and the sessions that the events or the stored rows name. */
  const findSessions = async (db: Kysely<Tables>, uuids: readonly string[], names: ReadonlySet<string>, of: RowUsers) =>
    pipelined(db, (runner) =>
      Promise.all([
        transactionsByUuid(runner, of.keys(['onramp'], uuids)),
        sessionsById(runner, of.keys(['session'], names)),
        sessionsByKey(runner, of.keys(['key'], names)),
      ]),
    )

  /**
   * Locks the transactions, their users, and the users of on-ramp sessions, and finds under which users the rows stand,
   * again after each lock: a transaction may have got its user meanwhile, and an on-ramp its session. A lock that is
   * taken out of order causes a retry at worst.
   */
  const lockAll = async (db: Kysely<Tables>, keys: UnitKeys) => {
    const transactions = keys.transactions ?? []
    const uuids = new Set(transactions.map(({ transaction_uuid }) => transaction_uuid))
    const onramps = transactions.filter(({ kind }) => kind === 'onramp').map((key) => key.transaction_uuid)
    const names = new Set([...uuids, ...(keys.onrampReferences ?? []), ...(keys.onrampKeys ?? [])])
    const asked = new Set<string>()
    const users: LockedUser[] = []

    const lock = async (ids: readonly string[], unlocked: Iterable<string>): Promise<RowUsers> => {
      const others = ids.filter((id) => !asked.has(id))
      for (const id of others) asked.add(id)
      const [locked, , found] = await pipelined(db, (runner) =>
        Promise.all([
          lockUsers(runner, others),
          lockTransactions(flavour, runner, unlocked),
          findRowUsers(runner, names),
        ]),
      )
      users.push(...locked)
      return found
    }

    const early = flavour === 'postgres' && onramps.length > 0 ? (await findRowUsers(db, names)).users : []
    let of = await lock([...keys.users, ...early], uuids)
    for (;;) {
      const [known, byId, byKey] = await findSessions(db, onramps, names, of)
      const named = known.flatMap((row) => [row.onramp_session_id, row.session_reference, row.correlation_key])
      const before = names.size
      for (const name of named) if (name !== null) names.add(name)
      if (names.size === before && of.users.every((user) => asked.has(user))) {
        const sessions = [...byId, ...byKey]
        // How the gateway names us in its keys is known by the last of them.
        const isUnknown = sessions.some(({ correlation_key, link }) => correlation_key === null && link === null)
        return { users, of, onramps: isUnknown ? [...sessions, ...(await lastReplied(db))] : sessions }
      }
      of = await lock(of.users, [])
    }
  }

  return lockAll
}
