/** Each list, read in steps in either direction, gives the rows that pass the filters, in order. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import { add, compare, decimal, type Decimal } from '#lib/contract/money.ts'
import {
  PAYOUT_OWNER_FILTERS,
  PAYOUT_STATUS_NAMES,
  QUARANTINE_REASONS,
  SHOWN_OF_MOVEMENTS,
  SHOWN_OF_QUARANTINE,
  TRANSACTION_KIND_NAMES,
  type ListFilter,
  type ListSortName,
} from '#lib/contract/operate/lists.ts'
import type { PayoutRow, QuarantineLine, TransactionRow, WithdrawalRow } from '../../ledger/rows.ts'
import { sampleCurrency, sampleTransaction, sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { rowsTouched, sqlitePlans } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import type { Store } from '../store.ts'
import { listSteps, type ListPlace, type ListStep, type ListStepRequest } from './list-steps.ts'
import type { ListTable } from './list-table.ts'
import { payoutsList } from './payouts-list.ts'
import { quarantineList } from './quarantine-list.ts'
import { transactionsList } from './transactions-list.ts'
import { withdrawalsList } from './withdrawals-list.ts'

const ROWS = 90
/** So few that most lists need several steps. */
const STEP = 8

const AMOUNTS = ['0', '0.1', '0.10', '9', '10', '10.0', '1.5', '99.999999999999999999', '123456789012345678901', null]
const at = <T>(values: readonly T[], index: number): T => values[index % values.length]!
/** Three rows of each time. */
const timeOf = (index: number): number => 1_000_000 + Math.floor(index / 3) * 100_000
const USERS = ['u', 'v', 'w'] as const
const currencyOf = (index: number) => ({
  currency_code: at(['USDT', 'BTC'], index),
  network: at(['Tron', 'Bitcoin'], index),
})
const amountOf = (index: number): Decimal | null => {
  const amount = at(AMOUNTS, index)
  return amount === null ? null : decimal(amount)
}
const idOf = (index: number): string => `${at(['b', 'a', 'c'], index)}${String(index)}`

const TRANSACTIONS: readonly TransactionRow[] = Array.from({ length: ROWS }, (_row, index) => {
  const kind = at(TRANSACTION_KIND_NAMES, index)
  return sampleTransaction({
    transaction_uuid: idOf(index),
    kind,
    user_reference_id: at([...USERS, null], index * 7),
    status: at(['processing', 'succeeded', 'succeeded', 'failed'], index * 5),
    amount: amountOf(index),
    ...currencyOf(index * 3),
    overdue_ms: index % 11 === 0 ? 5 : null,
    vanished_ms: index % 23 === 0 ? 5 : null,
    standing: index % 17 === 0 ? 'disputed' : 'confirmed',
    created_ms: timeOf(index),
    tx_hash: null,
    tx_hash_key: null,
  })
})

const WITHDRAWALS: readonly WithdrawalRow[] = Array.from({ length: ROWS }, (_row, index) => {
  const status = at(WITHDRAWAL_STATUSES, index * 5)
  const isOpen = ['processing', 'awaiting_approval', 'unknown'].includes(status)
  return sampleWithdrawal({
    id: idOf(index),
    idempotency_key: `key-${String(index)}`,
    user_reference_id: at(USERS, index * 7),
    status,
    ...(status === 'pending_authorization' && { step: 'pending' }),
    amount: amountOf(index) ?? decimal('3'),
    ...currencyOf(index * 3),
    overdue_ms: isOpen && index % 4 === 0 ? 5 : null,
    created_ms: timeOf(index),
  } as Partial<WithdrawalRow>)
})

