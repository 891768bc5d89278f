import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'
import { listOf } from './test-history.ts'
import { errorResponse, validationError, withdrawal } from './shapes.ts'
import { assertThat, assertSame, parseAs, assertStatus } from './assertions.ts'

const PATH = '/v1/user/withdraw'
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

const request = async (bench: CheckContext, amount: string, user: string) => ({
  currency_id: (await bench.currencyOn('Ethereum')).id,
  amount,
  wallet_address: WALLET,
  user_reference_id: user,
})

function refused(name: string, change: Readonly<Record<string, unknown>>): Check {
  return {
    name: `a withdrawal ${name} is refused with 4xx in a form of the spec, and creates no transaction`,
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      const answer = await bench.call('POST', PATH, { ...(await request(bench, '1', user)), ...change })
      assertThat(answer.status >= 400 && answer.status < 500 && answer.status !== 401, `status ${answer.status}`)
      assertThat(
        errorResponse.or(validationError).safeParse(answer.json).success,
        `no error record: ${answer.text.slice(0, 200)}`,
      )
      assertSame((await listOf(bench, { user_reference_id: user })).total_count, 0, 'transactions made')
    },
  }
}

/** Spec, POST /v1/user/withdraw. These checks move money, so they run only with the control API. */
export const withdrawalChecks: readonly Check[] = [
  {
    name: 'a withdrawal answers with the five fields and becomes a Payout of the user',
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      const sent = await request(bench, '12.5', user)
      const answer = await bench.call('POST', PATH, sent)
      assertStatus(answer, 200)
      const reply = parseAs(withdrawal, answer.json, 'the reply')
      assertSame(
        [reply.amount, reply.wallet_address, reply.requires_approval],
        ['12.5', WALLET, false],
        'amount, wallet_address, requires_approval',
      )
      const node = (await listOf(bench, { user_reference_id: user })).edges[0]?.node
      assertSame(
        [node?.type, node?.amount, node?.to_address],
        ['Payout', '12.5', WALLET],
        'type, amount and to_address of the record',
      )
    },
  },
  {
    name: 'the amount of a withdrawal keeps every digit',
    needsControl: true,
    async run(bench) {
      const answer = await bench.call('POST', PATH, await request(bench, '0.000000000000000001', bench.user()))
      assertSame(parseAs(withdrawal, answer.json, 'the reply').amount, '0.000000000000000001', 'amount')
    },
  },
  {
    name: 'a large withdrawal requires approval, and is approved and completed',
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      const answer = await bench.call('POST', PATH, await request(bench, '100000000', user))
      assertSame(parseAs(withdrawal, answer.json, 'the reply').requires_approval, true, 'requires_approval')
      const node = async () => (await listOf(bench, { user_reference_id: user })).edges[0]?.node
      const uuid = (await node())?.transaction_uuid ?? ''
      await bench.control.call('POST', `/withdrawals/${uuid}/approve`)
      await bench.control.call('POST', `/withdrawals/${uuid}/complete`)
      const done = await node()
      assertSame(done?.status, 'TXN_PROVIDER_SUCCEEDED', 'status')
      assertThat(typeof done?.tx_hash === 'string', 'the record has no tx_hash')
    },
  },
  {
    name: 'a payout that failed says why',
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      await bench.call('POST', PATH, await request(bench, '1', user))
      const node = async () => (await listOf(bench, { user_reference_id: user })).edges[0]?.node
      await bench.control.call('POST', `/withdrawals/${(await node())?.transaction_uuid ?? ''}/fail`, {
        reason: 'no funds',
      })
      assertSame((await node())?.failure_reason, 'no funds', 'failure_reason')
    },
  },
  {
    name: 'a refusal that created a transaction has its uuid and status',
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      await bench.control.call('POST', '/faults', {
        target: 'withdraw',
        kind: 'refuse_with_transaction',
        match: { user_reference: user },
      })
      const answer = await bench.call('POST', PATH, await request(bench, '1', user))
      const refusal = parseAs(errorResponse, answer.json, 'the refusal')
      const node = (await listOf(bench, { user_reference_id: user })).edges[0]?.node
      assertSame(
        [refusal.transaction_uuid, refusal.status],
        [node?.transaction_uuid, node?.status],
        'transaction_uuid and status',
      )
    },
  },
  refused('without currency_id', { currency_id: undefined }),
  refused('without amount', { amount: undefined }),
  refused('without wallet_address', { wallet_address: undefined }),
  refused('of nothing', { amount: '0' }),
  refused('of a negative amount', { amount: '-1' }),
  refused('of an amount that is not a decimal', { amount: '1e3' }),
  refused('in a currency that is not enabled', { currency_id: '00000000-0000-4000-8000-000000000000' }),
]
