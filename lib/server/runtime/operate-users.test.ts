/** The console's stories and its page of a user: who may read and do what, and that each look and act is noted. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { storySchema } from '#lib/contract/operate/story.ts'
import { checkedUser, erasedUser, statementPage, userView } from '#lib/contract/operate/users.ts'
import { createStatement } from '../merchant/statement.ts'
import { depositEdge, pagedGateway } from '../reconcile/testing/user-list.ts'
import { sampleCurrency, sampleQuarantined, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const LISTED = '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11'
const HOUR = 3_600_000
let server: TestServer
let viewer: OperatorVisitor
let agent: OperatorVisitor
let admin: OperatorVisitor

beforeAll(async () => {
  const listed = depositEdge(LISTED, Date.now() - HOUR, 'TXN_PROVIDER_SUCCEEDED')
  server = await startTestServer({
    config: testConfig({}),
    databaseUrl: 'file::memory:',
    gateway: pagedGateway([listed]),
    useCases: { statement: (query) => createStatement(server.store, Date.now)(query) },
  })
  viewer = await operatorVisitor(server, 'viewer')
  agent = await operatorVisitor(server, 'agent')
  admin = await operatorVisitor(server, 'admin')
})
afterAll(() => server.stop())

/** The newest entries of the audit log. */
const noted = (count = 1) => server.store.audit.page(null, count)

/** A user with a balance, a withdrawal, and two sessions. */
async function newUser(user: string): Promise<void> {
  const { store } = server
  for (const id of [`${user}-s1`, `${user}-s2`])
    await store.sessions.addSession(
      {
        ...{ id, user_reference_id: user, flows: ['deposit'], locale: null, theme: null, tokens: null },
        ...{ support_url: null, country: 'DE', currency_ids: null, return_url: null, created_ms: server.now },
      },
      { hash: `hash of ${id}`, expires_ms: server.now + HOUR },
    )
  const owner = { user_reference_id: user, currency_id: 'c1' }
  const adjustment = { booking: 'adjustment', posting_key: `adjustment:${user}:order-1`, amount: decimal('9') } as const
  const id = `w-${user}`
  await seed(store, {
    currencies: [sampleCurrency],
    bookings: [
      { ...owner, ...adjustment },
      { ...owner, booking: 'hold', posting_key: `hold:${id}`, amount: decimal('1.5') },
      { ...owner, booking: 'payout', posting_key: `payout:${id}`, amount: decimal('1.5') },
    ],
    withdrawals: [
      sampleWithdrawal({
        ...{ id, user_reference_id: user, idempotency_key: id, status: 'succeeded', funds: 'paid', postings: 2 },
        created_ms: server.now,
      }),
    ],
    quarantine: [sampleQuarantined({ user_reference_id: user })],
  })
}

const post = (visitor: OperatorVisitor, path: string, body: unknown) => visitor.call(path, { method: 'POST', body })

