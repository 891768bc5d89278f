/** Who may decide in the console, and what a call needs. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleFact, sampleQuarantined, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { OPERATOR_LIMITS } from './http/authenticate-operator.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { decisionActs } from './testing/decision-acts.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
const why = { reason: 'The gateway says so.' }

let server: TestServer
let agent: OperatorVisitor
let viewer: OperatorVisitor

beforeAll(async () => {
  server = await startTestServer({
    config: testConfig({ TWO_PERSONS_ABOVE: 'USDT=1000' }),
    databaseUrl: 'file::memory:',
    acts: (store, clock) => decisionActs({ store, clock }),
  })
  await server.store.users.ensure('u', 1)
})
afterAll(() => server.stop())
beforeEach(async () => {
  agent = await operatorVisitor(server, 'agent')
  viewer = await operatorVisitor(server, 'viewer')
})

/** A withdrawal of this amount whose outcome is unknown. */
async function unknown(amount: string): Promise<string> {
  const id = crypto.randomUUID()
  const booking = { user_reference_id: 'u', currency_id: 'c1', amount: decimal(amount) }
  await seed(server.store, {
    bookings: [
      { ...booking, booking: 'adjustment', posting_key: `adjustment:${id}` },
      { ...booking, booking: 'hold', posting_key: `hold:${id}` },
    ],
    withdrawals: [
      sampleWithdrawal({
        id,
        idempotency_key: id,
        amount: decimal(amount),
        status: 'unknown',
        created_ms: server.now,
        called_ms: server.now,
        call_ended_ms: server.now,
        next_check_ms: server.now,
      }),
    ],
  })
  return id
}

const post = (who: OperatorVisitor, path: string, body: unknown) =>
  who.call(`/api/operate/${path}`, { method: 'POST', body })

/** The acts, and whether each moves money and so needs a fresh passkey. */
const ACTS = [
  ['withdrawals/w1/approval', why, true],
  ['withdrawals/w1/decline', why, false],
  ['withdrawals/w1/resolution', { outcome: 'not_sent', ...why }, true],
  [`payouts/${UUID}/owner`, { acknowledged: true, ...why }, true],
  ['quarantine/applications', { ids: ['1'], ...why }, true],
  ['quarantine/dismissals', { ids: ['999999'], ...why }, false],
  ['proposals/p1/confirmation', why, true],
  ['proposals/p1/refusal', why, false],
] as const

test.each(ACTS)('%s is for agents, with a reason, and from our own page', async (path, body, needsTouch) => {
  expect(await problem(await post(viewer, path, body))).toMatchObject({ status: 403, code: 'role_required' })
  const { reason: _reason, ...bare } = body
  for (const reason of [undefined, '', '  '])
    expect(await problem(await post(agent, path, { ...bare, reason }))).toMatchObject({ code: 'invalid_request' })
  const elsewhere = { method: 'POST', body, headers: { origin: 'https://evil.example' } }
  expect(await problem(await agent.call(`/api/operate/${path}`, elsewhere))).toMatchObject({ code: 'forbidden_origin' })
  const now = server.now
  server.now = now + OPERATOR_LIMITS.freshMs
  const stale = await post(agent, path, body)
  server.now = now
  expect(stale.status === 403 && (await stale.json())).toEqual(
    needsTouch ? expect.objectContaining({ code: 'fresh_passkey_required' }) : false,
  )
})

test('what a person needs is shown to viewers, and each look is noted', async () => {
  const id = await unknown('10')
  const shown = await viewer.call(`/api/operate/withdrawals/${id}/decision`)
  expect(await shown.json()).toMatchObject({ withdrawal: { id }, can_settle: true, needs_two: false })
  expect((await server.store.audit.page(null, 1))[0]).toMatchObject({
    operator_name: viewer.name,
    action: 'withdrawal.weigh',
    about_id: id,
    user_reference_id: 'u',
  })
  for (const path of ['withdrawals/none/decision', 'payouts/none', 'quarantine/none'])
    expect((await viewer.call(`/api/operate/${path}`)).status).toBe(404)
})

