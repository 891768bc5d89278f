import { CompiledQuery, type Kysely } from 'kysely'
import { ZERO } from '#lib/contract/money.ts'
import type { Fact } from '../../ledger/facts.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import { relatedRows } from '../../ledger/related-rows.ts'
import type { PayoutRow, TransactionKey, WithdrawalColumns } from '../../ledger/rows.ts'
import { LATE_FOR_MS } from '../../ledger/payouts/attempts.ts'
import { UnitOfWork, type KnownCurrency, type LoadedState } from '../../ledger/unit-of-work.ts'
import { currenciesOf, toCurrency } from '../tables/currencies.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { pipelined } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { RowUsers } from '../tables/row-users.ts'
import { factsOfRow, transactionOf, unplacedFactsOf, type StoredTransaction } from '../tables/transaction-rows.ts'
import type { UnitKeys } from './unit-keys.ts'
import { unitLocks } from './unit-locks.ts'
import { unitSelects } from './unit-selects.ts'

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
  const selects = unitSelects(flavour)
  const {
    findRowUsers,
    unplacedFacts,
    transactionsByUuid,
    onrampsByDeposit,
    transactionsByHash,
    transactionsByKey,
    withdrawalsById,
    withdrawalsByUuid,
    payoutsByUuid,
    sessionsById,
    sessionsByKey,
    currenciesById,
    balancesByOwner,
  } = selects
  const lockAll = unitLocks(flavour, selects)

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
