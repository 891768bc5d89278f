import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import {
  LIST_QUERIES,
  type ListName,
  type ListPage,
  type ListQuery,
  type TransactionListRow,
  type WithdrawalListRow,
} from '#lib/contract/operate/lists.ts'
import type { Store } from '../../store/store.ts'
import {
  sampleCurrency,
  sampleQuarantined,
  sampleTransaction,
  sampleWithdrawal,
} from '../../store/testing/sample-rows.ts'
import { seed } from '../../store/testing/seed.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { createListFile } from './list-file.ts'
import { createReadList } from './read-list.ts'

const NOW = 1_800_000_000_000

const queryOf = <L extends ListName>(list: L, text = ''): ListQuery<L> =>
  LIST_QUERIES[list].parse(Object.fromEntries(new URLSearchParams(text))) as ListQuery<L>

const uuids = (page: ListPage<'transactions'>): string => page.rows.map((row) => row.transaction_uuid).join(' ')

const deposit = (uuid: string, created_ms: number) =>
  sampleTransaction({ transaction_uuid: uuid, created_ms, tx_hash: null, tx_hash_key: null })

async function fillTransactions(store: Store, count: number): Promise<void> {
  const transactions = Array.from({ length: count }, (_row, index) => deposit(`t${String(index)}`, 1000 + index))
  await seed(store, { currencies: [sampleCurrency], transactions })
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  const readList = <L extends ListName>(list: L, text = ''): Promise<ListPage<L>> =>
    createReadList(
      stores.one,
      () => NOW,
      () => elapsedMs,
    )(list, queryOf(list, text))

  let elapsedMs = 0

  test('pages lead forth and back, and a row that comes meanwhile moves nothing', async () => {
    await fillTransactions(stores.one, 7)
    const first = await readList('transactions', 'limit=3')
    expect(uuids(first)).toBe('t6 t5 t4')
    expect([first.previous, first.searched_to]).toEqual([null, null])
    await seed(stores.one, { transactions: [deposit('new', 5000)] })
    const second = await readList('transactions', `limit=3&cursor=${first.next!}`)
    expect(uuids(second)).toBe('t3 t2 t1')
    const last = await readList('transactions', `limit=3&cursor=${second.next!}`)
    expect([uuids(last), last.next]).toEqual(['t0', null])
    expect(uuids(await readList('transactions', `limit=3&cursor=${last.previous!}`))).toBe('t3 t2 t1')
    const beginning = await readList('transactions', `limit=3&cursor=${second.previous!}`)
    expect(uuids(beginning)).toBe('t6 t5 t4')
    // Fewer rows are left before it: the first page is whole.
    const start = await readList('transactions', `limit=3&cursor=${beginning.previous!}`)
    expect([uuids(start), start.previous]).toEqual(['new t6 t5', null])
    expect(uuids(await readList('transactions', 'limit=3&sort=created_at'))).toBe('t0 t1 t2')
  })

  test('a cursor belongs to its list and its order', async () => {
    await fillTransactions(stores.one, 3)
    const { next } = await readList('transactions', 'limit=1')
    const problem = { code: 'invalid_request', extras: { errors: { cursor: [expect.any(String) as string] } } }
    await expect(readList('transactions', `sort=created_at&cursor=${next!}`)).rejects.toMatchObject(problem)
    await expect(readList('withdrawals', `cursor=${next!}`)).rejects.toMatchObject(problem)
    await expect(readList('transactions', 'cursor=bm9uc2Vuc2U')).rejects.toMatchObject(problem)
  })

  test('a search that finds nothing stops, and says how far it went', async () => {
    const { db } = stores.one.database
    const rows = Array.from({ length: 21_000 }, (_row, index) => deposit(`t${String(index)}`, index))
    const many = Math.floor(30_000 / Object.keys(rows[0]!).length)
    await db.transaction().execute(async (tx) => {
      for (let at = 0; at < rows.length; at += many) {
        const part = rows
          .slice(at, at + many)
          .map((row) => ({ ...row, user_reference_id: row.user_reference_id ?? '' }))
        await tx.insertInto('transactions').values(part).execute()
      }
    })
    const first = await readList('transactions', 'currency=XMR')
    expect(first).toMatchObject({ rows: [], previous: null, searched_to: new Date(1000).toISOString() })
    const rest = await readList('transactions', `currency=XMR&cursor=${first.next!}`)
    expect(rest).toMatchObject({ rows: [], next: null, searched_to: null })
    // The time is over after one step.
    const reads = createReadList(
      stores.one,
      () => NOW,
      () => (elapsedMs += 30),
    )
    const slow = await reads('transactions', queryOf('transactions', 'currency=XMR'))
    expect(slow).toMatchObject({ rows: [], searched_to: new Date(21_000 - 4000).toISOString() })
    const found = await readList('transactions', 'currency=USDT&limit=2')
    expect([uuids(found), found.searched_to]).toEqual(['t20999 t20998', null])
  })

  test('what may need a person is told from what does', async () => {
    const { one } = stores
    await seed(one, {
      currencies: [sampleCurrency],
      withdrawals: [
        sampleWithdrawal({ id: 'fine', idempotency_key: 'k1', created_ms: NOW - 5 }),
        sampleWithdrawal({ id: 'late', idempotency_key: 'k2', overdue_ms: NOW, created_ms: NOW - 4 }),
        sampleWithdrawal({ id: 'asked', idempotency_key: 'k3', status: 'pending_authorization', created_ms: NOW - 3 }),
        sampleWithdrawal({ id: 'old', user_reference_id: 'v', idempotency_key: 'k4', status: 'failed', created_ms: 5 }),
        sampleWithdrawal({ id: 'maybe', user_reference_id: 'v', idempotency_key: 'k5', created_ms: NOW - 2 }),
      ],
      transactions: [
        sampleTransaction({ transaction_uuid: 'a', overdue_ms: 1, created_ms: 1, tx_hash_key: null }),
        sampleTransaction({ transaction_uuid: 'b', standing: 'disputed', created_ms: 2, tx_hash_key: null }),
        sampleTransaction({ transaction_uuid: 'c', vanished_ms: 1, created_ms: 3, tx_hash_key: null }),
        sampleTransaction({ transaction_uuid: 'd', created_ms: 4, tx_hash_key: null }),
      ],
    })
    await one.database.db
      .insertInto('payouts')
      .values({
        transaction_uuid: 'p',
        user_reference_id: 'v',
        currency_id: 'c1',
        currency_code: 'USDT',
        network: 'Tron',
        amount: decimal('1'),
        inexact: 0,
        to_address: null,
        status: 'succeeded',
        inserted_ms: NOW,
        inserted_at: null,
        first_seen_ms: NOW,
        updated_ms: NOW,
        owner: null,
        note: null,
        awaits_list: 0,
        unbooked: 0,
        withdrawal_id: null,
      })
      .execute()
    const needs = await readList('withdrawals', 'show=attention')
    expect(needs.rows.map(({ id, attention }: WithdrawalListRow) => [id, attention])).toEqual([
      ['maybe', 'unmatched_payout'],
      ['asked', 'pending_authorization'],
      ['late', 'overdue'],
    ])
    const looks = await readList('transactions', 'show=attention')
    expect(looks.rows.map((row: TransactionListRow) => [row.transaction_uuid, row.attention])).toEqual([
      ['c', 'vanished'],
      ['b', 'disputed'],
      ['a', 'overdue'],
    ])
    expect((await readList('payouts', 'show=attention')).rows).toMatchObject([{ transaction_uuid: 'p', owner: null }])
  })

  test('quarantine shows what is open, unless more is asked for', async () => {
    const { one } = stores
    await seed(one, { quarantine: [sampleQuarantined(), sampleQuarantined({ reason: 'conflict' })] })
    await one.quarantine.settle(1, { by: 'merchant', now: NOW, note: 'seen' })
    const ids = async (text: string) => (await readList('quarantine', text)).rows.map(({ id }) => id)
    expect(await ids('')).toEqual(['2'])
    expect(await ids('show=settled')).toEqual(['1'])
    expect(await ids('show=all&sort=received_at')).toEqual(['1', '2'])
    expect((await readList('quarantine', 'show=settled')).rows[0]).toMatchObject({
      settled_at: new Date(NOW).toISOString(),
      settled_by: 'merchant',
      note: 'seen',
    })
  })

  test('a file has every row that passes, and no formula', async () => {
    await fillTransactions(stores.one, 600)
    await seed(stores.one, {
      transactions: [{ ...deposit('evil', 9000), from_address: '=HYPERLINK("http://evil.example")' }],
    })
    let text = ''
    for await (const part of createListFile(stores.one, () => NOW)('transactions', queryOf('transactions', 'user=u')))
      text += part
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(602)
    expect(lines[0]).toContain('"created_at","kind","status","attention","amount"')
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(lines.at(-1)).toContain('"t0"')
  })
})

test('a query is refused with what it may have', () => {
  const faults = (list: ListName, text: string) => {
    const { error } = LIST_QUERIES[list].safeParse(Object.fromEntries(new URLSearchParams(text)))
    return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]))
  }
  expect(faults('transactions', 'status=processing,gone&amount_from=-1&from=soon&sort=amount&limit=500')).toEqual({
    status: expect.stringContaining('must be one or more of processing') as string,
    amount_from: expect.stringContaining('zero or more') as string,
    from: expect.stringContaining('must be a time') as string,
    sort: 'must be one of created_at, -created_at',
    limit: 'must be a whole number from 1 to 200',
  })
  expect(faults('payouts', 'from=2026-02-01&to=2026-01-01')).toEqual({ to: 'must be later than from' })
  expect(faults('quarantine', 'reason=nothing')).toHaveProperty('reason')
  expect(queryOf('withdrawals', 'status=unknown,failed,unknown&amount_from=0')).toMatchObject({
    status: ['unknown', 'failed'],
    amount_from: '0',
    sort: { by: 'created_at', descending: true },
    limit: 50,
  })
})
