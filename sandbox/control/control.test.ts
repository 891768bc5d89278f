import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { USDT_ON_TRON, currencyId, testReceiver, testSandbox, eventually } from '../testing/test-sandbox.ts'
import type { TestSandbox } from '../testing/test-sandbox.ts'
import { callSummary, eventSummary } from './event-summary.ts'
import type { Overview } from './overview.ts'

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

  test('a form is refused, because it cannot send JSON', async () => {
    expect(await post({ 'content-type': 'text/plain' })).toBe(422)
  })

  test("the sandbox's own page is allowed", async () => {
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

  test('allow only the steps of their state', async () => {
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

  test('go through every state in between, and not back', async () => {
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

  test('can pay another amount in another currency than the session asks for', async () => {
    await create()
    const { body } = await step('succeeded', { from_amount: '90000', from_currency: 'USD' })
    expect(body).toMatchObject({ session: { from_amount: '90000', from_currency: 'USD' } })
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

  test('to a custom wallet are refused whatever its address, while the merchant may not use one', async () => {
    const body = await create({ custom_wallet_address: 'nowhere' })
    expect(body).toMatchObject({ error: true, message: 'custom_wallet_not_allowed_for_merchant' })
  })

  test('are pending at once if the provider picks them up on creation', async () => {
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

  test('an unknown switch or value is 422', async () => {
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

describe('the overview', () => {
  const overview = async (search = '') =>
    (await sandbox.control('GET', `/overview${search}`)).body as unknown as Overview
  const deposit = (user: string, amount: string) =>
    sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, user_reference: user, amount, confirm: true })
  const readList = (user: string) => sandbox.call('POST', '/v1/user/transactions', { user_reference_id: user })

  test('shows user, content and attempts of each webhook, with every digit', async () => {
    const receiver = await testReceiver()
    receiver.statuses.push(500)
    await sandbox.control('PATCH', '/modes', { webhook_retries_ms: [0] })
    await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: receiver.url })
    const amount = '0.100000000000000000000000000001'
    await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, user_reference: 'ada', amount })
    await eventually(async () => (await overview()).webhooks[0]?.state).toBe('delivered')
    expect((await overview()).webhooks).toMatchObject([
      {
        user: 'ada',
        what: `${amount} USDT on Tron`,
        status: 'processing',
        attempts: 2,
        log: [
          { response_status: 500, took_ms: expect.any(Number) as number },
          { response_status: 200, sent_at: expect.any(Number) as number },
        ],
      },
    ])
    receiver.close()
  })

  test('shows the same for each call, and combines equal calls in one row', async () => {
    await readList('ada')
    const currency_id = await currencyId(sandbox, 'BTC', 'Bitcoin')
    await sandbox.control('POST', '/faults', { target: 'withdraw', kind: 'refuse' })
    await sandbox.call('POST', '/v1/user/withdraw', {
      currency_id,
      amount: '0.5',
      wallet_address: 'bc1q9jtu32sqa5deparpszyyvg9mqlkp3h8gzkluff',
      user_reference_id: 'ada',
    })
    await sandbox.call('POST', '/v1/user/payments', {
      payment_type: 'ON_RAMP',
      country: 'DE',
      currency_id,
      amount: '150.00',
      fiat_currency: 'EUR',
      redirect_url: 'https://merchant.example/back',
      user_reference_id: 'ada',
    })
    await readList('ada')
    const { calls } = await overview('?user_reference=ada')
    expect(calls.map(({ operation, user, what, attempts }) => [operation, user, what, attempts])).toEqual([
      ['user_transactions', 'ada', '', 2],
      ['payments', 'ada', 'BTC on Bitcoin for 150.00 EUR', 1],
      ['withdraw', 'ada', '0.5 BTC on Bitcoin', 1],
    ])
    expect(calls[0]?.log.map(({ response_status }) => response_status)).toEqual([200, 200])
    expect(calls[2]?.log).toMatchObject([{ response_status: 400, fault: 'refuse', committed: false }])
  })

  test('shows only one user on request', async () => {
    await deposit('ada', '1')
    await deposit('bob', '2')
    for (const user of ['ada', 'bob']) {
      const address = { currency_id: await currencyId(sandbox, 'USDT', 'Tron'), user_reference: user }
      await sandbox.call('POST', '/v1/user/deposit/address', address)
    }
    const all = await overview()
    expect(all.users).toEqual(expect.arrayContaining(['ada', 'bob']))
    const { recent, webhooks, addresses, calls, users } = await overview('?user_reference=ada')
    expect(new Set([...recent, ...webhooks, ...addresses, ...calls].map(({ user }) => user))).toEqual(new Set(['ada']))
    expect([recent.length, webhooks.length, addresses.length, calls.length]).toEqual([1, 2, 1, 1])
    expect(users).toEqual(all.users)
  })

  test('an event that is not JSON does not hide other rows', async () => {
    expect(eventSummary('<html>')).toEqual({ user: null, what: '' })
    expect(eventSummary('{"transaction":[1],"user_reference":{}}')).toEqual({ user: null, what: '' })
    expect(callSummary('{"amount":5,"currency_id":"no such"}')).toBe('5')
  })

  test('shows the modes in groups and in words, and marks changed modes', async () => {
    const changed = async () =>
      (await overview()).mode_groups.flatMap(({ modes }) => modes.filter((one) => one.changed).map(({ name }) => name))
    await sandbox.control('PATCH', '/modes', { approval_above: '1000' })
    expect(await changed()).toEqual([])
    await sandbox.control('PATCH', '/modes', { webhooks: 'off', webhook_retries_ms: [1] })
    expect(await changed()).toEqual(['webhooks', 'webhook_retries_ms'])
    const { mode_groups } = await overview()
    expect(mode_groups.find(({ title }) => title === 'Webhooks')?.modes[0]).toMatchObject({
      label: 'Webhooks',
      value: 'off',
      usual: 'on',
      choices: [
        { value: 'on', label: 'are sent' },
        { value: 'off', label: 'are kept unsent' },
      ],
    })
  })
})

test('with widget_link elsewhere the payment page has another host than the sandbox', async () => {
  const buy = async () => {
    const { body } = await sandbox.call('POST', '/v1/user/payments', {
      payment_type: 'ON_RAMP',
      country: 'DE',
      currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
      amount: '150.00',
      fiat_currency: 'EUR',
      redirect_url: 'https://merchant.example/back',
      user_reference_id: 'ada',
    })
    return new URL(String(body['link'])).origin
  }
  expect(await buy()).toBe(sandbox.origin)
  await sandbox.control('PATCH', '/modes', { widget_link: 'elsewhere' })
  expect(await buy()).toBe('https://pay.example')
})

describe('without a call of the merchant', () => {
  const coin = { user_reference: 'ada', currency: 'USDT', network: 'Tron' }

  test('a payout is made, with an address that is valid for its network', async () => {
    const made = await sandbox.control('POST', '/withdrawals', { ...coin, amount: '5', requires_approval: true })
    expect(made.body['transaction']).toMatchObject({ type: 'Payout', status: 'TXN_AWAITING_APPROVAL', amount: '5' })
    const { to_address } = made.body['transaction'] as { to_address: string }
    expect(to_address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    const uuid = uuidOf(made.body)
    await sandbox.control('POST', `/withdrawals/${uuid}/approve`)
    expect((await sandbox.control('POST', `/withdrawals/${uuid}/complete`)).status).toBe(200)
  })

  test('a purchase is made, and can be advanced by its reference', async () => {
    const made = await sandbox.control('POST', '/onramp-sessions', { ...coin, amount: '80', session_reference: 'one' })
    expect(made.body['session']).toMatchObject({ status: 'created', amount: '80', fiat_currency: 'EUR', country: 'DE' })
    expect((await fetch((made.body['session'] as { link: string }).link)).status).toBe(200)
    expect((await sandbox.control('POST', '/onramp-sessions/one/succeeded')).status).toBe(200)
  })

  test.each([
    ['/withdrawals', { ...coin, amount: '0' }, 'amount'],
    ['/onramp-sessions', { ...coin, amount: '80', country: 'XX' }, 'country'],
    ['/restart', { down_ms: -1 }, 'down_ms'],
  ])('%s names a wrong field', async (path, body, field) => {
    const refused = await sandbox.control('POST', path, body)
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([422, [field]])
  })
})

test('webhooks with a later delivery attempt are found, also older ones that were sent again', async () => {
  const receiver = await testReceiver()
  try {
    await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: receiver.url })
    for (const amount of ['1', '2']) await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount })
    await eventually(() => receiver.deliveries.length).toBe(2)
    type Row = { id: number; log: readonly { id: number }[] }
    const attempted = async (after: number) =>
      (await sandbox.control('GET', `/webhooks?attempt_after=${after}`)).body['webhooks'] as readonly Row[]
    await eventually(() => attempted(0)).toHaveLength(2)
    const [newest, oldest] = await attempted(0)
    const last = newest!.log.at(-1)!.id
    expect(await attempted(last)).toEqual([])
    await sandbox.control('POST', `/webhooks/${oldest!.id}/redeliver`)
    await eventually(async () => (await attempted(last)).map(({ id }) => id)).toEqual([oldest!.id])
    expect((await attempted(0)).map(({ id }) => id)).toEqual([oldest!.id, newest!.id])
  } finally {
    receiver.close()
  }
})

test('a restart refuses connections, and loses neither data nor the webhook that waits', async () => {
  const receiver = await testReceiver()
  const presence = () =>
    sandbox.control('GET', '/state').then(
      () => 'there',
      () => 'away',
    )
  try {
    await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: receiver.url })
    await sandbox.control('PATCH', '/modes', { webhook_retries_ms: [50], deposits_confirm_after_ms: 50 })
    receiver.statuses.push(500)
    await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '7' })
    expect((await sandbox.control('POST', '/restart', { down_ms: 500 })).status).toBe(200)
    await eventually(presence).toBe('away')
    await eventually(presence).toBe('there')
    await eventually(() => receiver.deliveries.map(({ event }) => event.transaction.status).toSorted()).toEqual([
      'processing',
      'processing',
      'succeeded',
    ])
    expect((await sandbox.control('GET', '/transactions')).body['transactions']).toMatchObject([{ amount: '7' }])
  } finally {
    receiver.close()
  }
})
