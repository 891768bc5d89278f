import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { NotAvailableError, RejectedError, UnreachableError, type GatewayError } from '../gateway/errors.ts'
import type { OnrampUrlRequest, PaymentSessionRequest } from '../gateway/types.ts'
import { createPaymentPages } from './payment-page.ts'

const details = (status?: number) => ({ operation: 'create_payment_session', ...(status !== undefined && { status }) })
const request: PaymentSessionRequest = {
  payment_type: 'ON_RAMP',
  country: 'DE',
  currency_id: 'c1',
  amount: decimal('150'),
  fiat_currency: 'EUR',
  user_reference_id: 'u',
  theme: 'dark',
}

/** A gateway that answers a payment session with this failure. */
function pagesOf(failure: GatewayError | null, legacySite: string | null = 'shop.example') {
  const asked: OnrampUrlRequest[] = []
  const open = createPaymentPages({
    gateway: {
      createPaymentSession: () =>
        failure === null
          ? Promise.resolve({ link: 'https://pay.example/new', correlation_key: 'k', expires_at: null })
          : Promise.reject(failure),
      getOnrampUrl(legacy) {
        asked.push(legacy)
        return Promise.resolve({ link: 'https://pay.example/old' })
      },
    },
    origins: ['https://pay.example'],
    legacySite,
  })
  return { open, asked }
}

test('a payment session is tried first', async () => {
  const { open, asked } = pagesOf(null)
  expect(await open(request)).toEqual({ link: 'https://pay.example/new', correlation_key: 'k', expires_at: null })
  expect(asked).toEqual([])
})

test.each<[string, GatewayError]>([
  ['says that it has none', new NotAvailableError('no', details(501))],
  ['has no such path', new RejectedError('no', details(404))],
])('a gateway that %s is asked by the older operation', async (_name, failure) => {
  const { open, asked } = pagesOf(failure)
  expect(await open(request)).toEqual({ link: 'https://pay.example/old', correlation_key: null, expires_at: null })
  expect(asked).toEqual([
    {
      provider: 'default',
      operation: 'deposit',
      currency_id: 'c1',
      country: 'DE',
      user_reference_id: 'u',
      theme: 'dark',
      site: 'shop.example',
    },
  ])
})

test.each<[string, GatewayError, string | null, object]>([
  ['without ONRAMP_LEGACY', new NotAvailableError('no', details(501)), null, {}],
  ['for the user’s own wallet', new NotAvailableError('no', details(501)), 'a', { custom_wallet_address: '0x1' }],
  ['after any other failure', new UnreachableError('no', details()), 'a', {}],
])('not %s', async (_name, failure, site, more) => {
  const { open, asked } = pagesOf(failure, site)
  await expect(open({ ...request, ...more })).rejects.toMatchObject({
    code: failure.kind === 'not_available' ? 'not_available' : 'gateway_unavailable',
  })
  expect(asked).toEqual([])
})

test('a link outside ONRAMP_ORIGINS is not passed on', async () => {
  const { open } = pagesOf(null)
  const elsewhere = createPaymentPages({
    gateway: {
      createPaymentSession: () =>
        Promise.resolve({ link: 'https://evil.example/', correlation_key: 'k', expires_at: null }),
      getOnrampUrl: () => Promise.reject(new Error('not asked')),
    },
    origins: ['https://pay.example'],
    legacySite: null,
  })
  await expect(elsewhere(request)).rejects.toMatchObject({ code: 'unsafe_link' })
  expect((await open(request)).link).toBe('https://pay.example/new')
})
