import { CompiledQuery, type Kysely, type Selectable } from 'kysely'
import { ZERO } from '#lib/contract/money.ts'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { Fact } from '../../ledger/facts.ts'
import { listKey } from '../../ledger/line-key.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import { relatedRows } from '../../ledger/related-rows.ts'
import type { LockedUser, OnrampRow, PayoutRow, TransactionKey, WithdrawalColumns } from '../../ledger/rows.ts'
import { LATE_FOR_MS } from '../../ledger/payouts/attempts.ts'
import { UnitOfWork, type KnownCurrency, type LoadedState } from '../../ledger/unit-of-work.ts'
import { currenciesOf, toCurrency } from '../tables/currencies.ts'
import { lockTransactions } from '../database/lock-transactions.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type { Tables, UnplacedFactsTable } from '../database/schema.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import { rowUsersOf, type RowUsers } from '../tables/row-users.ts'
import { factsOfRow, transactionOf, unplacedFactsOf, type StoredTransaction } from '../tables/transaction-rows.ts'

/** The rows that a unit of work begins with. */
export interface UnitKeys {
  /** Locked users: no other transaction changes their money or streams until this one ends. */
  readonly users: readonly string[]
  /** Transactions of any user with their facts, and the withdrawals that have them; also locked, with their users. */
  readonly transactions?: readonly TransactionKey[]
  /** Withdrawals of `users` by their own id. */
  readonly withdrawals?: readonly string[]
  /** Users whose withdrawals that may take a payout, and whose payouts that no withdrawal owns, are needed. */
  readonly attemptsOf?: readonly string[]
  /** On-ramp sessions by our reference and by the gateway's key, of any user; their users are also locked. */
  readonly onrampReferences?: readonly string[]
  readonly onrampKeys?: readonly string[]
  /** Known currencies by their ids, or all of them, for events that name a currency without its id. */
  readonly currencies?: 'all' | readonly string[]
  /** Further balances, as user and currency, besides those of the loaded rows. */
  readonly balances?: readonly (readonly [string, string])[]
}

const single = (values: Iterable<string> = []): readonly (readonly [string])[] =>
  [...new Set(values)].map((value) => [value])

/** The rows with their facts, which are written again with a changed row. */
const withFacts = (rows: readonly StoredTransaction[]): Pick<Required<LoadedState>, 'transactions' | 'facts'> => ({
  transactions: rows.map(transactionOf),
  facts: rows.flatMap(factsOfRow),
})

const TRANSACTION_KINDS = ['deposit', 'payout', 'onramp'] as const

