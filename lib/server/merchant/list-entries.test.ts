import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { BookingRequest } from '../ledger/accounts.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleCurrency, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createListEntries } from './list-entries.ts'

const NOW = Date.UTC(2026, 4, 1)

const booking = (kind: BookingRequest['booking'], about: string, amount = '5', user = 'u'): BookingRequest => ({
  booking: kind,
  posting_key: `${kind}:${about}`,
  user_reference_id: user,
  currency_id: 'c1',
  amount: decimal(amount),
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => NOW, deliver: false })
    await store.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], tx.now))
    for (const user of ['u', 'v']) await store.users.ensure(user, NOW)
  })

  afterEach(async () => {
    await store.close()
    await database.remove()
  })

  const book = (...requests: readonly BookingRequest[]): Promise<void> =>
    seed(store, { bookings: requests, overdraft: 'late_payout' })

  test('each entry has its reason, newest first, without the counter-accounts', async () => {
    await seed(store, { withdrawals: [sampleWithdrawal({ transaction_uuid: 't9' })] })
    await book(
      booking('credit', 'onramp:t1', '5.50'),
      booking('reversal', 'onramp:t1', '5.50'),
      booking('credit', 'deposit:t2', '123456789012345678.123456789012345678'),
      booking('adjustment', 'v:not-of-u', '1', 'v'),
      booking('adjustment', 'u:order:2231', '-1'),
      booking('hold', 'w1'),
      booking('release', 'w1'),
      booking('hold', '1777:w1'),
      booking('payout', 'w1'),
      booking('late_payout', 'w2'),
    )
    const { entries } = await createListEntries(store)('u', { after: null, limit: 100 })
    const about = entries.map(({ account, amount, reason, transaction_uuid, withdrawal_id, reference }) => [
      account,
      amount,
      reason,
      transaction_uuid ?? withdrawal_id ?? reference,
      withdrawal_id,
    ])
    expect(about).toEqual([
      ['available', '-5', 'late_payout', 'w2', 'w2'],
      ['held', '-5', 'payout', 't9', 'w1'],
      ['held', '5', 'withdrawal', 't9', 'w1'],
      ['available', '-5', 'withdrawal', 't9', 'w1'],
      ['held', '-5', 'release', 't9', 'w1'],
      ['available', '5', 'release', 't9', 'w1'],
      ['held', '5', 'withdrawal', 't9', 'w1'],
      ['available', '-5', 'withdrawal', 't9', 'w1'],
      ['available', '-1', 'adjustment', 'order:2231', undefined],
      ['available', '123456789012345678.123456789012345678', 'deposit', 't2', undefined],
      ['available', '-5.5', 'reversal', 't1', undefined],
      ['available', '5.5', 'onramp', 't1', undefined],
    ])
    expect(entries.at(-1)).toEqual({
      id: entries.at(-1)?.id,
      booked_at: '2026-05-01T00:00:00.000Z',
      currency_id: 'c1',
      currency_code: 'USDT',
      network: 'Tron',
      amount: '5.5',
      account: 'available',
      reason: 'onramp',
      transaction_uuid: 't1',
    })
  })

  test.each([1, 2, 3, 4, 5])('pages of %d give every entry once, in order', async (limit) => {
    await book(
      booking('credit', 'deposit:t1', '100'),
      ...['w1', 'w2', 'w3'].map((id) => booking('hold', id)),
      booking('credit', 'deposit:t2', '1'),
    )
    const list = createListEntries(store)
    const whole = await list('u', { after: null, limit: 100 })
    expect(whole.entries).toHaveLength(8)
    const read: string[] = []
    let after: string | null = null
    for (;;) {
      const page: Awaited<ReturnType<typeof list>> = await list('u', { after, limit })
      if (page.entries.length === 0) {
        expect(page.next_cursor).toBe(after)
        break
      }
      expect(page.entries.length).toBeLessThanOrEqual(limit)
      read.push(...page.entries.map(({ id }) => id))
      after = page.next_cursor
    }
    expect(read).toEqual(whole.entries.map(({ id }) => id))
    expect(new Set(read).size).toBe(8)
  })

  test('an unknown user has no entries; a bad cursor is refused with its field', async () => {
    const list = createListEntries(store)
    expect(await list('nobody', { after: null, limit: 1 })).toEqual({ entries: [], next_cursor: '0' })
    await expect(list('u', { after: 'x', limit: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      extras: { errors: { after: [expect.any(String)] } },
    })
  })
})
