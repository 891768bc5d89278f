import { CompiledQuery, type Kysely } from 'kysely'
import type { OnrampRow, TransactionRow, WithdrawalRow } from '../../ledger/rows.ts'
import type { TransactionStatus } from '../../ledger/transaction-statuses.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'

/** The stored state of one record in the gateway's list. */
export interface ListedState {
  readonly transaction_uuid: string
  /** The record as last seen, as JSON; null if it was never seen. */
  readonly record: string | null
  /** The status of the user's transaction with that id, by its kind; null if there is none. */
  readonly deposit: TransactionStatus | null
  readonly payout: TransactionStatus | null
}

const WITHDRAWAL = [
  ...(['id', 'user_reference_id', 'currency_id', 'currency_code', 'network', 'amount', 'wallet_address'] as const),
  ...(['status', 'step', 'transaction_uuid', 'failure', 'failure_reason', 'user_message'] as const),
  ...(['called_ms', 'created_ms', 'updated_ms', 'paid_amount'] as const),
  ...(['review', 'wait_until_ms', 'early_decision'] as const),
] as const
const SESSION = [
  ...(['id', 'amount', 'fiat_currency', 'currency_id', 'currency_code', 'network', 'correlation_key'] as const),
  ...(['link', 'wallet_address', 'status', 'created_ms', 'updated_ms'] as const),
] as const
const TRANSACTION = [
  ...(['transaction_uuid', 'status', 'amount', 'amount_usd', 'currency_id', 'currency_code', 'network'] as const),
  ...(['from_address', 'tx_hash', 'tx_hash_key', 'correlation_key', 'session_reference', 'from_amount'] as const),
  'deposit_uuid',
  ...(['from_currency', 'payment_method', 'provider_transaction_id', 'created_ms', 'updated_ms'] as const),
] as const

/** What tells whether the list has shown a purchase. */
const GIVEN = [
  ...(['transaction_uuid', 'deposit_uuid', 'tx_hash_key', 'correlation_key'] as const),
  ...(['currency_id', 'currency_code', 'network'] as const),
] as const

export type OwnWithdrawalRow = Pick<WithdrawalRow, (typeof WITHDRAWAL)[number]>
export type OwnSessionRow = Pick<OnrampRow, (typeof SESSION)[number]>
export type OwnTransactionRow = Pick<TransactionRow, (typeof TRANSACTION)[number]>

const CURRENCY = ['name', 'symbol', 'currency_icon'] as const
/** The shown values of a known currency. */
export type OwnCurrency = Pick<Tables['currencies'], (typeof CURRENCY)[number]>

/** A withdrawal with its payout; `listed`: the gateway's list has shown it. */
export interface OwnWithdrawal {
  readonly withdrawal: OwnWithdrawalRow
  readonly payout: OwnTransactionRow | null
  readonly currency: OwnCurrency | null
  readonly listed: boolean
}

/** An on-ramp: our session, the transaction of its webhooks, or both; `listed`: the list has shown its deposit. */
export interface OwnOnramp {
  readonly session: OwnSessionRow | null
  readonly transaction: OwnTransactionRow | null
  readonly currency: OwnCurrency | null
  readonly listed: boolean
}

export interface OwnRows {
  readonly withdrawals: readonly OwnWithdrawal[]
  readonly onramps: readonly OwnOnramp[]
}

/** Own rows, and since when none of them is left out. */
export interface NewestOwnRows extends OwnRows {
  /** Null: there are no older ones. Else older rows, and further ones of this very time, are left out. */
  readonly cutMs: number | null
}

/** The condition of `compareCurrencies` in SQL, but for an id that was given to another currency. */
const sameCurrency = (a: string, b: string): string => {
  const same = ['currency_code', 'network'].map((name) => `lower(${a}.${name}) = lower(${b}.${name})`)
  return `(${a}.currency_id = ${b}.currency_id or ${same.join(' and ')})`
}

/** How many rows of each kind are read, the newest first. */
const MOST_ROWS = 500