/** Loads units of work with a fixed number of statements for any number of facts. Each statement names the user. */
export function unitReader(flavour: Flavour) {
  const findRowUsers = rowUsersOf(flavour)
  const uuidKey = ['user_reference_id', 'transaction_uuid'] as const
  const unplacedFacts = selectByKeys<UnplacedFactsTable>(flavour, 'unplaced_facts', ['transaction_uuid'])
  const transactionsBy = (...columns: readonly string[]) =>
    selectByKeys<StoredTransaction>(flavour, 'transactions', columns)
  const transactionsByUuid = transactionsBy(...uuidKey)
  const onrampsByDeposit = transactionsBy('user_reference_id', 'deposit_uuid')
  const transactionsByHash = transactionsBy('user_reference_id', 'tx_hash_key')
  const transactionsByKey = transactionsBy('user_reference_id', 'correlation_key')
  const withdrawalsById = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['user_reference_id', 'id'])
  const withdrawalsByUuid = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', uuidKey)
  const payoutsByUuid = selectByKeys<PayoutRow>(flavour, 'payouts', uuidKey)
  const sessionsById = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'id'])
  const sessionsByKey = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'correlation_key'])
  const currenciesById = selectByKeys<Selectable<Tables['currencies']>>(flavour, 'currencies', ['id'])
  const balancesByOwner = selectByKeys<BalanceRow>(flavour, 'balances', ['user_reference_id', 'currency_id'])

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

  const ofUsers = (
    select: string,
    rest: string,
    users: readonly string[],
    ...values: readonly number[]
  ): CompiledQuery =>
    flavour === 'postgres'
      ? CompiledQuery.raw(`${select} where user_reference_id = any($1::text[]) ${rest}`, [users, ...values])
      : CompiledQuery.raw(`${select} where user_reference_id in (select value from json_each(?1)) ${rest}`, [
          JSON.stringify(users),
          ...values,
        ])

  /**
   * The users' withdrawals that may take a payout, or whose call is under way, and their payouts that no withdrawal owns,
   * but those from before the start.
   */
  const loadAttempts = async (unit: UnitOfWork, db: Kysely<Tables>, users: readonly string[]): Promise<void> => {
    if (users.length === 0) return
    const lateness = flavour === 'postgres' ? '$2' : '?2'
    const [withdrawals, payouts] = await pipelined(db, (runner) =>
      Promise.all([
        runner.executeQuery<WithdrawalColumns>(
          ofUsers(
            'select * from withdrawals',
            // As a literal, since the partial index is not used for parameters.
            `and (status <> 'succeeded' or step = 'calling') and called_ms is not null
              and (status <> 'failed' or failure = 'absent' or updated_ms >= ${lateness})`,
            users,
            unit.now - LATE_FOR_MS,
          ),
        ),
        runner.executeQuery<PayoutRow>(
          ofUsers('select * from payouts', "and (owner is null or owner = 'acknowledged')", users),
        ),
      ]),
    )
    unit.load({ withdrawals: withdrawals.rows.map(parseWithdrawal), payouts: payouts.rows })
    const open = payouts.rows.filter(({ owner }) => owner === null)
    const keys = open.map((row) => [row.user_reference_id, row.transaction_uuid])
    unit.load(withFacts(await transactionsByUuid(db, keys)))
    if (keys.length === 0) return
    // A reply may have named such a payout to another user's withdrawal: no withdrawal takes it without a person.
    const uuids = open.map(({ transaction_uuid }) => transaction_uuid)
    const named = await withdrawalsByUuid(db, (await findRowUsers(db, uuids)).keys(['withdrawal'], uuids))
    unit.load({ withdrawals: named.map(parseWithdrawal) })
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

  const loadCurrencies = async (
    db: Kysely<Tables>,
    wanted: NonNullable<UnitKeys['currencies']>,
  ): Promise<readonly KnownCurrency[]> =>
    wanted === 'all' ? currenciesOf(db, flavour).all() : (await currenciesById(db, single(wanted))).map(toCurrency)

  const loadBalances = async (
    unit: UnitOfWork,
    db: Kysely<Tables>,
    owners: readonly (readonly [string, string])[],
  ): Promise<void> => {
    const wanted = [...new Map(owners.map((pair) => [pair.join(' '), pair])).values()].filter(
      ([user, currency]) => !unit.hasBalance(user, currency),
    )
    const rows = await balancesByOwner(db, wanted)
    const none = wanted.map(([user_reference_id, currency_id]) => ({
      user_reference_id,
      currency_id,
      available: ZERO,
      held: ZERO,
      overdraft: null,
    }))
    unit.load({ balances: [...rows, ...none] })
  }

  /** Loads transactions with their facts, withdrawals and payouts, and the deposits of on-ramps. */
  const loadTransactions = async (
    unit: UnitOfWork,
    db: Kysely<Tables>,
    transactionKeys: readonly TransactionKey[],
    of: RowUsers,
  ): Promise<void> => {
    const uuids = new Set(transactionKeys.map(({ transaction_uuid }) => transaction_uuid))
    const [unplaced, transactions, withdrawals, paid] = await pipelined(db, (runner) =>
      Promise.all([
        unplacedFacts(runner, single(uuids)),
        transactionsByUuid(runner, of.keys(TRANSACTION_KINDS, uuids)),
        withdrawalsByUuid(runner, of.keys(['withdrawal'], uuids)),
        payoutsByUuid(runner, of.keys(['paid'], uuids)),
      ]),
    )
    const deposits = transactions.flatMap(({ deposit_uuid }) => deposit_uuid ?? [])
    unit.load({ facts: unplaced.flatMap(unplacedFactsOf) })
    unit.load({
      keys: transactionKeys,
      ...withFacts([...transactions, ...(await loadDeposits(db, deposits, transactions))]),
      withdrawals: withdrawals.map(parseWithdrawal),
      payouts: paid,
    })
  }

  /** The deposits of on-ramps. An on-ramp that has no user may have the deposit of its session's user. */
  const loadDeposits = async (
    db: Kysely<Tables>,
    deposits: readonly string[],
    onramps: readonly StoredTransaction[],
  ): Promise<readonly StoredTransaction[]> => {
    if (deposits.length === 0) return []
    const isOwned = onramps.every((row) => row.deposit_uuid === null || row.user_reference_id !== NO_USER)
    const keys = isOwned
      ? onramps.flatMap((row) => (row.deposit_uuid === null ? [] : [[row.user_reference_id, row.deposit_uuid]]))
      : (await findRowUsers(db, deposits)).keys(['deposit'], deposits)
    return transactionsByUuid(db, keys)
  }

  /**
   * The sessions that the keys of deposits name, where it must be known which purchase a deposit brought, and those of
   * purchases that name no user.
   */
  const loadSessionsOfDeposits = async (
    unit: UnitOfWork,
    db: Kysely<Tables>,
    facts: readonly Fact[],
  ): Promise<void> => {
    const transfers = [...facts, ...unit.transactions()]
    if (!transfers.some(({ kind }) => kind === 'onramp')) return
    const users = new Set(transfers.flatMap((row) => (row.kind === 'deposit' ? (row.user_reference_id ?? []) : [])))
    const unnamed = unit
      .transactions()
      .flatMap((row) => (row.kind === 'onramp' && row.user_reference_id === null ? (row.onramp_session_id ?? []) : []))
      .filter((id) => unit.onramp(null, id) === null)
    if (unnamed.length > 0)
      unit.load({
        onramps: await sessionsById(
          db,
          [...users].flatMap((user) => unnamed.map((id) => [user, id])),
        ),
      })
    const known = new Set(unit.onramps().map(({ correlation_key }) => correlation_key))
    const keys = transfers.flatMap(({ kind, correlation_key: key }) =>
      kind === 'deposit' && key !== null && !known.has(key) ? [key] : [],
    )
    if (keys.length === 0) return
    unit.load({ onramps: await sessionsByKey(db, (await findRowUsers(db, keys)).keys(['key'], keys)) })
  }

  return {
    load: async (db: Kysely<Tables>, now: number, keys: UnitKeys): Promise<UnitOfWork> => {
      const unit = new UnitOfWork(now)
      const { users, of, onramps } = await lockAll(db, keys)
      const withdrawals = keys.users.flatMap((user) => (keys.withdrawals ?? []).map((id) => [user, id]))
      unit.load({
        users,
        onramps,
        withdrawals: (await withdrawalsById(db, withdrawals)).map(parseWithdrawal),
        currencies: await loadCurrencies(db, keys.currencies ?? []),
      })
      await loadTransactions(unit, db, keys.transactions ?? [], of)
      await loadAttempts(unit, db, keys.attemptsOf ?? [])
      await loadBalances(unit, db, [
        ...(keys.balances ?? []),
        ...unit.withdrawals().map((row) => [row.user_reference_id, row.currency_id] as const),
      ])
      return unit
    },

    /** Loads the further rows that are needed to apply these facts; their transactions are already loaded. */
    loadRelated: async (db: Kysely<Tables>, unit: UnitOfWork, facts: readonly Fact[]): Promise<void> => {
      const all = [...unit.allFacts(), ...facts]
      const { hashes, correlations, deposits, owners, payees } = relatedRows(all)
      const keyed = ({ user_reference_id, key }: (typeof hashes)[number]) => [user_reference_id, key] as const
      const [byHash, byKey, byDeposit] = await pipelined(db, (runner) =>
        Promise.all([
          transactionsByHash(runner, hashes.map(keyed)),
          transactionsByKey(runner, correlations.map(keyed)),
          onrampsByDeposit(runner, deposits.map(keyed)),
        ]),
      )
      unit.load(withFacts([...byHash, ...byKey, ...byDeposit]))
      await loadSessionsOfDeposits(unit, db, all)
      await loadAttempts(unit, db, payees)
      await loadBalances(unit, db, [
        ...owners.map(keyed),
        ...unit
          .transactions()
          .flatMap(({ user_reference_id, currency_id }) =>
            user_reference_id === null || currency_id === null ? [] : [[user_reference_id, currency_id] as const],
          ),
        ...unit.withdrawals().map((row) => [row.user_reference_id, row.currency_id] as const),
      ])
    },
  }
}
