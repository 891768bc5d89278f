import { CompiledQuery, type Kysely, type Selectable } from 'kysely'
import { ZERO } from '#lib/contract/money.ts'
import type { BalanceRow } from '../../ledger/accounts.ts'
import { parseFact, type Fact } from '../../ledger/facts.ts'
import { listKey } from '../../ledger/overdue.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import { relatedRows } from '../../ledger/related-rows.ts'
import type { LockedUser, OnrampRow, PayoutRow, TransactionRow, WithdrawalColumns } from '../../ledger/rows.ts'
import { LATE_FOR_MS } from '../../ledger/payouts/attempts.ts'
import { UnitOfWork, type KnownCurrency, type TransactionKey } from '../../ledger/unit-of-work.ts'
import { currenciesOf, toCurrency } from '../tables/currencies.ts'
import { lockTransactions } from '../database/lock-transactions.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import type { FactRow } from '../tables/transactions.ts'

/** The rows that a unit of work begins with. */
export interface UnitKeys {
  /** Locked users: no other transaction changes their money or streams until this one ends. */
  readonly users: readonly string[]
  /** Transactions with their facts, and the withdrawals that have them; also locked. */
  readonly transactions?: readonly TransactionKey[]
  /** Withdrawals by their own id. */
  readonly withdrawals?: readonly string[]
  /** Users whose withdrawals that may take a payout, and whose payouts without an owner, are needed. */
  readonly attemptsOf?: readonly string[]
  /** On-ramp sessions by our reference and by the gateway's key; their users are also locked. */
  readonly onrampReferences?: readonly string[]
  readonly onrampKeys?: readonly string[]
  /** Known currencies by their ids, or all of them, for events that name a currency without its id. */
  readonly currencies?: 'all' | readonly string[]
  /** Further balances, as user and currency, besides those of the loaded rows. */
  readonly balances?: readonly (readonly [string, string])[]
}

const single = (values: Iterable<string> = []): readonly (readonly [string])[] =>
  [...new Set(values)].map((value) => [value])