function texts(flavour: Flavour) {
  const sqlite = flavour === 'sqlite'
  const mark = (at: number): string => `${sqlite ? '?' : '$'}${String(at)}`
  const json = (of: string, columns: readonly string[]): string => {
    const members = columns.map((name) => `'${name}', ${of}.${name}`).join(', ')
    return sqlite ? `json_object(${members})` : `json_build_object(${members})::text`
  }
  const transaction = (of: string): string =>
    `case when ${of}.transaction_uuid is null then null else ${json(of, TRANSACTION)} end`
  const currency = `case when c.id is null then null else ${json('c', CURRENCY)} end`
  const newest = (table: string, more = ''): string => `(select * from ${table}
    where user_reference_id = ${mark(1)} and created_ms >= ${mark(2)} and created_ms < ${mark(3)}${more} order by created_ms desc limit ${String(MOST_ROWS)})`
  const flag = (conditions: readonly string[]): string =>
    `case when ${conditions.map((one) => `exists (${one})`).join(' or ')} then 1 else 0 end`
  const listed = (uuid: string): string =>
    `select 1 from records r where r.user_reference_id = ${mark(1)} and r.transaction_uuid = ${uuid}`
  const deposit = (condition: string): string =>
    `select 1 from transactions d join records r
      on r.user_reference_id = d.user_reference_id and r.transaction_uuid = d.transaction_uuid
      where d.user_reference_id = ${mark(1)} and d.kind = 'deposit' and ${condition}`
  // One select for each condition, so that each uses its own index.
  const ofTransaction = (of: string): readonly string[] => [
    listed(`${of}.transaction_uuid`),
    listed(`${of}.deposit_uuid`),
    deposit(`d.tx_hash_key = ${of}.tx_hash_key and ${sameCurrency('d', of)}`),
    deposit(`d.correlation_key = ${of}.correlation_key and ${sameCurrency('d', of)}`),
  ]
  const ofSession = deposit(`d.correlation_key = own_session.correlation_key and ${sameCurrency('d', 'own_session')}`)
  const transactionsOf = (kind: string): string =>
    `left join transactions ${kind} on ${kind}.transaction_uuid = p.uuid and ${kind}.kind = '${kind}'
      and ${kind}.user_reference_id = ${mark(1)}`
  return {
    listed: `select p.uuid as transaction_uuid, r.record, deposit.status as deposit, payout.status as payout
      from (select ${sqlite ? 'value as uuid from json_each(?2)' : 'unnest($2::text[]) as uuid'}) p
      left join records r on r.user_reference_id = ${mark(1)} and r.transaction_uuid = p.uuid
      ${transactionsOf('deposit')} ${transactionsOf('payout')}`,
    own: `select 'withdrawal' as source, ${json('own_withdrawal', WITHDRAWAL)} as own, ${transaction('t')} as linked,
        ${currency} as currency, ${flag([listed('own_withdrawal.transaction_uuid')])} as listed
      from ${newest('withdrawals')} own_withdrawal
      left join transactions t on t.user_reference_id = ${mark(1)}
        and t.transaction_uuid = own_withdrawal.transaction_uuid and t.kind = 'payout'
        and t.withdrawal_id = own_withdrawal.id
      left join currencies c on c.id = own_withdrawal.currency_id
      union all
      select 'onramp', ${json('own_session', SESSION)}, ${transaction('t')}, ${currency},
        ${flag([...ofTransaction('t'), ofSession])}
      from ${newest('onramp_sessions')} own_session
      left join transactions t on t.user_reference_id = ${mark(1)} and t.onramp_session_id = own_session.id
      left join currencies c on c.id = coalesce(t.currency_id, own_session.currency_id)
      union all
      select 'onramp', null, ${transaction('own_onramp')}, ${currency}, ${flag(ofTransaction('own_onramp'))}
      from ${newest('transactions', " and kind = 'onramp' and onramp_session_id is null")} own_onramp
      left join currencies c on c.id = own_onramp.currency_id`,
    // These stand under no user, so they are read by themselves.
    unnamed: `select ${json('t', TRANSACTION)} as linked, t.onramp_session_id as session_id from transactions t
      where t.user_reference_id = '${NO_USER}' and t.kind = 'onramp'
        and t.onramp_session_id ${sqlite ? 'in (select value from json_each(?1))' : '= any($1::text[])'}`,
    given: `select t.transaction_uuid, ${currency} as currency, ${flag(ofTransaction('t'))} as listed
      from (select ${GIVEN.map((name) => `value ->> '${name}' as ${name}`).join(', ')}
        from ${sqlite ? 'json_each(?2)' : 'json_array_elements($2::json)'}) t
      left join currencies c on c.id = t.currency_id`,
  }
}

interface OwnLine {
  readonly source: 'withdrawal' | 'onramp'
  readonly own: string | null
  readonly linked: string | null
  readonly currency: string | null
  readonly listed: 0 | 1
}

/** Parses JSON that this module's own statement has built. */
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

