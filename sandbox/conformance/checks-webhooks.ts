import { verify } from 'node:crypto'
import { z } from 'zod'
import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'
import { paymentRequest } from './checks-payments.ts'
import { deposit, listOf } from './test-history.ts'
import type { Received } from './receiver.ts'
import { onrampEventSchema, paymentSession, transferEventSchema } from './shapes.ts'
import { assertThat, assertSame, parseAs, assertStatus } from './assertions.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const MINUTES_5 = 300

const header = ({ headers }: Received, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Spec, Webhook authentication. */
function isSigned(bench: CheckContext, webhook: Received): void {
  const timestamp = header(webhook, 'x-timestamp')
  assertSame(header(webhook, 'x-algorithm'), 'RSA-SHA256', 'X-Algorithm')
  assertThat(/^[1-9]\d{9}$/.test(timestamp), `X-Timestamp is ${timestamp}`)
  assertThat(Math.abs(Date.now() / 1000 - Number(timestamp)) < MINUTES_5, 'X-Timestamp is not the current time')
  const signature = header(webhook, 'x-signature')
  assertThat(/^[A-Za-z0-9+/]+={0,2}$/.test(signature), 'X-Signature is not standard Base64')
  const signed = Buffer.concat([webhook.raw, Buffer.from(timestamp)])
  assertThat(
    verify('sha256', signed, bench.control.publicKey, Buffer.from(signature, 'base64')),
    'X-Signature does not verify',
  )
}

const of =
  (uuid: string) =>
  (event: Record<string, unknown>): boolean =>
    event['transaction_uuid'] === uuid

const transfer = (webhook: Received) => parseAs(transferEventSchema, webhook.event, 'the event')
const onramp = (webhook: Received) => parseAs(onrampEventSchema, webhook.event, 'the event')

async function session(bench: CheckContext, change: Readonly<Record<string, unknown>> = {}) {
  const sent = await paymentRequest(bench, change)
  const answer = await bench.call('POST', '/v1/user/payments', sent)
  assertStatus(answer, 200)
  const { correlation_key } = parseAs(paymentSession, answer.json, 'the session')
  const step = (to: string, details: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    bench.control.call('POST', `/onramp-sessions/${sent.session_reference}/${to}`, details)
  const events = async (count: number) =>
    (await bench.webhooks(count, (event) => event['correlation_key'] === correlation_key)).map(onramp)
  return { sent, correlation_key, step, events }
}

async function payout(bench: CheckContext, user: string): Promise<string> {
  const { id } = await bench.currencyOn('Ethereum')
  await bench.call('POST', '/v1/user/withdraw', {
    currency_id: id,
    amount: '7.25',
    wallet_address: WALLET,
    user_reference_id: user,
  })
  return (await listOf(bench, { user_reference_id: user })).edges[0]?.node.transaction_uuid ?? ''
}

const nodesOf = async (bench: CheckContext, user: string) =>
  (await listOf(bench, { user_reference_id: user })).edges.map(({ node }) => node)

/** Spec, Events. */
export const webhookChecks: readonly Check[] = (
  [
    {
      name: 'a deposit sends User Deposit processing, then succeeded',
      async run(bench) {
        const user = bench.user()
        const uuid = await deposit(bench, user, '25.5')
        const events = (await bench.webhooks(2, of(uuid))).map(transfer)
        assertSame(
          events.map(({ transaction }) => transaction.status),
          ['processing', 'succeeded'],
          'statuses',
        )
        for (const event of events) {
          assertSame(
            [event.event, event.payment_method, event.transaction.transaction_type],
            ['User Deposit', 'Deposit', 'Deposit'],
            'kind',
          )
          assertSame(
            [event.transaction.id, event.user_reference, event.transaction.amount],
            [uuid, user, 25.5],
            'id, user_reference, amount',
          )
        }
      },
    },
    {
      name: 'amounts are JSON numbers with every digit',
      async run(bench) {
        for (const amount of ['0.000000000000000001', '123456789012345678.123456789012345678']) {
          const [webhook] = await bench.webhooks(2, of(await deposit(bench, bench.user(), amount)))
          const text = webhook?.raw.toString('utf8') ?? ''
          assertThat(
            [',', '}'].some((end) => text.replaceAll(/\s/g, '').includes(`"amount":${amount}${end}`)),
            `no ${amount} in ${text.slice(0, 600)}`,
          )
        }
      },
    },
    {
      name: 'every webhook is signed over its bytes and X-Timestamp',
      async run(bench) {
        for (const webhook of await bench.webhooks(2, of(await deposit(bench, bench.user(), '1'))))
          isSigned(bench, webhook)
      },
    },
    {
      name: 'a completed withdrawal sends User Payout succeeded, with the uuid of its record',
      async run(bench) {
        const user = bench.user()
        const uuid = await payout(bench, user)
        await bench.control.call('POST', `/withdrawals/${uuid}/complete`)
        const event = transfer((await bench.webhooks(1, of(uuid)))[0] ?? { headers: {}, raw: Buffer.of(), event: null })
        assertSame(
          [event.event, event.payment_method, event.transaction.transaction_type],
          ['User Payout', 'Payout', 'Payout'],
          'kind',
        )
        assertSame(
          [event.transaction.status, event.transaction.id, event.transaction.to_address],
          ['succeeded', uuid, WALLET],
          'status, id, to_address',
        )
        assertSame([event.user_reference, event.transaction.amount], [user, 7.25], 'user_reference, amount')
      },
    },
    {
      name: 'a paid on-ramp sends pending, processing and succeeded, filled in step by step',
      async run(bench) {
        const { sent, step, events, correlation_key } = await session(bench)
        for (const to of ['pending', 'processing', 'succeeded']) await step(to)
        const all = await events(3)
        assertSame(
          all.map(({ transaction }) => transaction.status),
          ['pending', 'processing', 'succeeded'],
          'statuses',
        )
        assertSame(new Set(all.map(({ transaction_uuid }) => transaction_uuid)).size, 1, 'different transaction_uuids')
        assertThat(
          all.every(({ transaction, transaction_uuid }) => transaction.id === transaction_uuid),
          'transaction.id is not transaction_uuid',
        )
        assertThat(
          all.every(
            (event) => event.session_reference === sent.session_reference && event.correlation_key === correlation_key,
          ),
          'references differ',
        )
        assertThat(
          all.every(({ user_reference }) => user_reference === sent.user_reference_id),
          'user_reference differs',
        )
        const filled = all.map(({ payment_method, transaction: t }) =>
          [t.provider_transaction_id, payment_method, t.from_amount, t.from_currency, t.to_amount, t.tx_hash].map(
            (value) => value !== null,
          ),
        )
        const [no, paid, settled] = [
          Array<boolean>(6).fill(false),
          [true, true, true, true, false, false],
          Array<boolean>(6).fill(true),
        ]
        assertSame(filled, [no, paid, settled], 'which fields are set')
        assertSame(
          [all[1]?.transaction.from_amount, all[1]?.transaction.from_currency],
          [150, 'EUR'],
          'from_amount, from_currency',
        )
      },
    },
    {
      name: 'a failed on-ramp sends failed without to_amount and tx_hash',
      async run(bench) {
        const { step, events } = await session(bench)
        for (const to of ['processing', 'failed']) await step(to)
        const last = (await events(3)).at(-1)?.transaction
        assertSame([last?.status, last?.to_amount, last?.tx_hash], ['failed', null, null], 'status, to_amount, tx_hash')
      },
    },
    {
      name: 'a succeeded on-ramp is a deposit with the same tx_hash, in events and list',
      async run(bench) {
        const { sent, step, events } = await session(bench)
        await step('succeeded')
        const hash = (await events(3)).at(-1)?.transaction.tx_hash
        const node = (await nodesOf(bench, sent.user_reference_id))[0]
        assertSame([node?.type, node?.tx_hash], ['Deposit', hash], 'type and tx_hash of the record')
        const deposits = (await bench.webhooks(2, of(node?.transaction_uuid ?? ''))).map(transfer)
        assertThat(
          deposits.every(({ transaction }) => transaction.tx_hash === hash),
          'tx_hash of the deposit differs',
        )
      },
    },
    {
      name: 'an on-ramp without session_reference still has a correlation_key',
      async run(bench) {
        const sent = await paymentRequest(bench, { session_reference: undefined })
        const answer = await bench.call('POST', '/v1/user/payments', sent)
        const { correlation_key } = parseAs(paymentSession, answer.json, 'the session')
        await bench.control.call('POST', `/onramp-sessions/${encodeURIComponent(correlation_key)}/pending`)
        const [webhook] = await bench.webhooks(1, (event) => event['correlation_key'] === correlation_key)
        assertSame(webhook && (onramp(webhook).session_reference ?? null), null, 'session_reference')
      },
    },
    {
      name: 'a legacy session sends no User Onramp, only the deposit',
      async run(bench) {
        const user = bench.user()
        const { id } = await bench.currencyOn('Ethereum')
        await bench.call('POST', '/v1/user/onramp/get_url', {
          provider: 'provider',
          currency_id: id,
          user_reference_id: user,
          country: 'DE',
          operation: 'deposit',
          site: 'merchant.example',
          theme: 'light',
        })
        const listed = await bench.control.call('GET', `/onramp-sessions?user_reference=${user}`)
        const { sessions } = z.looseObject({ sessions: z.array(z.looseObject({ uuid: z.string() })) }).parse(listed)
        await bench.control.call('POST', `/onramp-sessions/${sessions[0]?.uuid ?? ''}/succeeded`)
        const found = await bench.webhooks(2, (event) => event['user_reference'] === user)
        assertThat(
          found.every(({ event }) => transferEventSchema.safeParse(event).success),
          'a User Onramp event came',
        )
      },
    },
    {
      name: 'a webhook that was refused is sent again, and its record shows the result',
      async run(bench) {
        const user = bench.user()
        await bench.control.call('PATCH', '/modes', { webhook_retries_ms: [20, 20, 20] })
        try {
          bench.receiver.answerWith(500, 503)
          const uuid = await deposit(bench, user, '1', false)
          const tries = await bench.webhooks(3, of(uuid))
          assertThat(
            tries.every(({ raw }) => raw.equals(tries[0]?.raw ?? raw)),
            'the event changed',
          )
          for (const webhook of tries) isSigned(bench, webhook)
        } finally {
          await bench.control.call('PATCH', '/modes', { webhook_retries_ms: bench.control.modes['webhook_retries_ms'] })
        }
      },
    },
  ] satisfies readonly Omit<Check, 'needsControl'>[]
).map((check) => ({ ...check, needsControl: true }))
