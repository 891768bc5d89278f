import { expect, test } from 'vitest'
import { CASHIER_STATUSES, type CashierStatus } from '#lib/contract/cashier.ts'
import { onTheWay, sums } from './arrivals.ts'
import type { SessionDeposit } from './session-deposits.ts'

const deposit = (amount: string, status: CashierStatus = 'processing', network = 'Tron'): SessionDeposit => ({
  key: `${amount} ${status}`,
  amount,
  code: 'USDT',
  network,
  status,
  txHash: null,
  usd: null,
  reference: null,
  at: '2026-01-01T00:00:00Z',
})

test.each(CASHIER_STATUSES)('only a pending or processing deposit is on its way: %s', (status) => {
  expect(onTheWay([deposit('42', status)])).toHaveLength(status === 'pending' || status === 'processing' ? 1 : 0)
})

test('there is one exact sum for each currency on each network', () => {
  expect(
    sums([
      deposit('0.10'),
      deposit('5', 'pending', 'Ethereum'),
      deposit('123456789012345678.000000000000000002', 'pending'),
      deposit('0'),
      deposit('?'),
    ]),
  ).toEqual([
    { code: 'USDT', network: 'Tron', amount: '123456789012345678.100000000000000002' },
    { code: 'USDT', network: 'Ethereum', amount: '5' },
  ])
})