const PAYOUTS: readonly PayoutRow[] = Array.from({ length: ROWS }, (_row, index) => ({
  transaction_uuid: idOf(index),
  user_reference_id: at(['v', 'w'], index),
  currency_id: 'c1',
  ...currencyOf(index * 3),
  amount: amountOf(index),
  inexact: 0,
  to_address: null,
  status: at(PAYOUT_STATUS_NAMES, index * 3),
  inserted_ms: null,
  inserted_at: null,
  first_seen_ms: timeOf(index),
  updated_ms: 1,
  owner: at([null, 'acknowledged', 'before'] as const, index * 5 + Math.floor(index / 6)),
  note: null,
  awaits_list: index % 7 === 0 ? 1 : 0,
  unbooked: 0,
  withdrawal_id: null,
}))

type Line = QuarantineLine & { readonly id: number; readonly settled_ms: number | null }
const PENDING = WITHDRAWALS.filter(({ step }) => step === 'pending')
const QUARANTINE: readonly Line[] = Array.from({ length: ROWS }, (_row, index) => {
  const pending = index % 2 === 0 ? at(PENDING, index) : null
  return {
    id: index + 1,
    reason: at(QUARANTINE_REASONS.slice(0, 4), Math.floor(index / 2)),
    received_ms: timeOf(index) + (index % 3) * 10,
    event_name: null,
    user_reference_id: pending?.user_reference_id ?? at(USERS, index * 7),
    transaction_uuid: pending?.id ?? (index % 5 === 0 ? null : idOf(index)),
    event: '{}',
    settled_ms: index % 3 === 0 ? 7 : null,
  }
})

const pendingNames = new Set(PENDING.map((row) => `${row.user_reference_id} ${row.id}`))
const SHOWN_LINES = {
  open: (row: Line) => row.settled_ms === null,
  gateway: (row: Line) =>
    row.settled_ms === null &&
    !(row.reason === 'overdue' && pendingNames.has(`${row.user_reference_id ?? ''} ${row.transaction_uuid ?? ''}`)),
  settled: (row: Line) => row.settled_ms !== null,
  all: () => true,
}

async function fill(store: Store): Promise<void> {
  await seed(store, {
    currencies: [sampleCurrency],
    transactions: TRANSACTIONS,
    withdrawals: WITHDRAWALS,
  })
  const db = store.database.lanes.calls
  await db.insertInto('payouts').values(PAYOUTS).execute()
  await db
    .insertInto('quarantine')
    .values(
      QUARANTINE.map((line) => ({
        ...line,
        user_reference_id: line.user_reference_id ?? '',
        settled_by: null,
        note: null,
        release_ms: 0,
      })),
    )
    .execute()
}

const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const bound = () =>
  fc.option(
    fc.constantFrom('0', '0.1', '1.5', '10', '99.999999999999999998', '100', '123456789012345678901').map(decimal),
    { nil: undefined },
  )
const time = () => maybe(timeOf(0), timeOf(30), timeOf(30) + 15, timeOf(60), timeOf(200))
const shared = { user: maybe(...USERS), from: time(), to: time() }
const money = {
  currency: maybe('USDT', 'BTC'),
  network: maybe('Tron', 'Bitcoin'),
  amount_from: bound(),
  amount_to: bound(),
}

const includes = (values: readonly string[] | undefined, value: string): boolean =>
  values === undefined || values.includes(value)

interface Money {
  readonly amount: Decimal | null
  readonly currency_code: string
  readonly network: string
}
type MoneyFilter = Pick<ListFilter<'payouts'>, 'amount_from' | 'amount_to' | 'currency' | 'network'>
const hasMoney = (row: Money, { amount_from, amount_to, currency, network }: MoneyFilter): boolean =>
  (currency === undefined || row.currency_code === currency) &&
  (network === undefined || row.network === network) &&
  (amount_from === undefined || (row.amount !== null && compare(row.amount, amount_from) >= 0)) &&
  (amount_to === undefined || (row.amount !== null && compare(row.amount, amount_to) <= 0))

interface Whose {
  readonly user?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}
const isWithin = (user: string | null, ms: number, filter: Whose): boolean =>
  (filter.user === undefined || filter.user === user) &&
  (filter.from === undefined || ms >= filter.from) &&
  (filter.to === undefined || ms < filter.to)