const newestFirst = <T>(rows: T[], createdMs: (row: T) => number): T[] =>
  rows.sort((one, other) => createdMs(other) - createdMs(one))

interface UnnamedLine {
  readonly linked: string
  readonly session_id: string
}

interface GivenLine extends Pick<OwnLine, 'currency' | 'listed'> {
  readonly transaction_uuid: string
}

/** What a user's history needs besides a page of the gateway's list: a few statements for a history of any length. */
export const userHistoryOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const { listed, own, unnamed, given } = texts(flavour)

  /** The purchases of these sessions whose events name no user: their coins go to a wallet of the user's own. */
  const unnamedOf = async (user: string, onramps: readonly OwnOnramp[]): Promise<readonly OwnOnramp[]> => {
    const sessions = new Map(onramps.flatMap((one) => (one.session === null ? [] : [[one.session.id, one]])))
    if (sessions.size === 0) return []
    const ids = flavour === 'sqlite' ? JSON.stringify([...sessions.keys()]) : [...sessions.keys()]
    const { rows: lines } = await db.executeQuery<UnnamedLine>(CompiledQuery.raw(unnamed, [ids]))
    if (lines.length === 0) return []
    const found = lines.map(({ linked, session_id }) => ({
      transaction: parsed(linked) as OwnTransactionRow,
      own: sessions.get(session_id),
    }))
    const asked = JSON.stringify(found.map(({ transaction }) => transaction))
    const { rows } = await db.executeQuery<GivenLine>(CompiledQuery.raw(given, [user, asked]))
    const lineOf = new Map(rows.map((row) => [row.transaction_uuid, row]))
    return found.map(({ transaction, own: one }) => {
      const line = lineOf.get(transaction.transaction_uuid)
      return {
        session: one?.session ?? null,
        transaction,
        currency: (parsed(line?.currency ?? null) as OwnCurrency | null) ?? one?.currency ?? null,
        listed: line?.listed === 1 || (one?.transaction === null && one.listed),
      }
    })
  }

  return {
    /** The stored state of these records, in any order. */
    async listedStates(user: string, uuids: readonly string[]): Promise<readonly ListedState[]> {
      if (uuids.length === 0) return []
      const keys = flavour === 'sqlite' ? JSON.stringify(uuids) : uuids
      return (await db.executeQuery<ListedState>(CompiledQuery.raw(listed, [user, keys]))).rows
    },

    /** The user's own withdrawals and on-ramps since a time and before another, newest first. */
    async ownRows(user: string, sinceMs: number, untilMs: number = Number.MAX_SAFE_INTEGER): Promise<NewestOwnRows> {
      const { rows } = await db.executeQuery<OwnLine>(CompiledQuery.raw(own, [user, sinceMs, untilMs]))
      const withdrawals: OwnWithdrawal[] = []
      const onramps: OwnOnramp[] = []
      for (const row of rows) {
        const transaction = parsed(row.linked) as OwnTransactionRow | null
        const currency = parsed(row.currency) as OwnCurrency | null
        const isListed = row.listed === 1
        if (row.source === 'onramp') {
          onramps.push({ session: parsed(row.own) as OwnSessionRow | null, transaction, currency, listed: isListed })
          continue
        }
        const withdrawal = parsed(row.own) as OwnWithdrawalRow | null
        if (withdrawal !== null) withdrawals.push({ withdrawal, payout: transaction, currency, listed: isListed })
      }
      const sources = [
        withdrawals.map(({ withdrawal }) => withdrawal.created_ms),
        onramps.flatMap(({ session }) => session?.created_ms ?? []),
        onramps.flatMap(({ session, transaction }) => (session === null ? (transaction?.created_ms ?? []) : [])),
      ]
      const cuts = sources.flatMap((times) =>
        times.length < MOST_ROWS ? [] : [times.reduce((a, b) => Math.min(a, b))],
      )
      const unnamedOnes = await unnamedOf(user, onramps)
      const hasUnnamed = new Set(unnamedOnes.map(({ session }) => session?.id))
      const all = [
        ...onramps.filter(({ session, transaction }) => transaction !== null || !hasUnnamed.has(session?.id)),
        ...unnamedOnes,
      ]
      return {
        cutMs: cuts.length === 0 ? null : Math.max(...cuts),
        withdrawals: newestFirst(withdrawals, ({ withdrawal }) => withdrawal.created_ms),
        onramps: newestFirst(all, ({ session, transaction }) => session?.created_ms ?? transaction?.created_ms ?? 0),
      }
    },
  }
}
