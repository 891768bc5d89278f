import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'
import { authFailure, depositAddress, walletLink } from './shapes.ts'
import { isValidAddress } from './valid-address.ts'
import { assertThat, assertSame, parseAs, assertStatus } from './assertions.ts'

const PATH = '/v1/user/deposit/address'
const LINK = '/v1/user/deposit/link_external_wallet'

async function addressFor({ call }: CheckContext, currencyId: string, user: string) {
  const answer = await call('POST', PATH, { currency_id: currencyId, user_reference: user })
  assertStatus(answer, 200, 201)
  return parseAs(depositAddress, answer.json, 'the reply')
}

const first = async ({ currencies }: CheckContext): Promise<string> => (await currencies())[0]?.id ?? ''

function refusedField(field: string): Check {
  return {
    name: `a deposit address without ${field} is refused with 4xx`,
    async run(bench) {
      const whole = { currency_id: await first(bench), user_reference: bench.user() }
      const { status: answered } = await bench.call('POST', PATH, { ...whole, [field]: undefined })
      assertThat(answered >= 400 && answered < 500 && answered !== 401, `status ${answered}`)
    },
  }
}

/** Spec, POST /v1/user/deposit/address. */
export const addressChecks: readonly Check[] = [
  {
    name: 'each listed currency has a deposit address, valid for its network',
    async run(bench) {
      const user = bench.user()
      for (const { id, currency_code, network } of await bench.currencies()) {
        const reply = await addressFor(bench, id, user)
        assertSame(
          { currency: reply.currency, network: reply.network },
          { currency: currency_code, network },
          'currency of the address',
        )
        assertThat(isValidAddress(network, reply.address) !== false, `${reply.address} is not an address of ${network}`)
      }
    },
  },
  {
    name: 'two users have different addresses',
    async run(bench) {
      const id = await first(bench)
      const [one, two] = [await addressFor(bench, id, bench.user()), await addressFor(bench, id, bench.user())]
      assertThat(one.address !== two.address, 'both users have one address')
    },
  },
  {
    name: 'the address of a user and currency stays the same',
    needsControl: true,
    async run(bench) {
      const [id, user] = [await first(bench), bench.user()]
      assertSame(await addressFor(bench, id, user), await addressFor(bench, id, user), 'second address')
    },
  },
  refusedField('currency_id'),
  refusedField('user_reference'),
  {
    name: 'a deposit address for a currency that is not enabled is refused with 4xx',
    async run({ call, user }) {
      const request = { currency_id: '00000000-0000-4000-8000-000000000000', user_reference: user() }
      const { status: answered } = await call('POST', PATH, request)
      assertThat(answered >= 400 && answered < 500 && answered !== 401, `status ${answered}`)
    },
  },
  {
    name: 'linking an external wallet answers with a link, or refuses with a message',
    async run(bench) {
      const request = { currency_id: await first(bench), user_reference: bench.user() }
      const { status, json } = await bench.call('POST', LINK, request)
      if (status === 200 || status === 201) parseAs(walletLink, json, 'the reply')
      else {
        assertThat((status >= 400 && status < 500 && status !== 401) || status === 501, `status ${status}`)
        parseAs(authFailure, json, 'the refusal')
      }
    },
  },
]