test('a viewer reads a user, and the audit log says so; of a user that nobody knows there is nothing', async () => {
  await newUser('u1')
  const answer = await viewer.call('/api/operate/users/u1')
  const view = userView.parse(await answer.json())
  expect(view).toMatchObject({
    ...{ user_reference_id: 'u1', is_known: true, quarantine: [{ reason: 'stale', settled_at: null }] },
    balances: [{ currency_code: 'USDT', available: '7.5', held: '0', value: null }],
    withdrawals: [{ id: 'w-u1', status: 'succeeded', amount: '1.5' }],
    sent_to: [{ address: 'TAddress', count: 1 }],
    list: { is_unchecked: false },
  })
  expect(view.sessions.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  expect(await noted()).toMatchObject([
    { action: 'user.open', operator_name: viewer.name, about_id: 'u1', user_reference_id: 'u1' },
  ])
  expect((await viewer.call('/api/operate/users/nobody')).status).toBe(404)
  expect((await viewer.call('/api/operate/users/no%20body')).status).toBe(422)
})

test('the statement has the balance after each entry, newest first, on every page, and as a file', async () => {
  await newUser('u2')
  const { store } = server
  const read = async (after = '') =>
    statementPage.parse(await (await viewer.call(`/api/operate/users/u2/statement?after=${after}`)).json())
  const first = await read()
  expect(first.entries.map((one) => [one.account, one.reason, one.amount, one.balance])).toEqual([
    ['held', 'payout', '-1.5', '0'],
    ['held', 'withdrawal', '1.5', '1.5'],
    ['available', 'withdrawal', '-1.5', '7.5'],
    ['available', 'adjustment', '9', '9'],
  ])
  expect([first.next, first.entries[0]?.withdrawal_id, first.entries[3]?.reference]).toEqual([null, 'w-u2', 'order-1'])
  const owner = { user_reference_id: 'u2', currency_id: 'c1', booking: 'adjustment', amount: decimal('1') } as const
  for (let n = 0; n < 100; n += 1)
    await seed(store, { bookings: [{ ...owner, posting_key: `adjustment:u2:more-${String(n)}` }] })
  const newest = await read()
  // Booked between two pages: the older pages do not change.
  await seed(store, { bookings: [{ ...owner, posting_key: 'adjustment:u2:between' }] })
  const pages = [newest, await read(newest.next ?? '')]
  pages.push(await read(pages[1]?.next ?? ''))
  const entries = pages.flatMap((page) => page.entries)
  expect(entries.map(({ account, balance }) => `${account} ${balance}`).slice(0, 100)).toEqual(
    Array.from({ length: 100 }, (_item, index) => `available ${String(107.5 - index)}`),
  )
  expect(entries.at(-1)).toMatchObject({ reason: 'adjustment', balance: '9' })
  expect(pages.at(-1)?.next).toBeNull()
  expect((await viewer.call('/api/operate/users/u2/statement?after=x')).status).toBe(422)
  const file = await viewer.call('/api/operate/users/u2/statement.csv')
  expect(await file.text()).toContain('closing')
  expect(await noted()).toMatchObject([{ action: 'user_statement.export', user_reference_id: 'u2' }])
})

test('an agent ends one session or all, of this user only, with a reason', async () => {
  await newUser('u3')
  await newUser('u4')
  const path = '/api/operate/users/u3/ended-sessions'
  expect(await problem(await post(viewer, path, { session_id: null, reason: 'r' }))).toMatchObject({
    code: 'role_required',
  })
  expect((await post(agent, path, { session_id: null, reason: '' })).status).toBe(422)
  expect((await post(agent, path, { session_id: 'u4-s1', reason: 'r' })).status).toBe(404)
  expect(await (await post(agent, path, { session_id: 'u3-s1', reason: 'stolen' })).json()).toEqual({ ended: 1 })
  const ended = { action: 'user.end_sessions', operator_name: agent.name }
  expect(await noted()).toMatchObject([{ ...ended, ended: 'done', reason: 'stolen', user_reference_id: 'u3' }])
  expect(await (await post(agent, path, { session_id: null, reason: 'all' })).json()).toEqual({ ended: 1 })
  const stateOf = async (id: string) => (await server.store.sessions.findSession(id))?.ended_ms !== null
  expect([await stateOf('u3-s2'), await stateOf('u4-s1')]).toEqual([true, false])
})

test('an agent compares the user with the gateway’s list now', async () => {
  await server.store.users.ensure('user_1', server.now)
  const path = '/api/operate/users/user_1/check'
  expect((await post(viewer, path, { reason: 'r' })).status).toBe(403)
  expect((await post(agent, '/api/operate/users/nobody/check', { reason: 'r' })).status).toBe(404)
  const done = checkedUser.parse(await (await post(agent, path, { reason: 'a ticket' })).json())
  expect(done).toMatchObject({ state: 'done', failure: null, currencies: [{ difference: '0' }], open_payouts: [] })
  expect((await noted())[0]).toMatchObject({ action: 'user.check', reason: 'a ticket', user_reference_id: 'user_1' })
  const story = storySchema.parse(await (await viewer.call(`/api/operate/stories/transactions/${LISTED}`)).json())
  expect(story).toMatchObject({ kind: 'deposit', user_reference_id: 'user_1' })
  expect(await noted()).toMatchObject([{ action: 'transaction.open', about_id: LISTED, user_reference_id: 'user_1' }])
})

test('a withdrawal’s story is read by its id', async () => {
  await newUser('u5')
  const story = storySchema.parse(await (await viewer.call('/api/operate/stories/withdrawals/w-u5')).json())
  expect(story).toMatchObject({ kind: 'withdrawal', withdrawal_id: 'w-u5', user_reference_id: 'u5' })
  expect((await viewer.call('/api/operate/stories/withdrawals/nobody')).status).toBe(404)
  expect((await fetch(`${server.url}/api/operate/stories/withdrawals/w-u5`)).status).toBe(401)
})

test('only an admin with a fresh touch erases, after typing the reference, and is told what was kept', async () => {
  await newUser('u6')
  const path = '/api/operate/users/u6/erasure'
  const given = { user_reference_id: 'u6', reason: 'asked for it' }
  expect((await post(agent, path, given)).status).toBe(403)
  expect((await post(admin, path, { ...given, user_reference_id: 'u5' })).status).toBe(422)
  const stale = await operatorVisitor(server, 'admin')
  server.now += 6 * 60_000
  expect(await problem(await post(stale, path, given))).toMatchObject({ code: 'fresh_passkey_required' })
  server.now -= 6 * 60_000
  const done = erasedUser.parse(await (await post(admin, path, given)).json())
  expect(done).toMatchObject({
    state: 'erased',
    quarantined: 1,
    balances: [{ currency_code: 'USDT', available: '7.5' }],
  })
  expect(await noted(2)).toMatchObject([
    { action: 'user.erased', operator_name: admin.name },
    { action: 'user.erase', ended: 'done', operator_name: admin.name, user_reference_id: null },
  ])
  expect((await viewer.call('/api/operate/users/u6')).status).toBe(404)
  const pseudonym = done.state === 'erased' ? done.pseudonym : ''
  expect(userView.parse(await (await viewer.call(`/api/operate/users/${pseudonym}`)).json())).toMatchObject({
    ...{ is_known: false, sessions: [], addresses: [], withdrawals: [{ id: 'w-u6', to_address: '' }] },
  })
})

test('what is open keeps a user from being erased', async () => {
  await newUser('u7')
  await seed(server.store, { quarantine: [sampleQuarantined({ user_reference_id: 'u7', reason: 'contradiction' })] })
  const done = erasedUser.parse(
    await (
      await post(admin, '/api/operate/users/u7/erasure', { user_reference_id: 'u7', reason: 'asked for it' })
    ).json(),
  )
  expect(done).toMatchObject({ state: 'open', open: [{ what: 'quarantine', status: 'contradiction' }] })
  expect(await noted()).toMatchObject([{ action: 'user.erase', ended: 'refused', reason: 'asked for it' }])
  expect((await viewer.call('/api/operate/users/u7')).status).toBe(200)
})