const openPayoutUsers = new Set(
  PAYOUTS.filter((row) => row.owner === null && row.awaits_list === 0).map((row) => row.user_reference_id),
)
const isOpenWithdrawal = (status: string): boolean => status !== 'succeeded' && status !== 'failed'

const SHOWN_TRANSACTIONS = {
  open: (row: TransactionRow) => row.status === 'processing',
  attention: (row: TransactionRow) =>
    row.overdue_ms !== null || row.vanished_ms !== null || row.standing === 'disputed',
  overdue: (row: TransactionRow) => row.overdue_ms !== null,
}
const SHOWN_WITHDRAWALS = {
  open: (row: WithdrawalRow) => isOpenWithdrawal(row.status),
  attention: (row: WithdrawalRow) =>
    row.overdue_ms !== null ||
    row.status === 'unknown' ||
    row.status === 'pending_authorization' ||
    (row.status !== 'succeeded' && openPayoutUsers.has(row.user_reference_id)),
  overdue: (row: WithdrawalRow) => row.overdue_ms !== null,
}

type Request<F, S extends string> = ListStepRequest<F, S>
type Read<F, S extends string> = (request: Request<F, S>) => Promise<ListStep<unknown>>

/** The ids of all rows from a place on, in as many steps as it takes; each step has at most `limit` rows. */
async function idsOf<F, S extends string>(
  read: Read<F, S>,
  request: Omit<Request<F, S>, 'after'>,
  key: string,
  start: ListPlace | null = null,
): Promise<{ readonly ids: readonly string[]; readonly places: readonly ListPlace[] }> {
  const rows: { readonly row: unknown; readonly place: ListPlace }[] = []
  let after: ListPlace | null = start
  for (let steps = 0; steps < 2 * ROWS; steps += 1) {
    const step: ListStep<unknown> = await read({ ...request, after })
    expect(step.rows.length).toBeLessThanOrEqual(request.limit)
    rows.push(...step.rows)
    if (step.next === null) {
      return {
        ids: rows.map(({ row }) => String((row as Record<string, unknown>)[key])),
        places: rows.map(({ place }) => place),
      }
    }
    after = step.next.place
  }
  throw new Error('the list does not end')
}

interface Case<Row, F, S extends string> {
  readonly table: ListTable<F, S>
  readonly key: string
  readonly rows: readonly Row[]
  readonly filters: fc.Arbitrary<F>
  readonly passes: (row: Row, filter: F) => boolean
  readonly sorts: readonly S[]
  readonly keyOf: (row: Row, sort: S) => readonly (string | number)[]
}

const inOrder = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
  const index = a.findIndex((value, place) => value !== b[place])
  return index < 0 ? 0 : a[index]! < b[index]! ? -1 : 1
}

