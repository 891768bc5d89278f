import { expect, test } from 'vitest'
import type { CashierSession } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { createGetDepositLink } from './get-deposit-link.ts'

const session = { user_reference_id: 'u' } as CashierSession
const currencies = { forSession: () => Promise.resolve({ id: 'c1' }) } as unknown as CurrencyCache
const linkTo = (link: string, enabled = true) =>
  createGetDepositLink({
    gateway: { linkExternalWallet: () => Promise.resolve({ link }) },
    currencies,
    enabled,
  })(session, { currency_id: 'c1' })

test.each(['https://wallet.example/pay?to=a', 'http://localhost:4010/wallet/a', 'http://127.0.0.1/a'])(
  '%s is passed on',
  async (link) => {
    expect(await linkTo(link)).toEqual({ link })
  },
)

test.each([
  'http://wallet.example/pay',
  'javascript:alert(1)',
  'https://user:pass@wallet.example/',
  '//wallet.example',
  'wallet',
])('%s is not passed on', async (link) => {
  await expect(linkTo(link)).rejects.toMatchObject({ code: 'unsafe_link' })
})

test('while links are off, the gateway is not asked', async () => {
  await expect(linkTo('https://wallet.example/', false)).rejects.toMatchObject({ code: 'not_available' })
})
