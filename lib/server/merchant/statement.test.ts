import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { StatementQuery } from '#lib/contract/merchant-requests.ts'
import type { BookingRequest } from '../ledger/accounts.ts'
import { post } from '../ledger/post-entries.ts'
import { sampleCurrency, sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createStatement } from './statement.ts'

const DAY = 86_400_000

describe.each(FLAVOURS)('a statement on %s', (flavour) => {
  let now = 0
  const stores = useStores(flavour, { clock: () => now })

  const book = async (atMs: number, ...bookings: readonly Partial<BookingRequest>[]): Promise<void> => {
    now = atMs
    await seed(stores.one, {
      bookings: bookings.map((one) => ({
        booking: 'adjustment',
        posting_key: `adjustment:u:${crypto.randomUUID()}`,
        user_reference_id: 'u',
        currency_id: 'c1',
        amount: decimal('1'),
        ...one,
      })),
    })
  }

  type Row = Readonly<Record<string, string>>
  const linesOf = async (query: Partial<StatementQuery> = {}): Promise<readonly Row[]> => {
    let text = ''
    const statement = await createStatement(
      stores.one,
      () => now,
    )({
      from: null,
      to: null,
      user_reference_id: null,
      ...query,
    })
    for await (const piece of statement) text += piece
    const [header = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.slice(1, -1).split('","'))
    return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])))
  }
  const short = (rows: readonly Row[]) =>
    rows.map(({ line, user_reference_id, account, reason, amount, balance }) =>
      [line, user_reference_id, account, reason, amount, balance].filter(Boolean).join(' '),
    )

  test('an entry whose commit is under way at the end is in the statement', async () => {
    now = 1000
    const [posted, gate] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
    const booking = stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: ['u'], balances: [['u', 'c1']] })
      const own = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('5') }
      post(unit, { booking: 'adjustment', posting_key: 'adjustment:u:late', ...own })
      await tx.save(unit)
      posted.resolve(null)
      await gate.promise
    })
    await posted.promise
    now = 2000
    const reading = linesOf()
    setTimeout(() => gate.resolve(null), 300)
    expect(short(await reading).at(-2)).toBe('closing available 5')
    await booking
  })

  test('balances before and after a period hold its entries, by currency and account', async () => {
    await seed(stores.one, {
      currencies: [sampleCurrency],
      transactions: [
        sampleTransaction({ transaction_uuid: 'd1', amount: decimal('10.0'), amount_usd: decimal('9.98') }),
        sampleTransaction({
          kind: 'payout',
          transaction_uuid: 'p1',
          amount: decimal('4'),
          amount_usd: decimal('3.99'),
          withdrawal_id: 'w1',
        }),
      ],
      withdrawals: [
        sampleWithdrawal({ id: 'w1', transaction_uuid: 'p1', status: 'succeeded', step: 'ended', call_ended_ms: 2 }),
      ],
    })
    await book(1 * DAY, { amount: decimal('2') })
    await book(2 * DAY, { booking: 'credit', posting_key: 'credit:deposit:d1', amount: decimal('10') })
    await book(3 * DAY, { booking: 'hold', posting_key: 'hold:w1', amount: decimal('4') })
    await book(3 * DAY, { booking: 'payout', posting_key: 'payout:w1', amount: decimal('4') })
    await book(4 * DAY, { user_reference_id: 'v', amount: decimal('0.5'), posting_key: 'adjustment:v:=1+1' })
    now = 10 * DAY

    const rows = await linesOf({ from: 2 * DAY, to: 4 * DAY, user_reference_id: 'u' })
    expect(short(rows)).toEqual([
      'opening available 2',
      'opening held 0',
      'entry u available deposit 10 12',
      'entry u available withdrawal -4 8',
      'entry u held withdrawal 4 4',
      'entry u held payout -4 0',
      'closing available 8',
      'closing held 0',
    ])
    expect(rows.map(({ amount_usd }) => amount_usd)).toEqual(['', '', '9.98', '-3.99', '3.99', '-3.99', '', ''])
    expect(rows[2]).toMatchObject({ currency_code: sampleCurrency.currency_code, transaction_uuid: 'd1' })
    expect(rows[3]).toMatchObject({
      transaction_uuid: 'p1',
      withdrawal_id: 'w1',
      booked_at: '1970-01-04T00:00:00.000Z',
    })
    expect(rows.at(-1)?.['booked_at']).toBe('1970-01-05T00:00:00.000Z')

    const everybody = await linesOf({ from: 4 * DAY })
    expect(short(everybody)).toEqual([
      'opening available 8',
      'opening held 0',
      'entry v available adjustment 0.5 8.5',
      'closing available 8.5',
      'closing held 0',
    ])
    expect(everybody[2]?.['reference']).toBe("'=1+1")
    expect(everybody.at(-1)?.['booked_at']).toBe('1970-01-11T00:00:00.000Z')
  })

  test('each entry of any number of postings comes once, whatever the steps', async () => {
    await seed(stores.one, { currencies: [sampleCurrency] })
    for (const user of ['u', 'v'])
      await book(
        DAY,
        ...Array.from({ length: 300 }, () => ({
          user_reference_id: user,
          posting_key: `adjustment:${user}:${crypto.randomUUID()}`,
        })),
      )
    now = 2 * DAY
    const rows = await linesOf()
    expect(new Set(rows.map((row) => `${row['user_reference_id'] ?? ''} ${row['id'] ?? ''}`)).size).toBe(601)
    expect(short(rows.slice(-2))).toEqual(['closing available 600', 'closing held 0'])
    expect(await linesOf({ user_reference_id: 'nobody' })).toEqual([])
  })
})
