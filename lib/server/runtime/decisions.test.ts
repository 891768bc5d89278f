/** Two persons decide, on both databases, each with an instance of their own. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { LineResult } from '#lib/contract/operate/decide.ts'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import type { WithdrawalColumns } from '../ledger/rows.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import { createAuditedAct, createRecordAudit } from '../operate/audit/record-audit.ts'
import type { Actor } from '../operate/decide/act.ts'
import { createStories } from '../operate/story/read-story.ts'
import {
  sampleFact,
  sampleOperator,
  sampleQuarantined,
  sampleRecord,
  sampleSession,
  sampleWithdrawal,
} from '../store/testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { Store } from '../store/types.ts'
import { composeDecisions, type ComposeDecisionsOptions } from './compose-decisions.ts'
import { decisionActs } from './testing/decision-acts.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000

const person = (name: string, role: OperatorRole = 'agent'): Actor & { readonly freshUntilMs: number } => ({
  id: `id of ${name}`,
  name,
  role,
  freshUntilMs: Infinity,
})
const ada = person('Ada')
const bob = person('Bob')
const why = { reason: 'The gateway says so.' }
const byAda = { settled_by: 'operator:Ada', settled_at: expect.any(String) as string }

const consoleParts = (store: Store) => ({
  stories: createStories({
    store,
    rules: { absenceMs: 3_600_000, overdueMs: DAY, giveUpMs: DAY, keepsBooks: true },
    clock: () => NOW,
  }),
  recordAudit: createRecordAudit(store),
  audited: createAuditedAct({
    store,
    onFault: (error) => {
      throw error
    },
  }),
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = NOW
  let sent = 0
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(async () => {
    for (const { id, name, role } of [ada, bob])
      await stores.one.operators.add({ ...sampleOperator, ...{ id, name, role, name_key: name.toLowerCase() } })
  })

  const consoleOn = (
    store: Store,
    twoPersonsAbove: Readonly<Record<string, string>> = {},
    {
      listed = [],
      ...others
    }: Partial<ReturnType<typeof consoleParts> & Pick<ComposeDecisionsOptions, 'acts'>> & {
      readonly listed?: readonly ListedRecord[]
    } = {},
  ) =>
    composeDecisions({
      store,
      clock: () => now,
      clockOffset: () => 0,
      config: { ledgerMode: 'embedded', twoPersonsAbove, withdrawalAbsenceS: 3600 },
      log: { error: () => undefined },
      acts: decisionActs({ store, clock: () => now, listed, onSent: () => (sent += 1) }),
      ...consoleParts(store),
      ...others,
    })

  async function withdrawal(more: Partial<WithdrawalColumns> = {}): Promise<string> {
    now = NOW
    sent = 0
    const row = sampleWithdrawal({
      amount: decimal('10'),
      status: 'unknown',
      called_ms: NOW,
      call_ended_ms: NOW,
      next_check_ms: NOW,
      ...more,
    })
    const booking = { user_reference_id: 'u', currency_id: 'c1', amount: row.amount }
    await stores.one.users.ensure('u', NOW)
    await seed(stores.one, {
      bookings: [
        { ...booking, booking: 'adjustment', posting_key: `adjustment:${row.id}` },
        { ...booking, booking: 'hold', posting_key: `hold:${row.id}` },
      ],
      withdrawals: [row],
    })
    return row.id
  }
  const pending = () => withdrawal({ status: 'pending_authorization', step: 'pending', called_ms: null })

  /** The list shows this payout, of an amount that no withdrawal has. */
  async function shown(transaction_uuid: string, more: Partial<Fact> = {}): Promise<void> {
    const payout = { kind: 'payout', transaction_uuid, status: 'succeeded', source: 'reconciliation' } as const
    const fact = sampleFact({ ...payout, amount: decimal('9.4'), to_address: 'TAddress', ...more })
    await stores.one.users.ensure('u', NOW)
    const insertedAt = new Date(now).toISOString()
    await applyOneFact(stores.one, fact, { insertedMs: now, insertedAt, ledgerStartMs: 0 })
  }

  /** What was done, without looks. */
  const audit = async () =>
    (await stores.one.audit.page(null, 20))
      .filter(({ reason }) => reason !== null)
      .map(({ action, operator_name: who, reason, ended }) => ({ did: `${who}: ${action}`, reason, outcome: ended }))
      .toReversed()
  const settledLines = () => stores.one.quarantine.list({ reason: null, settled: true, after: 0, limit: 99 })

  test('an approval sends the withdrawal once; who approved it is kept and audited with the reason', async () => {
    const id = await pending()
    const { decidePending, withdrawalDecision } = consoleOn(stores.one)
    expect(await withdrawalDecision(ada, id)).toMatchObject({
      can_approve: true,
      can_decline: true,
      can_settle: false,
      decided: null,
    })
    const approved = await decidePending(ada, id, 'approve', { ...why, user_message: ' Thank\nyou. ' })
    expect([approved.status, approved.user_message, sent]).toEqual(['processing', 'Thank you.', 1])
    expect(await withdrawalDecision(bob, id)).toMatchObject({
      can_approve: false,
      can_decline: false,
      decided: { by: 'operator:Ada', at: '2026-11-21T12:00:00.000Z', what: 'approved' },
    })
    expect(await audit()).toEqual([{ did: 'Ada: withdrawal.approve', reason: why.reason, outcome: 'done' }])
  })

  test('two persons approve and decline at once: one is heard, the other is told by whom and when', async () => {
    const id = await pending()
    const [one, two] = [consoleOn(stores.one), consoleOn(await stores.another())]
    const answers = await Promise.allSettled([
      one.decidePending(ada, id, 'approve', why),
      two.decidePending(bob, id, 'decline', why),
    ])
    const [adas, bobs] = answers
    const isApproved = adas.status === 'fulfilled'
    expect(bobs.status).toBe(isApproved ? 'rejected' : 'fulfilled')
    expect(sent).toBe(isApproved ? 1 : 0)
    const loser = isApproved ? bobs : adas
    expect(loser.status === 'rejected' && loser.reason).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(isApproved ? 'Ada was faster' : 'Bob was faster') as string,
      extras: { settled_by: isApproved ? 'operator:Ada' : 'operator:Bob' },
    })
    expect(await stores.one.withdrawals.find(id)).toMatchObject({
      decided_by: isApproved ? 'operator:Ada' : 'operator:Bob',
      status: isApproved ? 'processing' : 'failed',
    })
  })

  test('two persons who approve at once send once', async () => {
    const id = await pending()
    const [one, two] = [consoleOn(stores.one), consoleOn(await stores.another())]
    const answers = await Promise.allSettled([
      one.decidePending(ada, id, 'approve', why),
      two.decidePending(bob, id, 'approve', why),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(sent).toBe(1)
  })

  test('a decision that waits for the merchant’s answer is the first one’s', async () => {
    const id = await withdrawal({ status: 'pending_authorization', step: 'authorizing', called_ms: null })
    const { decidePending } = consoleOn(stores.one)
    await decidePending(ada, id, 'approve', why)
    await expect(decidePending(bob, id, 'approve', why)).rejects.toMatchObject({ code: 'conflict', extras: byAda })
    await expect(decidePending(bob, id, 'decline', why)).rejects.toMatchObject({ code: 'conflict', extras: byAda })
  })

  test('an approval before the end of a wait is kept, and can still be declined', async () => {
    const wait = { wait_until_ms: Date.now() + DAY, review: '["review_above"]' }
    const id = await withdrawal({ status: 'pending_authorization', step: 'pending', called_ms: null, ...wait })
    const { decidePending, withdrawalDecision } = consoleOn(stores.one)
    expect(await decidePending(ada, id, 'approve', why)).toMatchObject({ status: 'pending_authorization' })
    expect(await withdrawalDecision(bob, id)).toMatchObject({
      can_approve: false,
      can_decline: true,
      decided: { by: 'operator:Ada', what: 'approved' },
    })
    await expect(decidePending(bob, id, 'approve', why)).rejects.toMatchObject({ code: 'conflict', extras: byAda })
    expect(await decidePending(bob, id, 'decline', why)).toMatchObject({ status: 'failed' })
    expect([await stores.one.withdrawals.find(id), sent]).toMatchObject([{ decided_by: 'operator:Bob' }, 0])
    expect(await withdrawalDecision(ada, id)).toMatchObject({ decided: { by: 'operator:Bob', what: 'declined' } })
  })

  test('the merchant’s own decision is told as such', async () => {
    const id = await pending()
    await decisionActs({ store: stores.one, clock: () => now }).decide(id, { decision: 'decline' })
    await expect(consoleOn(stores.one).decidePending(bob, id, 'approve', why)).rejects.toMatchObject({
      detail: expect.stringContaining("The merchant's own server was faster") as string,
      extras: { settled_by: 'merchant' },
    })
  })

  test('two persons settle an uncertain one at once: one is heard', async () => {
    const id = await withdrawal()
    await shown('p1')
    const [one, two] = [consoleOn(stores.one), consoleOn(await stores.another())]
    const giveBack = () => two.settleUncertain(bob, id, { outcome: 'not_sent', ...why })
    await expect(giveBack()).rejects.toMatchObject({ code: 'conflict', extras: { unowned: ['p1'] } })
    await one.giveOwner(ada, 'p1', { acknowledged: true, ...why })
    const answers = await Promise.allSettled([
      one.settleUncertain(ada, id, { outcome: 'not_sent', ...why }),
      two.settleUncertain(bob, id, { outcome: 'not_sent', ...why }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [adas] = answers
    const winner = adas.status === 'fulfilled' ? 'operator:Ada' : 'operator:Bob'
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'conflict', extras: { settled_by: winner } })
    const row = await stores.one.withdrawals.find(id)
    expect(JSON.parse(row?.resolution ?? '')).toMatchObject({ settled_by: winner, note: why.reason })
    expect(await stores.one.ledger.balance('u', 'c1')).toMatchObject({ available: '10', held: '0' })
  })

  test.each([
    ['one person', {}],
    ['two persons', { USDT: '5' }],
  ])('%s cannot give back while an event without a user may tell of the payout', async (_who, above) => {
    const id = await withdrawal()
    const row = await stores.one.withdrawals.find(id)
    await seed(stores.one, {
      quarantine: [
        sampleQuarantined({
          ...{ reason: 'unknown_user', event_name: 'User Payout', user_reference_id: null, transaction_uuid: 'p1' },
          event: JSON.stringify({ transaction: { to_address: row?.wallet_address } }),
        }),
      ],
    })
    const { settleUncertain, settleLines, withdrawalDecision } = consoleOn(stores.one, above)
    const { evidence } = await withdrawalDecision(ada, id)
    expect(evidence).toContainEqual(expect.objectContaining({ code: 'event_unapplied', transaction_uuid: 'p1' }))
    const giveBack = () => settleUncertain(ada, id, { outcome: 'not_sent', ...why })
    const refused = { code: 'conflict', detail: expect.stringContaining('was not applied') as string }
    await expect(giveBack()).rejects.toMatchObject(refused)
    const lines = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    await settleLines(ada, 'dismiss', { ids: lines.map((line) => String(line.id)), ...why })
    expect(await giveBack()).toMatchObject({ result: 'USDT' in above ? 'proposed' : 'done' })
  })

  test.each([
    ['one person', {}],
    ['two persons', { USDT: '5' }],
  ])('%s cannot give back while another user has a payout of the list', async (_who, above) => {
    const id = await withdrawal()
    await stores.one.users.ensure('v', NOW)
    await seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({
          ...{ id: 'w2', idempotency_key: 'key-2', user_reference_id: 'v' },
          ...{ status: 'succeeded', called_ms: NOW, call_ended_ms: NOW, transaction_uuid: 'p1' },
        }),
      ],
      records: [sampleRecord({ user_reference_id: 'u', transaction_uuid: 'p1', seen_ms: NOW })],
    })
    const { settleUncertain, settleLines, withdrawalDecision } = consoleOn(stores.one, above)
    const { evidence } = await withdrawalDecision(ada, id)
    expect(evidence).toContainEqual(expect.objectContaining({ code: 'payout_of_another', transaction_uuid: 'p1' }))
    const giveBack = () => settleUncertain(ada, id, { outcome: 'not_sent', ...why })
    const refused = { code: 'conflict', detail: expect.stringContaining('p1') as string }
    await expect(giveBack()).rejects.toMatchObject(refused)
    const lines = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect(lines).toMatchObject([{ reason: 'list_conflict', user_reference_id: 'u', transaction_uuid: 'p1' }])
    await settleLines(ada, 'dismiss', { ids: lines.map((line) => String(line.id)), ...why })
    expect((await withdrawalDecision(ada, id)).evidence.map(({ code }) => code)).toContain('no_open_payout')
    expect(await giveBack()).toMatchObject({ result: 'USDT' in above ? 'proposed' : 'done' })
  })

  test('the evidence of an uncertain one, with the payouts that it may be', async () => {
    const id = await withdrawal()
    await shown('p1')
    await stores.one.sessions.addSession(sampleSession({ locale: 'de', created_ms: NOW }), { hash: 'h', expires_ms: 1 })
    const found = await consoleOn(stores.one, { USDT: '5' }).withdrawalDecision(ada, id)
    expect(found.evidence.map(({ code }) => code)).toEqual([
      'no_reply',
      'open_payout_differs',
      'list_not_read_since',
      'absence_not_due',
    ])
    expect(found.payouts).toMatchObject([{ payout: { transaction_uuid: 'p1' }, needs_two: true }])
    expect(found).toMatchObject({ can_settle: true, needs_two: true, locale: 'de' })
    expect(found.user_reads.not_sent).toContain('10')
    expect(found.user_reads.decline).toBe(
      'Es wurde nichts gesendet. Ihre 10\u00a0USDT sind wieder verfügbar. Die Website, von der Sie kamen, hat die Auszahlung abgelehnt.',
    )
  })

  test('a payout goes to the withdrawal that a person chose beside it; a second person is told', async () => {
    const id = await withdrawal()
    await shown('p1')
    const { payoutDecision, giveOwner } = consoleOn(stores.one)
    const { owners } = await payoutDecision(ada, 'p1')
    expect(owners).toMatchObject([{ withdrawal: { id }, is_likely: true, needs_two: false }])
    expect(owners[0]?.compared.filter(({ is }) => is === 'differ')).toMatchObject([
      { field: 'amount', amount_over: '-0.6' },
    ])
    const given = await giveOwner(ada, 'p1', { withdrawal_id: id, ...why })
    expect(given).toMatchObject({
      result: 'done',
      payout: { owner: 'withdrawal', withdrawal_id: id, note: why.reason },
    })
    expect(await settledLines()).toMatchObject([{ reason: 'unmatched_payout', settled_by: 'operator:Ada' }])
    await expect(giveOwner(bob, 'p1', { acknowledged: true, ...why })).rejects.toMatchObject({
      code: 'conflict',
      extras: byAda,
    })
    expect(await payoutDecision(bob, 'p1')).toMatchObject({ owners: [], settled: { by: 'operator:Ada' } })
  })

  test('two persons give one payout two owners at once: one is heard', async () => {
    const id = await withdrawal()
    const other = await withdrawal({ id: 'w2', idempotency_key: 'key-2' })
    await shown('p1')
    const [one, two] = [consoleOn(stores.one), consoleOn(await stores.another())]
    const answers = await Promise.allSettled([
      one.giveOwner(ada, 'p1', { withdrawal_id: id, ...why }),
      two.giveOwner(bob, 'p1', { withdrawal_id: other, ...why }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [adas] = answers
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({
          extras: { settled_by: adas.status === 'fulfilled' ? 'operator:Ada' : 'operator:Bob' },
        })
  })

  describe('above TWO_PERSONS_ABOVE', () => {
    const two = (store = stores.one) => consoleOn(store, { USDT: '9' })
    const proposed = async (outcome: 'not_sent' = 'not_sent') => {
      const id = await withdrawal()
      const result = await two().settleUncertain(ada, id, { outcome, ...why })
      if (result.result !== 'proposed') throw new Error('nothing was proposed')
      return result.proposal
    }

    test('what is given back waits for a second person, who is not the first and no viewer', async () => {
      const proposal = await proposed()
      expect(proposal).toMatchObject({ kind: 'not_sent', subject: 'w1', amount: '10', is_own: true, outcome: null })
      const { proposals, withdrawalDecision } = two()
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown' })
      await expect(proposals.confirm(ada, proposal.id, 'I am sure.')).rejects.toMatchObject({ code: 'conflict' })
      await expect(proposals.confirm(person('Eve', 'viewer'), proposal.id, 'Me too.')).rejects.toMatchObject({
        code: 'role_required',
      })
      expect((await proposals.list(bob)).proposals).toMatchObject([{ id: proposal.id, is_own: false, is_void: false }])
      expect(await withdrawalDecision(bob, 'w1')).toMatchObject({ proposal: { proposed_by: 'Ada' } })
      expect(await proposals.confirm(bob, proposal.id, 'I asked the gateway, too.')).toMatchObject({
        outcome: 'done',
        decided_by: 'Bob',
      })
      const row = await stores.one.withdrawals.find('w1')
      expect(row).toMatchObject({ status: 'failed', failure_reason: 'not_sent' })
      expect(JSON.parse(row?.resolution ?? '')).toMatchObject({
        settled_by: 'operator:Bob',
        note: 'The gateway says so. (proposed by Ada)',
      })
      expect((await proposals.list(bob)).proposals).toEqual([])
      await expect(proposals.confirm(bob, proposal.id, 'Again.')).rejects.toMatchObject({
        code: 'conflict',
        extras: { settled_by: 'operator:Bob' },
      })
      expect((await audit()).map(({ did, outcome }) => `${did}: ${outcome ?? ''}`)).toEqual([
        'Ada: withdrawal.propose: done',
        'Ada: withdrawal.confirm: refused',
        'Bob: withdrawal.confirm: done',
        'Bob: withdrawal.confirm: refused',
      ])
    })

    test('two persons confirm at once: the act is done once', async () => {
      const { id } = await proposed()
      const other = two(await stores.another())
      const answers = await Promise.allSettled([
        two().proposals.confirm(bob, id, 'Yes.'),
        other.proposals.confirm(person('Cy'), id, 'Yes.'),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await stores.one.ledger.balance('u', 'c1')).toMatchObject({ available: '10', held: '0' })
    })

    test('two persons propose at once: one proposal waits, and the other is told whose', async () => {
      const id = await withdrawal()
      const other = two(await stores.another())
      const answers = await Promise.allSettled([
        two().settleUncertain(ada, id, { outcome: 'not_sent', ...why }),
        other.settleUncertain(bob, id, { outcome: 'not_sent', ...why }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const { proposals } = await two().proposals.list(ada)
      expect(proposals).toHaveLength(1)
      for (const answer of answers)
        if (answer.status === 'rejected')
          expect(answer.reason).toMatchObject({ extras: { settled_by: `operator:${proposals[0]?.proposed_by ?? ''}` } })
    })

    test.each<[string, () => Promise<unknown>]>([
      ['its payout shows up', () => shown('p1')],
      ['it is no longer unknown', () => changeWithdrawal(stores.one, 'w1', { status: 'processing' })],
      ['its proposer is disabled', () => stores.one.operators.setDisabled(ada.id, now)],
      ['its proposer may only look', () => stores.one.operators.changeRole(ada.id, 'viewer')],
    ])('a proposal is void once %s', async (_what, change) => {
      const { id } = await proposed()
      await change()
      const { proposals } = two()
      expect((await proposals.list(bob)).proposals).toMatchObject([{ id, is_void: true }])
      await expect(proposals.confirm(bob, id, 'Yes.')).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('has changed since') as string,
      })
      expect(await stores.one.proposals.find(id)).toMatchObject({ outcome: 'void', decided_name: null })
      expect(await stores.one.ledger.balance('u', 'c1')).toMatchObject({ available: '0', held: '10' })
    })

    test('checks of the list that find nothing leave it as it is', async () => {
      const { id } = await proposed()
      await changeWithdrawal(stores.one, 'w1', {
        checks: 5,
        absent_scans: 1,
        next_check_ms: NOW + 1,
        updated_ms: NOW + 1,
      })
      expect(await two().proposals.confirm(bob, id, 'Yes.')).toMatchObject({ outcome: 'done' })
    })

    test('after a day it must be made again', async () => {
      const { id } = await proposed()
      now = NOW + DAY
      const { proposals, settleUncertain } = two()
      await expect(proposals.confirm(bob, id, 'Yes.')).rejects.toMatchObject({ code: 'conflict' })
      expect(await stores.one.proposals.find(id)).toMatchObject({ outcome: 'expired' })
      expect((await proposals.list(bob)).proposals).toEqual([])
      expect(await settleUncertain(ada, 'w1', { outcome: 'not_sent', ...why })).toMatchObject({ result: 'proposed' })
    })

    describe('one person decides about a smaller payout, whose amount turns out to be above it', () => {
      const node = sampleTransactionRecord({
        ...{ transaction_uuid: 'p1', type: 'Payout', status: 'TXN_PROVIDER_SUCCEEDED', user_ref_id: 'u' },
        ...{ amount: decimal('900'), to_address: 'TAddress' },
      })
      const currency = { ...node.currency, id: 'c1', code: 'USDT', network: 'Tron' }
      const listed = listedRecords([{ cursor: '0', inserted_at: '', node: { ...node, currency } }], STATUSES)

      beforeEach(async () => {
        await withdrawal({ amount: decimal('5') })
        await shown('p1', { status: 'processing', amount: decimal('4.9') })
      })
      /** Nothing was decided. */
      const isOpen = async () => {
        expect(await stores.one.payouts.find('p1')).toMatchObject({ owner: null })
        expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown', transaction_uuid: null })
        const open = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
        expect(open).toMatchObject([{ reason: 'unmatched_payout' }])
      }

      test('by the list that is read for “sent”', async () => {
        const { settleUncertain } = consoleOn(stores.one, { USDT: '9' }, { listed })
        await expect(
          settleUncertain(ada, 'w1', { outcome: 'sent', transaction_uuid: 'p1', ...why }),
        ).rejects.toMatchObject({ code: 'conflict' })
        await isOpen()
      })

      test.each(['owner', 'line'])('by a message that comes just before: %s', async (what) => {
        const [line] = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
        const audited: ReturnType<typeof consoleParts>['audited'] = async (entry, act) => {
          await shown('p1', { amount: decimal('900') })
          return consoleParts(stores.one).audited(entry, act)
        }
        const { giveOwner, settleLines } = consoleOn(stores.one, { USDT: '9' }, { audited })
        if (what === 'owner')
          await expect(giveOwner(ada, 'p1', { acknowledged: true, ...why })).rejects.toMatchObject({ code: 'conflict' })
        else
          expect(await settleLines(ada, 'dismiss', { ids: [String(line?.id)], ...why })).toMatchObject({
            results: [{ result: 'failed' }],
          })
        await isOpen()
        const again = await consoleOn(stores.one, { USDT: '9' }).giveOwner(ada, 'p1', { acknowledged: true, ...why })
        expect(again).toMatchObject({ result: 'proposed' })
      })
    })

    test('its proposer withdraws it, a second person refuses it', async () => {
      const { id } = await proposed()
      const { proposals, settleUncertain } = two()
      expect(await proposals.refuse(ada, id, 'My mistake.')).toMatchObject({ outcome: 'withdrawn' })
      await expect(proposals.refuse(bob, id, 'No.')).rejects.toMatchObject({ code: 'conflict', extras: byAda })
      const again = await settleUncertain(ada, 'w1', { outcome: 'not_sent', ...why })
      if (again.result !== 'proposed') throw new Error('nothing was proposed')
      await expect(proposals.refuse(person('Eve', 'viewer'), again.proposal.id, 'No.')).rejects.toMatchObject({
        code: 'role_required',
      })
      expect(await proposals.refuse(bob, again.proposal.id, 'Ask them first.')).toMatchObject({
        outcome: 'refused',
        decided_by: 'Bob',
        detail: 'Ask them first.',
      })
    })

    test('an owner needs two, by any way', async () => {
      const id = await withdrawal()
      await shown('p1', { amount: decimal('9.4') })
      const { giveOwner, settleUncertain, settleLines, proposals, payoutDecision } = two()
      const given = await giveOwner(ada, 'p1', { withdrawal_id: id, ...why })
      expect(given).toMatchObject({ result: 'proposed', proposal: { kind: 'owner', withdrawal_id: id } })
      expect(await payoutDecision(bob, 'p1')).toMatchObject({ proposal: { proposed_by: 'Ada' }, needs_two: true })
      const [line] = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 1 })
      const dismissed = await settleLines(bob, 'dismiss', { ids: [String(line?.id)], ...why })
      expect(dismissed.results).toMatchObject([{ result: 'failed', settled_by: 'operator:Ada' }])
      const uuid = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
      await shown(uuid)
      const named = await settleUncertain(bob, id, { outcome: 'sent', transaction_uuid: uuid, ...why })
      expect(named).toMatchObject({ result: 'proposed', proposal: { kind: 'sent', transaction_uuid: uuid } })
      if (given.result !== 'proposed' || named.result !== 'proposed') throw new Error('nothing was proposed')
      expect(await proposals.confirm(bob, given.proposal.id, 'Yes.')).toMatchObject({ outcome: 'done' })
      expect(await stores.one.withdrawals.find(id)).toMatchObject({ status: 'succeeded', transaction_uuid: 'p1' })
      await expect(proposals.confirm(ada, named.proposal.id, 'Yes.')).rejects.toMatchObject({ code: 'conflict' })
    })

    const OWN_UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
    /** The gateway has shown its record, and has not said how it ended. */
    const stuck = {
      status: 'processing',
      overdue_ms: NOW,
      transaction_uuid: OWN_UUID,
      record_status: 'processing',
      next_check_ms: null,
    } as const

    test('that the record of the withdrawal itself was paid, which the gateway does not say, needs two', async () => {
      const id = await withdrawal(stuck)
      const { settleUncertain, proposals, withdrawalDecision } = two()
      expect(await withdrawalDecision(ada, id)).toMatchObject({ can_settle: true, needs_two: true })
      const sent = () => settleUncertain(ada, id, { outcome: 'sent', transaction_uuid: OWN_UUID, ...why })
      const named = await sent()
      expect([named.result, await stores.one.withdrawals.find(id)]).toMatchObject([
        'proposed',
        { status: 'processing' },
      ])
      await shown(OWN_UUID, { amount: decimal('10'), status: 'processing' })
      expect(await stores.one.payouts.find(OWN_UUID)).toMatchObject({ withdrawal_id: id })
      expect((await withdrawalDecision(ada, id)).payouts).toMatchObject([{ needs_two: true }])
      const again = await sent()
      if (again.result !== 'proposed') throw new Error('nothing was proposed')
      expect(await proposals.confirm(bob, again.proposal.id, 'They said so.')).toMatchObject({ outcome: 'done' })
      expect(await stores.one.withdrawals.find(id)).toMatchObject({ status: 'succeeded' })
    })

    test('one person says it of less than the amount', async () => {
      const id = await withdrawal({ ...stuck, amount: decimal('9') })
      const named = await two().settleUncertain(ada, id, { outcome: 'sent', transaction_uuid: OWN_UUID, ...why })
      expect(named).toMatchObject({ result: 'done', withdrawal: { status: 'succeeded' } })
    })

    test('what is paid in another currency needs two, however little it is', async () => {
      const btc = { currency_id: 'c2', currency_code: 'BTC', network: 'Bitcoin' }
      const limits = { BTC: '100', USDT: '100' }
      const id = await withdrawal()
      const uuid = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
      await shown(uuid, { ...btc, amount: decimal('5') })
      const { giveOwner, settleUncertain, payoutDecision } = consoleOn(stores.one, limits)
      const named = await settleUncertain(ada, id, { outcome: 'sent', transaction_uuid: uuid, ...why })
      expect(named.result).toBe('proposed')
      expect((await payoutDecision(bob, uuid)).owners).toMatchObject([{ needs_two: true }])
      expect((await giveOwner(ada, uuid, { withdrawal_id: id, ...why })).result).toBe('proposed')
    })

    test('a payout that only the gateway’s list may have needs two', async () => {
      const id = await withdrawal()
      const uuid = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
      const { settleUncertain } = consoleOn(stores.one, { USDT: '100' })
      const named = await settleUncertain(ada, id, { outcome: 'sent', transaction_uuid: uuid, ...why })
      expect(named.result).toBe('proposed')
    })

    test('that a payout is none of ours cannot be confirmed once the list shows it', async () => {
      await withdrawal()
      const event = sampleFact({
        ...{ kind: 'payout', transaction_uuid: 'p1', status: 'succeeded', source: 'webhook', unconfirmed: true },
        ...{ amount: decimal('9.4'), to_address: 'TAddress', user_reference_id: 'u' },
      })
      await applyOneFact(stores.one, event, { ledgerStartMs: 0 })
      const { giveOwner, proposals } = two()
      const given = await giveOwner(ada, 'p1', { acknowledged: true, ...why })
      if (given.result !== 'proposed') throw new Error('nothing was proposed')
      await shown('p1', { amount: decimal('9.4'), to_address: 'TAddress' })
      expect((await proposals.list(bob)).proposals).toMatchObject([{ is_void: true }])
      await expect(proposals.confirm(bob, given.proposal.id, 'Yes.')).rejects.toMatchObject({ code: 'conflict' })
    })

    describe('between a proposal and the act, the amount of its payout changes', () => {
      const node = sampleTransactionRecord({
        ...{ transaction_uuid: OWN_UUID, type: 'Payout', status: 'TXN_PROVIDER_SUCCEEDED', user_ref_id: 'u' },
        ...{ amount: decimal('900'), to_address: 'TAddress' },
      })
      const currency = { ...node.currency, id: 'c1', code: 'USDT', network: 'Tron' }
      const listed = listedRecords([{ cursor: '0', inserted_at: '', node: { ...node, currency } }], STATUSES)
      const isOpen = async (id: string) => {
        expect(await stores.one.payouts.find(OWN_UUID)).toMatchObject({ owner: null })
        expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown', transaction_uuid: null })
        expect(await stores.one.proposals.find(id)).toMatchObject({ outcome: 'failed' })
      }

      test('by the list that is read for “sent”', async () => {
        await withdrawal()
        await shown(OWN_UUID, { status: 'processing' })
        const { settleUncertain, proposals } = consoleOn(stores.one, { USDT: '9' }, { listed })
        const named = await settleUncertain(ada, 'w1', { outcome: 'sent', transaction_uuid: OWN_UUID, ...why })
        if (named.result !== 'proposed') throw new Error('nothing was proposed')
        await expect(proposals.confirm(bob, named.proposal.id, 'Yes.')).rejects.toMatchObject({ code: 'conflict' })
        await isOpen(named.proposal.id)
      })

      test('by a message that comes just after the confirmation', async () => {
        await withdrawal()
        await shown(OWN_UUID, { status: 'processing' })
        const acts = decisionActs({ store: stores.one, clock: () => now })
        const late: typeof acts.setPayoutOwner = async (...given) => {
          await shown(OWN_UUID, { amount: decimal('900') })
          return acts.setPayoutOwner(...given)
        }
        const { giveOwner, proposals } = consoleOn(
          stores.one,
          { USDT: '9' },
          { acts: { ...acts, setPayoutOwner: late } },
        )
        const given = await giveOwner(ada, OWN_UUID, { withdrawal_id: 'w1', ...why })
        if (given.result !== 'proposed') throw new Error('nothing was proposed')
        await expect(proposals.confirm(bob, given.proposal.id, 'Yes.')).rejects.toMatchObject({ code: 'conflict' })
        await isOpen(given.proposal.id)
      })
    })

    test('an act that the books refuse in the end is told as failed', async () => {
      const id = await withdrawal()
      await shown('p1')
      const { giveOwner, proposals } = two()
      const given = await giveOwner(ada, 'p1', { withdrawal_id: id, ...why })
      if (given.result !== 'proposed') throw new Error('nothing was proposed')
      // The same state, but another payout is the withdrawal's meanwhile: only the books can see it.
      const refusing = composeDecisions({
        store: stores.one,
        clock: () => now,
        clockOffset: () => 0,
        config: { ledgerMode: 'embedded', twoPersonsAbove: {}, withdrawalAbsenceS: 1 },
        log: { error: () => undefined },
        acts: {
          ...decisionActs({ store: stores.one, clock: () => now }),
          setPayoutOwner: (uuid) =>
            decisionActs({ store: stores.one, clock: () => now }).setPayoutOwner(`${uuid}?`, {
              acknowledged: true,
              note: 'x',
            }),
        },
        ...consoleParts(stores.one),
      })
      await expect(refusing.proposals.confirm(bob, given.proposal.id, 'Yes.')).rejects.toMatchObject({
        code: 'not_found',
      })
      expect(await stores.one.proposals.find(given.proposal.id)).toMatchObject({
        outcome: 'failed',
        detail: 'There is no such payout.',
      })
      expect((await proposals.list(bob)).proposals).toEqual([])
    })

    test('what is at or below the limit, and an approval, need one person', async () => {
      const id = await withdrawal({ amount: decimal('9') })
      expect(await two().settleUncertain(ada, id, { outcome: 'not_sent', ...why })).toMatchObject({ result: 'done' })
      const waiting = await withdrawal({
        id: 'w2',
        idempotency_key: 'key-2',
        status: 'pending_authorization',
        step: 'pending',
        called_ms: null,
      })
      expect(await two().decidePending(ada, waiting, 'approve', why)).toMatchObject({ status: 'processing' })
    })
  })

  describe('lines of the quarantine', () => {
    const currency = { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: 'USDT', network: 'Tron' }
    const deposit = (uuid: string) =>
      JSON.stringify({
        event: 'User Deposit',
        transaction: { id: uuid, status: 'succeeded', currency, amount: 5 },
        transaction_uuid: uuid,
        user_reference: 'u',
        merchant_reference: 'us',
      })
    const ids = async () =>
      (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })).map(({ id }) =>
        String(id),
      )
    const results = ({ results: all }: { readonly results: readonly LineResult[] }) => all.map(({ result }) => result)

    async function lines(...all: readonly Parameters<typeof sampleQuarantined>[0][]): Promise<readonly string[]> {
      now = NOW
      await stores.one.users.ensure('u', NOW)
      await seed(stores.one, { quarantine: all.map((line) => sampleQuarantined(line)) })
      return ids()
    }

    test('many at once: each has its own result', async () => {
      const all = await lines(
        { event: deposit('t1'), transaction_uuid: 't1' },
        { reason: 'unknown_user', user_reference_id: null, event: deposit('t2').replace('"u"', '"nobody"') },
        { reason: 'contradiction', transaction_uuid: 't3' },
      )
      const { settleLines } = consoleOn(stores.one)
      const applied = await settleLines(ada, 'apply', { ids: [...all, '999'], ...why })
      expect(applied.results).toMatchObject([
        { result: 'applied' },
        { result: 'still_open', reason: 'unknown_user' },
        { result: 'failed', detail: expect.stringContaining('cannot be applied') as string },
        { result: 'failed', detail: expect.stringContaining('no such event') as string },
      ])
      const dismissed = await settleLines(bob, 'dismiss', { ids: all, ...why })
      expect(dismissed.results).toMatchObject([
        { result: 'failed', ...byAda },
        { result: 'dismissed' },
        { result: 'dismissed' },
      ])
      expect(await settledLines()).toMatchObject([
        { settled_by: 'operator:Ada', note: why.reason },
        { settled_by: 'operator:Bob', note: why.reason },
        { settled_by: 'operator:Bob' },
      ])
    })

    test('a line says what it is about, what it may belong to, and what became of it', async () => {
      const [stale = '', overdue = ''] = await lines(
        { event: deposit('t1'), transaction_uuid: 't1' },
        {
          ...{ reason: 'overdue', transaction_uuid: 'w1' },
          event: JSON.stringify({ kind: 'payout', withdrawal_id: 'w1', transaction_uuid: null, status: 'unknown' }),
        },
      )
      const { settleLines, quarantineLine } = consoleOn(stores.one)
      expect(await quarantineLine(ada, stale)).toMatchObject({
        ...{ is_event: true, settled_how: null, owners: [], totals: null },
        subject: {
          withdrawal_id: null,
          comparisons: expect.arrayContaining([expect.objectContaining({ field: 'amount' })]) as unknown[],
        },
      })
      expect(await quarantineLine(ada, overdue)).toMatchObject({ is_event: false, subject: null })
      await withdrawal()
      expect(await quarantineLine(ada, overdue)).toMatchObject({
        subject: {
          withdrawal_id: 'w1',
          comparisons: expect.arrayContaining([
            { field: 'amount', verdict: 'unknown', values: [{ source: 'asked', value: '10' }] },
          ]) as unknown[],
        },
      })
      await shown('p1')
      const unowned = (await ids()).at(-1) ?? ''
      expect(await quarantineLine(ada, unowned)).toMatchObject({
        owners: [{ withdrawal: { id: 'w1', amount: '10' } }],
        subject: { transactions: [{ transaction_uuid: 'p1', kind: 'payout', amount: '9.4', credited: null }] },
      })
      await settleLines(ada, 'apply', { ids: [stale], ...why })
      await settleLines(ada, 'dismiss', { ids: [overdue], ...why })
      expect(await quarantineLine(bob, stale)).toMatchObject({
        settled_how: 'applied',
        subject: { transactions: [{ transaction_uuid: 't1', kind: 'deposit', credited: '5' }] },
      })
      expect(await quarantineLine(bob, overdue)).toMatchObject({ settled_how: 'dismissed' })
    })

    test('a line about control totals has both sums, and the transactions that explain them', async () => {
      const totals = { currency_code: 'USDT', network: 'Tron', gateway: '12', ledger: '10', difference: '2' }
      const transactions = [{ transaction_uuid: 't1', withdrawal_id: null, gateway: '2', ledger: null }]
      const [id = ''] = await lines({
        ...{ reason: 'totals_differ', transaction_uuid: 'totals u c1' },
        event: JSON.stringify({ ...totals, transactions }),
      })
      expect(await consoleOn(stores.one).quarantineLine(ada, id)).toMatchObject({
        ...{ subject: null, is_event: false },
        totals: { ...totals, transactions: [{ transaction_uuid: 't1', withdrawal_id: null }] },
      })
    })

    test('two persons settle the same lines at once: each line is settled once', async () => {
      const all = await lines(
        ...['t1', 't2', 't3', 't4'].map((uuid) => ({ event: deposit(uuid), transaction_uuid: uuid })),
      )
      const other = consoleOn(await stores.another())
      const [adas, bobs] = await Promise.all([
        consoleOn(stores.one).settleLines(ada, 'apply', { ids: all, ...why }),
        other.settleLines(bob, 'dismiss', { ids: all.toReversed(), ...why }),
      ])
      const won = [...results(adas), ...results(bobs)].filter((result) => result !== 'failed')
      expect(won).toHaveLength(4)
      for (const { result, settled_by } of [...adas.results, ...bobs.results])
        if (result === 'failed') expect(settled_by).toMatch(/^operator:(Ada|Bob)$/)
      const credited = results(adas).filter((result) => result === 'applied').length
      expect((await stores.one.ledger.balance('u', 'c1')).available).toBe(String(credited * 5))
    })

    test('dismissing the line of an open payout acknowledges it, and needs a fresh touch', async () => {
      await withdrawal()
      await shown('p1')
      const all = await ids()
      const { settleLines, quarantineLine } = consoleOn(stores.one)
      expect(await quarantineLine(ada, all[0] ?? '')).toMatchObject({ can_apply: false, acknowledges: 'p1' })
      await expect(settleLines({ ...ada, freshUntilMs: now }, 'dismiss', { ids: all, ...why })).rejects.toMatchObject({
        code: 'fresh_passkey_required',
      })
      expect(results(await settleLines(ada, 'dismiss', { ids: all, ...why }))).toEqual(['dismissed'])
      expect(await stores.one.payouts.find('p1')).toMatchObject({ owner: 'acknowledged', note: why.reason })
    })

    test('a line that the database cannot settle now is told, and the others go on', async () => {
      const all = await lines({ reason: 'contradiction' }, { reason: 'overdue' })
      const faults: string[] = []
      const acts = decisionActs({ store: stores.one, clock: () => now })
      const { settleLines } = composeDecisions({
        store: stores.one,
        clock: () => now,
        clockOffset: () => 0,
        config: { ledgerMode: 'embedded', twoPersonsAbove: {}, withdrawalAbsenceS: 1 },
        log: { error: (_fields: object, message: string) => void faults.push(message) },
        acts: {
          ...acts,
          resolveQuarantine: (id, ...rest) =>
            id === all[0] ? Promise.reject(new Error('the disk is full')) : acts.resolveQuarantine(id, ...rest),
        },
        ...consoleParts(stores.one),
      })
      const { results: settled } = await settleLines(ada, 'dismiss', { ids: all, ...why })
      expect(settled).toMatchObject([
        { result: 'failed', detail: expect.not.stringContaining('disk') as string },
        { result: 'dismissed' },
      ])
      expect(faults).toEqual(['a line of the quarantine was not settled'])
    })
  })
})
