import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'
import { errorResponse, onrampUrl, paymentSession, validationError } from './shapes.ts'
import { assertThat, parseAs, assertStatus } from './assertions.ts'
import { sendRequest } from './send-request.ts'

const PATH = '/v1/user/payments'
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

export const paymentRequest = async (bench: CheckContext, change: Readonly<Record<string, unknown>> = {}) => ({
  payment_type: 'ON_RAMP',
  country: 'DE',
  currency_id: (await bench.currencyOn('Ethereum')).id,
  amount: '150.00',
  fiat_currency: 'EUR',
  redirect_url: 'https://merchant.example/back?from=provider',
  user_reference_id: bench.user(),
  session_reference: `s-${bench.user()}`,
  ...change,
})

function invalid(name: string, field: string, change: Readonly<Record<string, unknown>>): Check {
  return {
    name: `a session ${name} is 422 and names ${field}`,
    async run(bench) {
      const answer = await bench.call('POST', PATH, await paymentRequest(bench, change))
      assertStatus(answer, 422)
      const { errors } = parseAs(validationError, answer.json, 'the refusal')
      assertThat(field in errors, `errors do not name ${field}: ${Object.keys(errors).join(', ')}`)
    },
  }
}

const REQUIRED = [
  'payment_type',
  'country',
  'currency_id',
  'amount',
  'fiat_currency',
  'redirect_url',
  'user_reference_id',
] as const

async function allowingCustomWallets(bench: CheckContext, allowed: boolean, work: () => Promise<void>): Promise<void> {
  const { merchant, call } = bench.control
  try {
    await call('PATCH', `/merchants/${merchant.id}`, { allow_custom_external_wallet: allowed })
    await work()
  } finally {
    await call('PATCH', `/merchants/${merchant.id}`, { allow_custom_external_wallet: merchant.customWallets })
  }
}

/** Spec, POST /v1/user/payments with its six rules, and POST /v1/user/onramp/get_url. */
export const paymentChecks: readonly Check[] = [
  {
    name: 'an ON_RAMP session has a link, a correlation key of its session_reference, and no expiry in the past',
    async run(bench) {
      const sent = await paymentRequest(bench)
      const answer = await bench.call('POST', PATH, sent)
      assertStatus(answer, 200)
      const { correlation_key, expires_at = null } = parseAs(paymentSession, answer.json, 'the session')
      assertThat(correlation_key.endsWith(`:${sent.session_reference}`), `correlation_key is ${correlation_key}`)
      assertThat(expires_at === null || Date.parse(expires_at) > Date.now(), `expires_at is in the past: ${expires_at}`)
    },
  },
  {
    name: 'the link is a page',
    async run(bench) {
      const answer = await bench.call('POST', PATH, await paymentRequest(bench))
      const { link } = parseAs(paymentSession, answer.json, 'the session')
      const page = await sendRequest({ method: 'GET', url: new URL(link), headers: {}, body: '' })
      assertStatus(page, 200)
      assertThat(/<html/i.test(page.text), 'no HTML')
    },
  },
  ...REQUIRED.map((field) => invalid(`without ${field}`, field, { [field]: undefined })),
  invalid('with an unknown country', 'country', { country: 'XX' }),
  invalid('with a country in lower case', 'country', { country: 'de' }),
  invalid('with a currency_id that is not a UUID', 'currency_id', { currency_id: 'btc' }),
  invalid('with a currency that is not enabled', 'currency_id', {
    currency_id: '00000000-0000-4000-8000-000000000000',
  }),
  invalid('with an unknown fiat currency', 'fiat_currency', { fiat_currency: 'EURO' }),
  invalid('with an amount that is not a decimal', 'amount', { amount: 'a lot' }),
  invalid('with a negative amount', 'amount', { amount: '-5' }),
  invalid('with a redirect_url of another scheme', 'redirect_url', { redirect_url: 'javascript:alert(1)' }),
  invalid('with another theme', 'theme', { theme: 'blue' }),
  invalid('with another payment type', 'payment_type', { payment_type: 'BOTH' }),
  invalid('with metadata that is not an object', 'metadata', { metadata: 'text' }),
  {
    name: 'a session with metadata that is an object is 200',
    async run(bench) {
      const metadata = { order: 'o-1', items: [{ sku: 'a', count: 2 }], gift: false, note: null }
      const answer = await bench.call('POST', PATH, await paymentRequest(bench, { metadata }))
      assertStatus(answer, 200)
      parseAs(paymentSession, answer.json, 'the session')
    },
  },
  {
    name: 'OFF_RAMP is 501 with an Error_Response',
    async run(bench) {
      const answer = await bench.call('POST', PATH, await paymentRequest(bench, { payment_type: 'OFF_RAMP' }))
      assertStatus(answer, 501)
      parseAs(errorResponse, answer.json, 'the refusal')
    },
  },
  {
    name: 'a custom wallet is 403 with an Error_Response while the flag is off',
    needsControl: true,
    run: (bench) =>
      allowingCustomWallets(bench, false, async () => {
        const answer = await bench.call('POST', PATH, await paymentRequest(bench, { custom_wallet_address: WALLET }))
        assertStatus(answer, 403)
        parseAs(errorResponse, answer.json, 'the refusal')
        assertThat(answer.text.includes('custom_wallet_not_allowed_for_merchant'), 'the identifier is not in the body')
      }),
  },
  {
    name: 'a custom wallet needs no user_reference_id while the flag is on',
    needsControl: true,
    run: (bench) =>
      allowingCustomWallets(bench, true, async () => {
        const change = { custom_wallet_address: WALLET, user_reference_id: undefined }
        assertStatus(await bench.call('POST', PATH, await paymentRequest(bench, change)), 200)
      }),
  },
  {
    name: 'the legacy on-ramp URL answers with success and data.link',
    async run(bench) {
      const answer = await bench.call('POST', '/v1/user/onramp/get_url', {
        provider: 'provider',
        currency_id: (await bench.currencyOn('Ethereum')).id,
        user_reference_id: bench.user(),
        country: 'DE',
        operation: 'deposit',
        site: 'merchant.example',
        theme: 'light',
      })
      assertStatus(answer, 200)
      parseAs(onrampUrl, answer.json, 'the reply')
    },
  },
]