async function check<Row extends object, F extends object, S extends string>(
  store: Store,
  { table, key, rows, filters, passes, sorts, keyOf }: Case<Row, F, S>,
): Promise<void> {
  const identity = (row: unknown): unknown => row
  const read = listSteps(store.database.lanes.calls, table, identity, STEP)
  const choices = fc.record({
    filter: filters,
    by: fc.constantFrom(...sorts),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 12 }),
    start: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(choices, async ({ filter, by, descending, limit, start }) => {
      const wanted = rows.filter((row) => passes(row, filter)).toSorted((a, b) => inOrder(keyOf(a, by), keyOf(b, by)))
      const expected = (descending ? wanted.toReversed() : wanted).map((row) =>
        String((row as Record<string, unknown>)[key]),
      )
      const request = { filter, sort: { by, descending }, back: false, limit }
      const { ids, places } = await idsOf(read, request, key)
      expect(ids).toEqual(expected)
      const from = start % (places.length + 1)
      const place = places[from]
      if (place === undefined) return
      const back = await idsOf(read, { ...request, back: true }, key, place)
      expect(back.ids.toReversed()).toEqual(expected.slice(0, from))
    }),
    { numRuns: 80 },
  )
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('transactions', async () => {
    await fill(stores.one)
    await check<TransactionRow, ListFilter<'transactions'>, ListSortName<'transactions'>>(stores.one, {
      table: transactionsList(flavour),
      key: 'transaction_uuid',
      rows: TRANSACTIONS,
      filters: fc.record({
        ...shared,
        ...money,
        show: maybe(...SHOWN_OF_MOVEMENTS),
        kind: some(TRANSACTION_KIND_NAMES),
        status: some(['processing', 'succeeded', 'failed']),
      }),
      passes: (row, filter) =>
        hasMoney(row, filter) &&
        isWithin(row.user_reference_id, row.created_ms, filter) &&
        (filter.show === undefined || SHOWN_TRANSACTIONS[filter.show](row)) &&
        includes(filter.kind, row.kind) &&
        includes(filter.status, row.status),
      sorts: ['created_at'],
      keyOf: (row) => [row.created_ms, row.transaction_uuid, row.kind],
    })
  })

  test('withdrawals', async () => {
    await fill(stores.one)
    await check<WithdrawalRow, ListFilter<'withdrawals'>, ListSortName<'withdrawals'>>(stores.one, {
      table: withdrawalsList(flavour),
      key: 'id',
      rows: WITHDRAWALS,
      filters: fc.record({
        ...shared,
        ...money,
        show: maybe(...SHOWN_OF_MOVEMENTS),
        status: some(WITHDRAWAL_STATUSES),
      }),
      passes: (row, filter) =>
        hasMoney(row, filter) &&
        isWithin(row.user_reference_id, row.created_ms, filter) &&
        (filter.show === undefined || SHOWN_WITHDRAWALS[filter.show](row)) &&
        includes(filter.status, row.status),
      sorts: ['created_at', 'status', 'user_reference_id'],
      keyOf: (row, sort) => [...(sort === 'created_at' ? [] : [row[sort]]), row.created_ms, row.id],
    })
  })

  test('payouts', async () => {
    await fill(stores.one)
    await check<PayoutRow, ListFilter<'payouts'>, ListSortName<'payouts'>>(stores.one, {
      table: payoutsList(flavour),
      key: 'transaction_uuid',
      rows: PAYOUTS,
      filters: fc.record({
        ...shared,
        ...money,
        show: maybe('attention' as const),
        owner: some(PAYOUT_OWNER_FILTERS),
        status: some(PAYOUT_STATUS_NAMES),
      }),
      passes: (row, filter) =>
        hasMoney(row, filter) &&
        isWithin(row.user_reference_id, row.first_seen_ms, filter) &&
        (filter.show === undefined || (row.owner === null && row.awaits_list === 0)) &&
        includes(filter.owner, row.owner ?? 'none') &&
        includes(filter.status, row.status),
      sorts: ['first_seen_at', 'user_reference_id'],
      keyOf: (row, sort) => [
        ...(sort === 'first_seen_at' ? [] : [row.user_reference_id]),
        row.first_seen_ms,
        row.transaction_uuid,
      ],
    })
  })

  test('quarantine', async () => {
    expect(QUARANTINE.filter(SHOWN_LINES.gateway).length).toBeLessThan(QUARANTINE.filter(SHOWN_LINES.open).length)
    await fill(stores.one)
    await check<Line, ListFilter<'quarantine'>, ListSortName<'quarantine'>>(stores.one, {
      table: quarantineList(flavour),
      key: 'id',
      rows: QUARANTINE,
      filters: fc.record({
        ...shared,
        show: fc.constantFrom(...SHOWN_OF_QUARANTINE),
        reason: some(QUARANTINE_REASONS.slice(0, 5)),
      }),
      passes: (row, filter) =>
        isWithin(row.user_reference_id, row.received_ms, filter) &&
        SHOWN_LINES[filter.show](row) &&
        includes(filter.reason, row.reason),
      sorts: ['received_at', 'reason'],
      keyOf: (row, sort) => [...(sort === 'reason' ? [row.reason] : []), row.id],
    })
  })

  test('amounts compare as numbers', async () => {
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 12 })).map(([units, digits]) => {
      const text = String(units).padStart(digits + 1, '0')
      return decimal(digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
    })
    const smallest = decimal('0.000000000000000001')
    await fc.assert(
      fc.asyncProperty(amount, amount, async (first, second) => {
        const amounts = [first, second, add(first, smallest), decimal('0')]
        const db = stores.one.database.lanes.calls
        await db.deleteFrom('payouts').execute()
        await db
          .insertInto('payouts')
          .values(amounts.map((value, index) => ({ ...PAYOUTS[index]!, amount: value })))
          .execute()
        const read = listSteps(db, payoutsList(flavour), (row) => row as PayoutRow)
        const request = {
          sort: { by: 'first_seen_at', descending: false },
          after: null,
          back: false,
          limit: 9,
        } as const
        const above = await read({ ...request, filter: { amount_from: first } })
        const below = await read({ ...request, filter: { amount_to: first } })
        const amountsOf = (step: ListStep<PayoutRow>) => step.rows.map(({ row }) => row.amount).sort()
        expect(amountsOf(above)).toEqual(amounts.filter((value) => compare(value, first) >= 0).sort())
        expect(amountsOf(below)).toEqual(amounts.filter((value) => compare(value, first) <= 0).sort())
      }),
      { numRuns: 40 },
    )
  })
})

