import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { USDT_ON_TRON, currencyId, testSandbox, eventually } from '../testing/test-sandbox.ts'
import type { TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ modes: { approval_above: '50' } })
})
beforeEach(() => sandbox.control('POST', '/reset'))
afterAll(() => sandbox.close())

const uuidOf = (body: Record<string, unknown>): string =>
  (body['transaction'] as { transaction_uuid: string }).transaction_uuid

describe('access', () => {
  const post = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(`${sandbox.origin}/control/reset`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end('{}')
    })

  test('a page of another origin is refused', async () => {
    expect(await post({ origin: 'https://evil.example', 'content-type': 'application/json' })).toBe(403)
    expect(await post({ origin: 'null', 'content-type': 'application/json' })).toBe(403)
    const rebound = {
      origin: 'http://evil.example:4010',
      host: 'evil.example:4010',
      'content-type': 'application/json',
    }
    expect(await post(rebound)).toBe(403)
  })

  test('a form is refused: it cannot send JSON', async () => {
    expect(await post({ 'content-type': 'text/plain' })).toBe(422)
  })

  test('the own page is allowed', async () => {
    expect(await post({ origin: sandbox.origin, 'content-type': 'application/json' })).toBe(200)
  })
})

describe('deposits', () => {
  test('go to an existing address, with any number of digits', async () => {
    const asked = { currency_id: await currencyId(sandbox, 'ETH', 'Ethereum'), user_reference: 'ada' }
    const { body } = await sandbox.call('POST', '/v1/user/deposit/address', asked)
    const amount = '0.000000000000000000000000000001'
    const detected = await sandbox.control('POST', '/deposits', { address: body['address'], amount })
    expect(detected.body['transaction']).toMatchObject({
      amount,
      user_ref_id: 'ada',
      to_address: body['address'],
      status: 'TXN_NEW',
    })
  })

  test('an unknown address is 404', async () => {
    expect((await sandbox.control('POST', '/deposits', { address: 'bc1qnobody', amount: '1' })).status).toBe(404)
  })

  test('are confirmed once, or fail once', async () => {
    const uuid = uuidOf((await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '1' })).body)
    expect(
      (await sandbox.control('POST', `/deposits/${uuid}/confirm`, { amount: '0.5' })).body['transaction'],
    ).toMatchObject({ amount: '0.5' })
    expect((await sandbox.control('POST', `/deposits/${uuid}/confirm`)).status).toBe(409)
    expect((await sandbox.control('POST', `/deposits/${uuid}/fail`)).status).toBe(409)
  })

  test.each([
    [{ ...USDT_ON_TRON }, 'amount'],
    [{ ...USDT_ON_TRON, amount: '-1' }, 'amount'],
    [{ ...USDT_ON_TRON, amount: 1 }, 'amount'],
    [{ ...USDT_ON_TRON, user_reference: 'a b', amount: '1' }, 'user_reference'],
  ])('%o is 422 and names %s', async (body, field) => {
    const reply = await sandbox.control('POST', '/deposits', body)
    expect(reply.status).toBe(422)
    expect(reply.body['errors']).toHaveProperty(field)
  })
})

describe('payouts', () => {
  const order = async (amount: string): Promise<string> => {
    const wallet_address = '0x52908400098527886E0F7030069857D2E4169EE7'
    await sandbox.call('POST', '/v1/user/withdraw', {
      currency_id: await currencyId(sandbox, 'ETH', 'Ethereum'),
      amount,
      wallet_address,
      user_reference_id: 'ada',
    })
    const { body } = await sandbox.control('GET', '/withdrawals?user_reference=ada')
    return (body['withdrawals'] as { transaction_uuid: string }[])[0]!.transaction_uuid
  }
  const step = async (uuid: string, verb: string): Promise<number> =>
    (await sandbox.control('POST', `/withdrawals/${uuid}/${verb}`)).status

  test('take only the steps that their state allows', async () => {
    const [large, small] = [await order('51'), await order('50')]
    expect(await step(large, 'complete')).toBe(409)
    expect(await step(small, 'approve')).toBe(409)
    expect(await step(large, 'approve')).toBe(200)
    expect([await step(large, 'complete'), await step(small, 'complete')]).toEqual([200, 200])
    expect(await step(large, 'fail')).toBe(409)
    expect(await step('nobody', 'complete')).toBe(404)
  })

  test('complete by themselves when the mode is set', async () => {
    await sandbox.control('PATCH', '/modes', { payouts_complete_after_ms: 20 })
    await order('5')
    await eventually(
      async () =>
        ((await sandbox.control('GET', '/withdrawals')).body['withdrawals'] as { status: string }[])[0]?.status,
    ).toBe('TXN_PROVIDER_SUCCEEDED')
  })
})

