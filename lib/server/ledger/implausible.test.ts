import { expect, test } from 'vitest'
import { decimal, type Decimal } from '#lib/contract/money.ts'
import { fitsSession } from './implausible.ts'

interface Case {
  readonly paid?: Decimal
  readonly currency?: string
  readonly settled?: string
  readonly amount?: string
}

const fits = ({ paid, currency, settled, amount = '10' }: Case): boolean =>
  fitsSession(
    { transaction_uuid: 't', from_amount: paid ?? null, from_currency: currency ?? null },
    { settled_uuid: settled ?? null, amount: decimal(amount), fiat_currency: 'EUR' },
  )

test.each<[string, Case, boolean]>([
  ['nothing said', {}, true],
  ['the same', { paid: decimal('10.00'), currency: 'EUR', settled: 't' }, true],
  ['a quarter more', { paid: decimal('12.5'), currency: 'EUR' }, true],
  ['a digit over a quarter more', { paid: decimal('12.500000000000000001') }, false],
  ['a quarter more than an amount with many digits', { paid: decimal('0.125'), amount: '0.1' }, true],
  ['far more', { paid: decimal('1000000') }, false],
  ['less', { paid: decimal('0.01') }, true],
  ['the fiat currency in another case', { currency: 'eur' }, true],
  ['another fiat currency', { paid: decimal('10'), currency: 'USD' }, false],
  ['a session that another purchase used up', { settled: 'other' }, false],
])('%s', (_name, one, expected) => {
  expect(fits(one)).toBe(expected)
})
