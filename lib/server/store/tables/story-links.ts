import type { Kysely, Selectable } from 'kysely'
import type { RecordedFact } from '../../ledger/facts.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { PayoutRow, RecordRow, TransactionRow, WithdrawalColumns, WithdrawalRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import { selectNamed } from '../database/named-rows.ts'
import { selectNewest } from '../database/newest-rows.ts'
import { pipelined } from '../database/pipelined.ts'
import type { QuarantineTable, Tables, UnplacedFactsTable } from '../database/schema.ts'
import { withUser } from './row-users.ts'
import type { StoryRows } from './story-rows.ts'
import { factsOfRow, transactionOf, unplacedFactsOf, type StoredTransaction } from './transaction-rows.ts'

/** A deposit may bring several purchases, and a withdrawal may have had several payouts. */
const MOST_TRANSACTIONS = 50

type WithdrawalKey = readonly [user: string, id: string]

export type LinkedRows = Pick<
  StoryRows,
  'uuids' | 'transactions' | 'facts' | 'payouts' | 'withdrawals' | 'records' | 'lines'
>

/** Rows by their keys: a row may be found more than once. */
class FoundRows<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #keyOf: (row: Row) => string

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) this.#rows.set(this.#keyOf(row), row)
  }

  get all(): readonly Row[] {
    return [...this.#rows.values()]
  }
}

const noRows = () => ({
  transactions: new FoundRows<TransactionRow>((row) => `${row.kind} ${row.transaction_uuid}`),
  facts: new FoundRows<RecordedFact>(({ fact }) =>
    [fact.kind, fact.transaction_uuid, fact.status, fact.source].join(' '),
  ),
  payouts: new FoundRows<PayoutRow>((row) => row.transaction_uuid),
  withdrawals: new FoundRows<WithdrawalRow>((row) => row.id),
  records: new FoundRows<RecordRow>((row) => `${row.user_reference_id} ${row.transaction_uuid}`),
  lines: new FoundRows<StoryRows['lines'][number]>((row) => String(row.id)),
})

const uuidsOf = ({ transaction_uuid, reply_transaction_uuid }: WithdrawalRow): readonly string[] =>
  [transaction_uuid, reply_transaction_uuid].filter((uuid) => uuid !== null)

const keyOf = (user: string | null, id: string | null): readonly WithdrawalKey[] =>
  user === null || id === null ? [] : [[user, id]]

/**
 * Finds the transactions that belong together, and their withdrawal: a purchase with its deposit, a withdrawal with its
 * payouts. Each round asks for what the round before has named.
 */
export function storyLinksOf(db: Kysely<Tables>, flavour: Flavour, mostLines: number) {
  const ofKind = { kinds: "'deposit', 'payout', 'onramp'", column: 'transaction_uuid', and: 't.kind = r.kind' }
  const transactionsNamed = selectNamed<StoredTransaction>(flavour, { table: 'transactions', ...ofKind })
  const unplacedFacts = selectByKeys<UnplacedFactsTable>(flavour, 'unplaced_facts', ['transaction_uuid'])
  const purchasesOf = selectNamed<StoredTransaction>(flavour, {
    ...{ table: 'transactions', kinds: "'deposit'", column: 'deposit_uuid' },
  })
  // A purchase that names no user may have the deposit of its session's user.
  const userlessPurchases = selectByKeys<StoredTransaction>(flavour, 'transactions', [
    'user_reference_id',
    'deposit_uuid',
  ])
  const ofUuid = { column: 'transaction_uuid' }
  const payoutsNamed = selectNamed<PayoutRow>(flavour, { table: 'payouts', kinds: "'paid'", ...ofUuid })
  const payoutsOf = selectByKeys<PayoutRow>(flavour, 'payouts', ['user_reference_id', 'withdrawal_id'])
  const withdrawalsNamed = selectNamed<WithdrawalColumns>(flavour, {
    ...{ table: 'withdrawals', kinds: "'withdrawal'" },
    ...ofUuid,
  })
  const withdrawalsBy = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['user_reference_id', 'id'])
  const recordsBy = selectByKeys<RecordRow>(flavour, 'records', ['transaction_uuid'])
  const linesAbout = selectNewest<Selectable<QuarantineTable>>(flavour, {
    ...{ table: 'quarantine', column: 'transaction_uuid', order: 'id', limit: mostLines },
  })

  const readAbout = (uuids: readonly string[], keys: readonly WithdrawalKey[]) =>
    pipelined(db, (runner) =>
      Promise.all([
        transactionsNamed(runner, uuids),
        purchasesOf(runner, uuids),
        userlessPurchases(
          runner,
          uuids.map((uuid) => [NO_USER, uuid]),
        ),
        unplacedFacts(
          runner,
          uuids.map((uuid) => [uuid]),
        ),
        payoutsNamed(runner, uuids),
        payoutsOf(runner, keys),
        withdrawalsNamed(runner, uuids),
        withdrawalsBy(runner, keys),
        recordsBy(
          runner,
          uuids.map((uuid) => [uuid]),
        ),
        linesAbout(runner, [...uuids, ...keys.map(([, id]) => id)]),
      ]),
    )

  return async (from: {
    readonly uuids: readonly string[]
    readonly keys: readonly WithdrawalKey[]
  }): Promise<LinkedRows> => {
    const uuids = new Set<string>()
    const withdrawals = new Set<string>()
    const found = noRows()
    let [nextUuids, nextKeys] = [from.uuids, from.keys]
    while (nextUuids.length > 0 || nextKeys.length > 0) {
      for (const uuid of nextUuids) uuids.add(uuid)
      for (const [, id] of nextKeys) withdrawals.add(id)
      const [own, purchases, userless, unplaced, paid, paidOf, ofPayout, byId, records, lines] = await readAbout(
        nextUuids,
        nextKeys,
      )
      found.transactions.add([...own, ...purchases, ...userless].map(transactionOf))
      found.facts.add([...own.flatMap(factsOfRow), ...unplaced.flatMap(unplacedFactsOf)])
      found.payouts.add([...paid, ...paidOf])
      found.withdrawals.add([...ofPayout, ...byId].map(parseWithdrawal))
      found.records.add(records)
      found.lines.add(lines.map(withUser))
      const named = [
        ...found.transactions.all.flatMap((row) => [row.transaction_uuid, row.deposit_uuid ?? row.transaction_uuid]),
        ...found.payouts.all.map((row) => row.transaction_uuid),
        ...found.withdrawals.all.flatMap(uuidsOf),
      ]
      nextUuids = [...new Set(named)]
        .filter((uuid) => !uuids.has(uuid))
        .slice(0, Math.max(0, MOST_TRANSACTIONS - uuids.size))
      const owners = [...found.payouts.all, ...found.transactions.all].flatMap((row) =>
        keyOf(row.user_reference_id, row.withdrawal_id),
      )
      const known = found.withdrawals.all.flatMap((row) => keyOf(row.user_reference_id, row.id))
      nextKeys = [...new Map([...owners, ...known].map((key) => [key[1], key])).values()].filter(
        ([, id]) => !withdrawals.has(id),
      )
    }
    return {
      uuids: [...uuids],
      ...{ transactions: found.transactions.all, facts: found.facts.all, payouts: found.payouts.all },
      ...{ withdrawals: found.withdrawals.all, records: found.records.all, lines: found.lines.all },
    }
  }
}
