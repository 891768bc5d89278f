/** Names and characters that mean something to JavaScript or to a database, in every text field. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { CURRENCY } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { asMerchant, newVisitor, postLaunch } from './testing/visitor.ts'
import { startWholeServer, type WholeServer } from './testing/whole-server.ts'

const create = (server: WholeServer, body: object): Promise<Response> =>
  asMerchant(server, '/api/merchant/sessions', {
    method: 'POST',
    body: JSON.stringify({ user_reference_id: 'player-1', ...body }),
  })

describe.each(FLAVOURS)('odd texts on %s', (flavour) => {
  let database: TestDatabase
  let server: WholeServer
  beforeAll(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    server = await startWholeServer(testConfig({ DATABASE_URL: database.url, RATE_LIMIT: 'off' }))
  })
  afterAll(async () => {
    await server.stop()
    await database.remove()
  })

  test.each(Object.getOwnPropertyNames(Object.prototype))('%s is an ordinary name everywhere', async (name) => {
    const visitor = await newVisitor(server)
    const answers = [
      await create(server, { [name]: 'x' }),
      await create(server, { tokens: { [name]: 'x' } }),
      await create(server, { metadata: JSON.parse(`{"${name}":1}`) as unknown }),
      await create(server, {
        user_reference_id: name,
        flows: [name],
        theme: name,
        country: name,
        currency_ids: [name],
      }),
      await create(server, { support_url: name, return_url: name, account_label: name, own_wallet: name }),
      await asMerchant(server, `/api/merchant/events?after=${name}`),
      await asMerchant(server, `/api/merchant/sessions/${name}`, { method: 'DELETE' }),
      await asMerchant(server, `/api/merchant/users/u/adjustments`, {
        method: 'POST',
        body: JSON.stringify({ currency_id: 7, amount: name, reference: 'ü', [name]: name }),
      }),
      await visitor.call(`/api/cashier/transactions?time_range=${name}&${name}=1`),
      await visitor.call('/api/cashier/withdrawals', {
        method: 'POST',
        body: JSON.stringify({ currency_id: CURRENCY, amount: name, wallet_address: `${name} `, [name]: name }),
      }),
      await postLaunch(server, name, {}, { locale: name, theme: name }),
      await fetch(`${server.url}/messages/${name}`),
      await fetch(`${server.url}/${name}`),
    ]
    for (const answer of answers) {
      expect(answer.status, answer.url).toBeLessThan(500)
      await answer.arrayBuffer()
    }
  })

  test('a NUL is refused everywhere, before it reaches the database', async () => {
    const visitor = await newVisitor(server)
    const answers = {
      path: await visitor.call('/api/cashier/withdrawals/%00'),
      'path in a page': await visitor.call('/c/%00/deposit'),
      query: await visitor.call('/api/cashier/transactions?after=%00'),
      'name in a query': await visitor.call('/api/cashier/transactions?%00=1'),
      'query of the stream': await visitor.call(`/api/cashier/events?session=${visitor.id}%00`),
      body: await visitor.call('/api/cashier/deposit-addresses', {
        method: 'POST',
        body: '{"currency_id":"a\\u0000"}',
      }),
      form: await postLaunch(server, 'a\0'),
      'a feed': await asMerchant(server, '/api/merchant/events?after=%00'),
      'a user': await asMerchant(server, '/api/merchant/users/%00/balances'),
      'a session': await asMerchant(server, '/api/merchant/sessions/%00', { method: 'DELETE' }),
      'a withdrawal': await asMerchant(server, '/api/merchant/withdrawals/%00'),
      'a payout': await asMerchant(server, '/api/merchant/payouts/%00/owner', {
        method: 'POST',
        body: '{"acknowledged":true,"note":"x"}',
      }),
      language: await fetch(`${server.url}/messages/%00`),
    }
    for (const [where, answer] of Object.entries(answers)) {
      const expected = where === 'path in a page' ? [200, 404] : [400, 401, 404, 422]
      expect(expected, where).toContain(answer.status)
    }
  })
})
