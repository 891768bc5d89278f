/** A purchase session that the gateway refused, or whose page is unsafe, is matched by no stranger's event. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { OutcomeUnknownError, UnreachableError, ValidationError } from '../gateway/errors.ts'
import type { PaymentSessionReply } from '../gateway/types.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { sampleCurrency, sampleOnramp } from '../store/testing/sample-rows.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { CashierSession } from '../store/types.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'
import type { CurrencyCache } from '../cashier/currency-cache.ts'
import { createStartOnramp } from '../cashier/start-onramp.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const details = { operation: 'create_payment_session' }
const lost = new OutcomeUnknownError('cut', details)
const reply = (link: string): PaymentSessionReply => ({ link, correlation_key: 'm1:s1', expires_at: null })

describe.each(FLAVOURS)('purchase sessions on %s', (flavour) => {
  const stores = useStores(flavour)
  beforeEach(async () => {
    await stores.one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], tx.now))
    await stores.one.users.ensure('u', 0)
  })

  /** Starts a purchase; the gateway gives this answer. Returns the problem's code, or the link. */
  const start = (answer: Error | PaymentSessionReply): Promise<unknown> => {
    const startOnramp = createStartOnramp({
      store: stores.one,
      gateway: {
        createPaymentSession: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
      } as never,
      legacySite: null,
      currencies: { forSession: () => Promise.resolve(sampleCurrency) } as unknown as CurrencyCache,
      origins: ['https://pay.example'],
      returnUrl: 'https://cashier.example/onramp/return',
      clock: Date.now,
      newId: () => 's1',
    })
    const session = { user_reference_id: 'u', country: null, metadata: null, theme: 'auto', own_wallet: false }
    const input = { currency_id: sampleCurrency.id, country: 'DE', amount: decimal('10000'), fiat_currency: 'EUR' }
    return startOnramp(session as unknown as CashierSession, input as never).then(
      ({ link }) => link,
      (problem: unknown) => (problem as { readonly code: string }).code,
    )
  }

  /** A signed event about our session, under this key. */
  async function send(correlation_key: string | null, uuid = 't'): Promise<void> {
    const rawBody = Buffer.from(
      JSON.stringify({
        event: 'User Onramp',
        transaction: {
          ...{ id: uuid, status: 'succeeded', to_amount: 11000, to_currency: { code: 'USDT', network: 'Tron' } },
          ...{ tx_hash: `0x${uuid}`, from_amount: 10000, from_currency: 'EUR' },
        },
        ...{ transaction_uuid: uuid, user_reference: 'u', correlation_key, session_reference: 's1' },
      }),
    )
    const rules = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const
    const receive = createReceiveWebhook({ store: stores.one, publicKey, clock: Date.now, toleranceS: 300, ...rules })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createSign('RSA-SHA256').update(rawBody).update(timestamp).sign(privateKey, 'base64')
    expect(await receive({ rawBody, signature, timestamp })).toMatchObject({ status: 200 })
  }

  async function state(): Promise<unknown> {
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
    const lines = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    return [(await stores.one.ledger.balance('u', sampleCurrency.id)).available, lines.map(({ reason }) => reason)]
  }

  test.each<[string, Error, string]>([
    ['refused', new ValidationError('no', {}, details), 'invalid_request'],
    ['not reached', new UnreachableError('no', details), 'gateway_unavailable'],
  ])('a session that was %s is gone: nobody is credited by its reference', async (_name, answer, code) => {
    expect(await start(answer)).toBe(code)
    expect(await stores.one.onramps.find({ id: 's1', user_reference_id: 'u' })).toBeNull()
    await send('m2:s1')
    expect([await state(), await stores.one.transactions.find('onramp', 't')]).toMatchObject([
      ['0', []],
      { onramp_session_id: null },
    ])
  })

  test('the key of an unsafe page is stored: a stranger’s event is told, ours is credited', async () => {
    expect(await start(reply('https://evil.example/'))).toBe('unsafe_link')
    expect(await stores.one.onramps.find({ id: 's1', user_reference_id: 'u' })).toMatchObject({
      correlation_key: 'm1:s1',
      link: null,
    })
    await send('m2:s1')
    expect(await state()).toEqual(['0', ['other_merchant']])
    await send('m1:s1')
    expect(await state()).toEqual(['11000', ['other_merchant']])
  })

  test('if the reply was lost, the keys of other sessions tell which merchant we are', async () => {
    await stores.one.onramps.insert(sampleOnramp({ correlation_key: 'm1:o1' }))
    expect(await start(lost)).toBe('gateway_unavailable')
    await send('m2:s1')
    expect(await state()).toEqual(['0', ['other_merchant']])
    await send('m1:s1')
    expect(await state()).toEqual(['11000', ['other_merchant']])
  })

  test.each([['m1:s1'], [null], ['another form']])(
    'if nothing else is known, our reference decides under the key %s',
    async (key) => {
      await stores.one.onramps.insert(sampleOnramp({ link: null, correlation_key: 'm3:o1' }))
      await start(lost)
      await send(key)
      expect(await state()).toEqual(['11000', []])
    },
  )
})