describe('on-ramp sessions', () => {
  const create = async (more: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const { body } = await sandbox.call('POST', '/v1/user/payments', {
      payment_type: 'ON_RAMP',
      country: 'DE',
      currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
      amount: '100',
      fiat_currency: 'EUR',
      redirect_url: 'https://merchant.example/back',
      user_reference_id: 'ada',
      session_reference: 'one',
      ...more,
    })
    return body
  }
  const step = (status: string, body: Record<string, unknown> = {}) =>
    sandbox.control('POST', `/onramp-sessions/one/${status}`, body)
  const deposits = async () =>
    (await sandbox.control('GET', '/transactions?type=Deposit')).body['transactions'] as Record<string, unknown>[]

  test('go through every state on the way, and not back', async () => {
    await create()
    expect((await step('succeeded', { to_amount: '0.25' })).body['session']).toMatchObject({
      status: 'succeeded',
      to_amount: '0.25',
    })
    for (const status of ['pending', 'processing', 'failed', 'succeeded']) expect((await step(status)).status).toBe(409)
    const { body } = await sandbox.control('GET', '/webhooks')
    expect(
      (body['webhooks'] as { event: string; status: string }[]).map(({ event, status }) => `${event} ${status}`),
    ).toEqual([
      'User Deposit succeeded',
      'User Deposit processing',
      'User Onramp succeeded',
      'User Onramp processing',
      'User Onramp pending',
    ])
  })

  test('cause a deposit before the event, with another amount, or none, depending on the mode', async () => {
    await sandbox.control('PATCH', '/modes', { onramp_deposit: 'before' })
    await create()
    await step('succeeded', { deposit_amount: '0.2' })
    const { body } = await sandbox.control('GET', '/webhooks?limit=1')
    expect((body['webhooks'] as { event: string }[])[0]!.event).toBe('User Onramp')
    expect(await deposits()).toMatchObject([{ amount: '0.2' }])
    await sandbox.control('PATCH', '/modes', { onramp_deposit: 'off' })
    await create()
    await step('succeeded')
    expect(await deposits()).toHaveLength(1)
  })

  test('to a custom wallet cause no deposit', async () => {
    await sandbox.control('PATCH', '/merchants/test-merchant', { allow_custom_external_wallet: true })
    await create({ custom_wallet_address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' })
    await step('succeeded')
    expect(await deposits()).toEqual([])
  })

  test('are pending at once when the provider picks up on creation', async () => {
    await sandbox.control('PATCH', '/modes', { onramp_picks_up: 'on_create' })
    await create()
    expect((await sandbox.control('GET', '/onramp-sessions/one')).body['session']).toMatchObject({ status: 'pending' })
  })

  test('cannot buy what the provider does not sell', async () => {
    const body = await create({ currency_id: await currencyId(sandbox, 'LINK', 'Ethereum') })
    expect(body['errors']).toEqual({ currency_id: ['is not enabled for the merchant'] })
  })
})

describe('switches', () => {
  test('the list is long, short or empty', async () => {
    const lengths: number[] = []
    for (const currency_list of ['long', 'one', 'empty', 'usual']) {
      await sandbox.control('PATCH', '/modes', { currency_list })
      lengths.push(((await sandbox.call('GET', '/v1/merchant/currencies')).body as unknown as unknown[]).length)
    }
    expect(lengths).toEqual([300, 1, 0, 14])
  })

  test('a switch that is not there, or a value that it does not have, is 422', async () => {
    expect((await sandbox.control('PATCH', '/modes', { nothing: 1 })).status).toBe(422)
    expect((await sandbox.control('PATCH', '/modes', { page_size: 0 })).body['errors']).toHaveProperty('page_size')
  })

  test('a reset deletes everything and restores the modes of the start', async () => {
    const nonce = crypto.randomUUID()
    await sandbox.call('GET', '/v1/merchant/currencies', undefined, nonce)
    await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '1' })
    await sandbox.control('PATCH', '/modes', { approval_above: '7', page_size: 3 })
    await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: 'http://127.0.0.1:9/' })
    await sandbox.control('POST', '/faults', { target: '*', kind: 'garbage', times: 'always' })
    await sandbox.control('POST', '/reset')
    const { body } = await sandbox.control('GET', '/state')
    expect(body['counts']).toEqual({ addresses: 0, transactions: 0, sessions: 0, webhooks: 0, calls: 0, nonces: 0 })
    expect(body['modes']).toMatchObject({ approval_above: '50', page_size: 20 })
    expect(body['merchants']).toMatchObject([{ webhook_url: null }])
    expect((await sandbox.call('GET', '/v1/merchant/currencies', undefined, nonce)).status).toBe(200)
  })
})

test('the log has all calls, and whether they were committed', async () => {
  const asked = { currency_id: await currencyId(sandbox, 'ETH', 'Ethereum'), user_reference: 'ada' }
  const nonce = crypto.randomUUID()
  await sandbox.call('POST', '/v1/user/deposit/address', asked, nonce)
  await sandbox.call('POST', '/v1/user/deposit/address', asked, nonce)
  const { body } = await sandbox.control('GET', '/calls?operation=deposit_address')
  expect(body['calls']).toMatchObject([
    {
      authentic: true,
      committed: true,
      response_status: 200,
      nonce,
      user_reference: 'ada',
      body: JSON.stringify(asked),
    },
    { authentic: false, committed: false, response_status: 401, nonce },
  ])
  const first = (body['calls'] as { id: number }[])[0]!.id
  expect((await sandbox.control('GET', `/calls?operation=deposit_address&after=${first}`)).body['calls']).toHaveLength(
    1,
  )
})

test('every route is listed with its description', async () => {
  const { body } = await sandbox.control('GET', '/routes')
  const routes = body['routes'] as { method: string; path: string; about: string }[]
  expect(routes.length).toBeGreaterThan(30)
  expect(routes.filter(({ about }) => about.length < 5)).toEqual([])
  expect((await sandbox.control('GET', '/nothing')).status).toBe(404)
})