/** Loads units of work with a fixed number of statements for any number of facts. */
export function unitReader(flavour: Flavour) {
  const factsOf = selectByKeys<FactRow>(flavour, 'facts', ['transaction_uuid', 'kind'])
  const transactionsByUuid = selectByKeys<TransactionRow>(flavour, 'transactions', ['transaction_uuid'])
  const onrampsByDeposit = selectByKeys<TransactionRow>(flavour, 'transactions', ['deposit_uuid'])
  const owner = ['user_reference_id', 'currency_id'] as const
  const transactionsByHash = selectByKeys<TransactionRow>(flavour, 'transactions', ['user_reference_id', 'tx_hash_key'])
  const transactionsByKey = selectByKeys<TransactionRow>(flavour, 'transactions', [
    'user_reference_id',
    'correlation_key',
  ])
  const withdrawalsById = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['id'])
  const withdrawalsByUuid = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['transaction_uuid'])
  const payoutsByUuid = selectByKeys<PayoutRow>(flavour, 'payouts', ['transaction_uuid'])
  const sessionsById = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['id'])
  const sessionsByKey = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['correlation_key'])
  const currenciesById = selectByKeys<Selectable<Tables['currencies']>>(flavour, 'currencies', ['id'])
  const balancesByOwner = selectByKeys<BalanceRow>(flavour, 'balances', owner)

  /**
   * At the time of the lock. A list that is never read completely counts as checked once a person has dismissed the
   * line about it.
   */
  const lockedUser = `user_reference_id, known,
    (select case when users.cleared_ms >= r.value then null when users.totals_ms >= r.value then 'checked'
      when exists (select 1 from quarantine q where q.user_reference_id = users.user_reference_id
        and q.reason = 'overdue' and q.transaction_uuid = '${listKey('')}' || users.user_reference_id
        and q.settled_by = 'merchant' and q.settled_ms >= r.value) then 'checked'
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

  /** The users' withdrawals that may take a payout, and their payouts without an owner. */
  const loadAttempts = async (unit: UnitOfWork, db: Kysely<Tables>, users: readonly string[]): Promise<void> => {
    if (users.length === 0) return
    const lateness = flavour === 'postgres' ? '$2' : '?2'
    const [withdrawals, payouts] = await pipelined(db, (runner) =>
      Promise.all([
        runner.executeQuery<WithdrawalColumns>(
          ofUsers(
            'select * from withdrawals',
            // As a literal, since the partial index is not used for parameters.
            `and status <> 'succeeded' and called_ms is not null
              and (status <> 'failed' or failure = 'absent' or updated_ms >= ${lateness})`,
            users,
            unit.now - LATE_FOR_MS,
          ),
        ),
        runner.executeQuery<PayoutRow>(ofUsers('select * from payouts', 'and owner is null', users)),
      ]),
    )
    unit.load({ withdrawals: withdrawals.rows.map(parseWithdrawal), payouts: payouts.rows })
    const uuids = payouts.rows.map(({ transaction_uuid }) => transaction_uuid)
    if (uuids.length > 0) unit.load({ transactions: await transactionsByUuid(db, single(uuids)) })
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

  /** The sessions that on-ramps name now, or that their earlier messages named; and the users of both. */
  const findSessions = async (db: Kysely<Tables>, keys: UnitKeys) => {
    const events = (keys.transactions ?? []).filter(({ kind }) => kind === 'onramp')
    const known = await transactionsByUuid(db, single(events.map(({ transaction_uuid }) => transaction_uuid)))
    const references = known.flatMap((row) => [row.onramp_session_id ?? [], row.session_reference ?? []].flat())
    const correlations = known.flatMap(({ correlation_key }) => correlation_key ?? [])
    const found = await pipelined(db, (runner) =>
      Promise.all([
        sessionsById(runner, single([...(keys.onrampReferences ?? []), ...references])),
        sessionsByKey(runner, single([...(keys.onrampKeys ?? []), ...correlations])),
      ]),
    )
    const onramps = found.flat()
    const owners = [...known, ...onramps].flatMap((row) => row.user_reference_id ?? [])
    // How the gateway names us in its keys is known by the last of them.
    const isUnknown = onramps.some(({ correlation_key, link }) => correlation_key === null && link === null)
    return { onramps: isUnknown ? [...onramps, ...(await lastReplied(db))] : onramps, owners }
  }

  /** Locks the users and transactions, and the users of on-ramp sessions, which are read again under the locks. */
  const lockAll = async (db: Kysely<Tables>, keys: UnitKeys) => {
    const asked = new Set<string>()
    const users: LockedUser[] = []
    const lock = async (ids: readonly string[], transactions: readonly TransactionKey[] = []): Promise<boolean> => {
      const others = ids.filter((id) => !asked.has(id))
      for (const id of others) asked.add(id)
      const [locked] = await pipelined(db, (runner) =>
        Promise.all([
          lockUsers(runner, others),
          lockTransactions(
            flavour,
            runner,
            transactions.map(({ transaction_uuid }) => transaction_uuid),
          ),
        ]),
      )
      users.push(...locked)
      return others.length > 0
    }
    let found = await findSessions(db, keys)
    await lock([...keys.users, ...found.owners], keys.transactions)
    if (flavour === 'sqlite') return { users, onramps: found.onramps }
    // Another event of an on-ramp may have named its session meanwhile. At worst, a lock out of order causes a retry.
    do found = await findSessions(db, keys)
    while (await lock(found.owners))
    return { users, onramps: found.onramps }
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

  /** Loads transactions with their facts and withdrawals, and the deposits of on-ramps. */
  const loadTransactions = async (
    unit: UnitOfWork,
    db: Kysely<Tables>,
    transactionKeys: readonly TransactionKey[],
  ): Promise<void> => {
    const keys = single(transactionKeys.map(({ transaction_uuid }) => transaction_uuid))
    const ofKind = new Map(
      transactionKeys.map(({ kind, transaction_uuid }) => [`${kind} ${transaction_uuid}`, [transaction_uuid, kind]]),
    )
    const payoutKeys = single(
      transactionKeys.filter(({ kind }) => kind === 'payout').map(({ transaction_uuid }) => transaction_uuid),
    )
    const [facts, named, onramps, withdrawals, payouts] = await pipelined(db, (runner) =>
      Promise.all([
        factsOf(runner, [...ofKind.values()]),
        transactionsByUuid(runner, keys),
        onrampsByDeposit(runner, keys),
        withdrawalsByUuid(runner, payoutKeys),
        payoutsByUuid(runner, payoutKeys),
      ]),
    )
    const transactions = [...named, ...onramps]
    const deposits = single(transactions.flatMap(({ deposit_uuid }) => deposit_uuid ?? []))
    unit.load({
      keys: transactionKeys,
      facts: facts.map(({ content }) => parseFact(content)),
      transactions: [...transactions, ...(await transactionsByUuid(db, deposits))],
      withdrawals: withdrawals.map(parseWithdrawal),
      payouts,
    })
  }

  /** The sessions that the keys of deposits name, where it must be known which purchase a deposit brought. */
  const loadSessionsOfDeposits = async (
    unit: UnitOfWork,
    db: Kysely<Tables>,
    facts: readonly Fact[],
  ): Promise<void> => {
    const transfers = [...facts, ...unit.transactions()]
    if (!transfers.some(({ kind }) => kind === 'onramp')) return
    const known = new Set(unit.onramps().map(({ correlation_key }) => correlation_key))
    const keys = transfers.flatMap(({ kind, correlation_key: key }) =>
      kind === 'deposit' && key !== null && !known.has(key) ? [key] : [],
    )
    unit.load({ onramps: await sessionsByKey(db, single(keys)) })
  }

  return {
    load: async (db: Kysely<Tables>, now: number, keys: UnitKeys): Promise<UnitOfWork> => {
      const unit = new UnitOfWork(now)
      const { users, onramps } = await lockAll(db, keys)
      unit.load({
        users,
        onramps,
        withdrawals: (await withdrawalsById(db, single(keys.withdrawals))).map(parseWithdrawal),
        currencies: await loadCurrencies(db, keys.currencies ?? []),
      })
      await loadTransactions(unit, db, keys.transactions ?? [])
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
      const { hashes, correlations, payees } = relatedRows(all)
      const keyed = ({ user_reference_id, key }: (typeof hashes)[number]) => [user_reference_id, key] as const
      const [byHash, byKey] = await pipelined(db, (runner) =>
        Promise.all([
          transactionsByHash(runner, hashes.map(keyed)),
          transactionsByKey(runner, correlations.map(keyed)),
        ]),
      )
      unit.load({ transactions: [...byHash, ...byKey] })
      await loadSessionsOfDeposits(unit, db, all)
      await loadAttempts(unit, db, payees)
      await loadBalances(unit, db, [
        ...[...all, ...unit.transactions()].flatMap(({ user_reference_id, currency_id }) =>
          user_reference_id === null || currency_id === null ? [] : [[user_reference_id, currency_id] as const],
        ),
        ...unit.withdrawals().map((row) => [row.user_reference_id, row.currency_id] as const),
      ])
    },
  }
}