test('a withdrawal is settled, and a second person is told by whom', async () => {
  const id = await unknown('10')
  const settled = await post(agent, `withdrawals/${id}/resolution`, { outcome: 'not_sent', ...why })
  expect([settled.status, await settled.json()]).toMatchObject([
    200,
    { result: 'done', withdrawal: { status: 'failed', resolution: { settled_by: `operator:${agent.name}` } } },
  ])
  const other = await operatorVisitor(server, 'agent')
  const late = await post(other, `withdrawals/${id}/resolution`, { outcome: 'not_sent', ...why })
  expect(await problem(late)).toMatchObject({ status: 409, settled_by: `operator:${agent.name}` })
})

test('above TWO_PERSONS_ABOVE it waits for a second person', async () => {
  const id = await unknown('1000.01')
  const proposed = await post(agent, `withdrawals/${id}/resolution`, { outcome: 'not_sent', ...why })
  expect(proposed.status).toBe(202)
  const { proposal } = (await proposed.json()) as { proposal: { id: string } }
  const path = `proposals/${proposal.id}/confirmation`
  expect((await post(agent, path, why)).status).toBe(409)
  const { proposals } = (await (await viewer.call('/api/operate/proposals')).json()) as { proposals: unknown[] }
  expect(proposals).toMatchObject([{ id: proposal.id, is_own: false }])
  const other = await operatorVisitor(server, 'admin')
  expect(await (await post(other, path, why)).json()).toMatchObject({
    proposal: { outcome: 'done', decided_by: other.name },
  })
  expect(await (await viewer.call('/api/operate/proposals')).json()).toEqual({ proposals: [] })
})

test('a payout and its line of the quarantine; dismissing it needs a fresh passkey', async () => {
  const id = await unknown('10')
  const fact = sampleFact({
    kind: 'payout',
    transaction_uuid: UUID,
    status: 'succeeded',
    source: 'reconciliation',
    amount: decimal('9.4'),
    to_address: 'TAddress',
  })
  const insertedAt = new Date(server.now).toISOString()
  await applyOneFact(server.store, fact, { insertedMs: server.now, insertedAt, ledgerStartMs: 0 })
  expect(await (await viewer.call(`/api/operate/payouts/${UUID}`)).json()).toMatchObject({
    payout: { transaction_uuid: UUID, owner: null },
    owners: expect.arrayContaining([
      expect.objectContaining({ is_likely: true, withdrawal: expect.objectContaining({ id }) as unknown }),
    ]) as unknown,
  })
  const open = await server.store.quarantine.list({ reason: 'unmatched_payout', settled: false, after: 0, limit: 1 })
  const lineId = String(open[0]?.id)
  const line = await viewer.call(`/api/operate/quarantine/${lineId}`)
  expect(await line.json()).toMatchObject({ acknowledges: UUID, can_apply: false })
  server.now += OPERATOR_LIMITS.freshMs
  const stale = await post(agent, 'quarantine/dismissals', { ids: [lineId], ...why })
  server.now -= OPERATOR_LIMITS.freshMs
  expect(await problem(stale)).toMatchObject({ code: 'fresh_passkey_required' })
  expect(await (await post(agent, 'quarantine/dismissals', { ids: [lineId, lineId], ...why })).json()).toMatchObject({
    results: [{ id: lineId, result: 'dismissed' }],
  })
})

test('at most 200 lines at once', async () => {
  await seed(server.store, { quarantine: [sampleQuarantined({ reason: 'overdue' })] })
  const ids = Array.from({ length: 201 }, (_, n) => String(n + 1))
  expect(await problem(await post(agent, 'quarantine/dismissals', { ids, ...why }))).toMatchObject({
    errors: { ids: ['must name at most 200 lines'] },
  })
  const most = await post(agent, 'quarantine/dismissals', { ids: ids.slice(0, 200), ...why })
  expect(((await most.json()) as { results: unknown[] }).results).toHaveLength(200)
})