/** A filter that few rows pass, far from both ends of the list. */
const RARE = {
  filter: { user: 'heavy', currency: 'XMR', from: 10, to: 19_990 },
  sort: { by: 'created_at', descending: true },
  after: [19_000, 'a', 'deposit'],
  back: false,
  limit: 5,
} as const

describe('a step looks at its rows only, although another index finds the user', () => {
  describe('sqlite', () => {
    const stores = useStores('sqlite')

    test('by bounds on both sides of the index', async () => {
      await fill(stores.one)
      const read = listSteps(stores.one.database.lanes.calls, transactionsList('sqlite'), (row) => row, STEP)
      const filter = { ...RARE.filter, user: 'u', from: 1, to: 9_000_000 }
      const plans = await sqlitePlans(stores.url, () => read({ ...RARE, filter, after: [9_000_000, 'a', 'deposit'] }))
      const searches = plans.filter((detail) => detail.startsWith('SEARCH transactions'))
      // The user's rows are counted first.
      expect(searches.shift()).toContain('transactions_key (user_reference_id=?)')
      expect(searches).toEqual([
        'SEARCH transactions USING COVERING INDEX transactions_created (created_ms>? AND (created_ms,transaction_uuid,kind)<(?,?,?))',
        'SEARCH transactions USING INDEX transactions_created ((created_ms,transaction_uuid,kind)>(?,?,?) AND (created_ms,transaction_uuid,kind)<(?,?,?))',
      ])
    })
  })

  describe.each([true, false])('postgres, with partitions: %s', (partitioned) => {
    const stores = useStores('postgres', { partitioned })

    test('by the count of rows that it touches', async () => {
      const db = stores.one.database.lanes.commands
      await sql`insert into transactions (kind, transaction_uuid, user_reference_id, status, amount, currency_code, network,
          occurred_at, created_ms, updated_ms, standing, postings)
        select 'deposit', i::text, case when i % 3 = 0 then 'heavy' else 'u' || i % 900 end, 'succeeded', '1', 'USDT', 'Tron', '',
          i, i, 'confirmed', 0 from generate_series(1, 20000) i`.execute(db)
      await sql`analyze transactions`.execute(db)
      const read = listSteps(stores.one.database.lanes.calls, transactionsList('postgres'), (row) => row, 200)
      // Each of three statements reads 200 rows, through some nodes.
      expect(await rowsTouched(stores.one, () => read(RARE))).toBeLessThan(4000)
    })
  })
})
