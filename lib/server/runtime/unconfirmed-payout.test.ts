/**
 * Without `GATEWAY_MERCHANT_REFERENCE`: which withdrawals a payout event alone may settle (docs/explanation/money.md,
 * "Whose event it is").
 */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { followNamed, matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'
import type { StatusOf } from '../ledger/transaction-statuses.ts'
import type { PayoutOwnerRequest, WithdrawalResolutionRequest } from '#lib/contract/withdrawal-requests.ts'
import { createFindWithdrawal } from '../merchant/list-withdrawals.ts'
import { createResolveWithdrawal } from '../merchant/resolve-withdrawal.ts'
import { createSetPayoutOwner } from '../merchant/set-payout-owner.ts'
import { judgeAbsence } from '../reconcile/judge-absence.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const USDT = { id: 'c1', name: 'Tether USD', symbol: 'USDT', network: 'Tron', currency_code: 'USDT' }
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const USER = 'user_1'
const NOW = Date.parse('2026-11-20T12:00:00Z')
const AT = new Date(NOW).toISOString()

const calling = sampleWithdrawal({
  user_reference_id: USER,
  amount: decimal('10'),
  wallet_address: ADDRESS,
  step: 'calling',
  called_ms: NOW,
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  let uuid: string

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => NOW, deliver: false })
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    await store.users.ensure(USER, NOW)
    uuid = randomUUID()
    const owner = { user_reference_id: USER, currency_id: USDT.id, amount: decimal('10') }
    await seed(store, {
      withdrawals: [calling],
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: `hold:${calling.id}`, ...owner },
      ],
    })
    await store.reconcileQueue.claimDue('sweep', 1, 1)
    await store.users.reconciled(USER, NOW, null)
  })

  afterEach(async () => {
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
    await store.close()
    await database.remove()
  })

  const event = async (
    status: string,
    merchantReference: string | null = null,
    amount = '10',
    sentMs = NOW,
    more: object = {},
  ) => {
    const body = JSON.stringify({
      event: 'User Payout',
      transaction: { id: uuid, status, currency: USDT, amount: 'AMOUNT', to_address: ADDRESS, tx_hash: null, ...more },
      transaction_uuid: uuid,
      user_reference: USER,
      merchant_reference: merchantReference ?? 'anybody',
    }).replace('"AMOUNT"', amount)
    const rules = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference } as const
    const receive = createReceiveWebhook({ store, publicKey, clock: () => NOW, toleranceS: 300, ...rules })
    const timestamp = String(sentMs / 1000)
    const signature = createSign('RSA-SHA256').update(body).update(timestamp).sign(privateKey, 'base64')
    expect(await receive({ rawBody: Buffer.from(body), signature, timestamp })).toEqual({
      status: 200,
      duplicate: false,
    })
  }

  const recordOf = (status: StatusOf<'payout'>, amount = decimal('10')): ListedRecord => {
    const { id: currency_id, currency_code, network } = USDT
    return {
      transaction_uuid: uuid,
      user_reference_id: USER,
      type: 'Payout',
      status,
      inserted_at: AT,
      cursor: uuid,
      record: JSON.stringify({ uuid, status }),
      currency: USDT,
      fact: {
        ...sampleFact({ kind: 'payout', transaction_uuid: uuid, user_reference_id: USER, status, occurred_at: AT }),
        ...{
          source: 'reconciliation',
          currency_id,
          currency_code,
          network,
          amount,
          to_address: ADDRESS,
        },
      },
    }
  }
  const list = (status: StatusOf<'payout'>, amount = decimal('10')) =>
    store.applyRecords(USER, [recordOf(status, amount)], { ledgerMode: 'embedded', ledgerStartMs: 0 })

  /** The gateway's reply to the one call, as the cashier stores it. */
  const reply = (evidence: Evidence, named: string | null) =>
    store.unitOfWork(
      {
        users: [USER],
        withdrawals: [calling.id],
        attemptsOf: [USER],
        transactions: named === null ? [] : [{ kind: 'payout', transaction_uuid: named }],
      },
      (unit) => {
        const current = () => unit.withdrawal(calling.id) ?? calling
        if (named !== null) followNamed(unit, current(), named)
        settleWithdrawal(unit, current(), { evidence, source: 'cashier', also: { step: 'ended', call_ended_ms: NOW } })
        matchOpenPayouts(unit, USER, 0)
      },
    )
  const accepted = (transaction_uuid: string | null) => () =>
    reply(
      { kind: 'accepted', requires_approval: false, status: 'processing', amount: decimal('10'), transaction_uuid },
      transaction_uuid,
    )
  const errorNaming = (transaction_uuid: string) => () =>
    reply({ kind: 'error_reply', transaction_uuid, status: 'processing' }, transaction_uuid)

  /** The stored state after these steps, in this order. */
  const after = async (...steps: readonly (() => Promise<unknown>)[]) => {
    for (const step of steps) await step()
    const { available, held } = await store.ledger.balance(USER, USDT.id)
    const row = await store.withdrawals.find(calling.id)
    const payout = await store.transactions.find('payout', uuid)
    const told = (await store.events.after(USER, 0, 100)).filter(({ type }) => type === 'transaction')
    return {
      status: row?.status,
      linked: row?.transaction_uuid === uuid,
      named: row?.reply_transaction_uuid === uuid,
      record_status: row?.record_status,
      available,
      held,
      payout: [payout?.status, payout?.standing, payout?.withdrawal_id],
      toldLast: (JSON.parse(told.at(-1)?.data ?? '{}') as { status?: string }).status,
    }
  }
  const asked = async () => (await store.reconcileQueue.claimDue('open', 9, 1)).length > 0

  const matched = {
    status: 'processing',
    linked: true,
    named: false,
    record_status: 'processing',
    available: '0',
    held: '10',
    payout: ['succeeded', 'withheld', 'w1'],
    toldLast: 'processing',
  }
  const paid = {
    ...matched,
    status: 'succeeded',
    record_status: 'succeeded',
    held: '0',
    payout: ['succeeded', 'confirmed', 'w1'],
    toldLast: 'succeeded',
  }

  const listed = () => list('processing')
  const succeeds = () => event('succeeded')

  test.each([
    ['the reply, the list, then the event', () => [accepted(null), listed, succeeds]],
    ['the reply, the event, then the list', () => [accepted(null), succeeds, listed]],
    ['the list, the event, then the reply', () => [listed, succeeds, accepted(null)]],
    ['the event, the list, then the reply', () => [succeeds, listed, accepted(null)]],
  ])('a payout that only amount and address match with a withdrawal: %s', async (_name, steps) => {
    expect(await after(...steps())).toEqual(matched)
    expect(await asked()).toBe(true)
    expect(await after(() => list('succeeded'))).toEqual(paid)
    expect(await store.openStates.span(USER)).toBeNull()
  })

  test('if list and event differ, the list is followed', async () => {
    const state = await after(accepted(null), listed, succeeds, () => list('failed'))
    expect(state).toMatchObject({ status: 'failed', available: '10', held: '0', toldLast: 'failed' })
  })

  test.each([
    ['before both', (answer: () => Promise<unknown>) => [answer, listed, succeeds]],
    ['between the list and the event', (answer: () => Promise<unknown>) => [listed, answer, succeeds]],
    ['between the event and the list', (answer: () => Promise<unknown>) => [succeeds, answer, listed]],
    ['after the event alone', (answer: () => Promise<unknown>) => [succeeds, answer]],
    ['after the list and the event', (answer: () => Promise<unknown>) => [listed, succeeds, answer]],
    ['after the event and the list', (answer: () => Promise<unknown>) => [succeeds, listed, answer]],
  ])('a payout that the gateway’s reply names, %s: its event settles the withdrawal', async (_name, order) => {
    expect(await after(...order(accepted(uuid)))).toEqual({ ...paid, named: true })
  })

  test('an error reply that names the payout has the same effect', async () => {
    expect(await after(errorNaming(uuid), succeeds)).toEqual({ ...paid, named: true })
  })

  test('a reply that names another transaction has no effect', async () => {
    expect(await after(listed, accepted(randomUUID()), succeeds)).toEqual(matched)
  })

  test('with the reference set, an event with that reference settles the withdrawal by itself', async () => {
    expect(await after(accepted(null), listed, () => event('succeeded', 'ours'))).toEqual(paid)
  })

  /** The call's outcome is unknown, and complete scans of the list, without the payout, count as evidence. */
  const unknown = () => reply({ kind: 'uncertain' }, null)
  const scanned =
    (times = 3) =>
    async () => {
      for (let scan = 0; scan < times; scan += 1)
        await store.unitOfWork({ users: [USER], withdrawals: [calling.id], attemptsOf: [USER] }, (unit) => {
          const row = unit.withdrawal(calling.id)
          if (row?.status === 'unknown')
            judgeAbsence(unit, row, { complete: true, beganMs: NOW + 1 }, { absenceMs: 0, offset: 0 })
        })
    }
  const lines = async () =>
    (await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(({ reason }) => reason)
  const attention = async () => (await createFindWithdrawal(store, () => NOW)(calling.id)).attention
  const own = (request: PayoutOwnerRequest) => createSetPayoutOwner(store)(uuid, request)
  const resolve = (resolution: WithdrawalResolutionRequest, record?: ListedRecord) =>
    createResolveWithdrawal({
      ...{ store, ledgerMode: 'embedded', ledgerStartMs: 0, clock: () => NOW, clockOffset: () => 0 },
      readList: () => Promise.resolve(record === undefined ? [] : [record]),
    })(calling.id, resolution)
  const pays = { held: '10', available: '0' }

  test('while only its event is known, a payout bars absence, and a person is asked only then', async () => {
    expect(await after(unknown, succeeds)).toMatchObject({ status: 'unknown', ...pays })
    expect([await lines(), await attention(), await store.payouts.countOpen()]).toEqual([[], null, 0])
    expect(await after(scanned())).toMatchObject({ status: 'unknown', ...pays })
    expect([await lines(), await attention(), await store.payouts.countOpen()]).toEqual([
      ['unmatched_payout'],
      'unmatched_payout',
      1,
    ])
    expect(await after(() => list('succeeded'))).toMatchObject({ status: 'succeeded', held: '0' })
    expect(await lines()).toEqual([])
  })

  describe.each([
    ['came too late to be applied', 'stale', () => event('succeeded', 'ours', '10', NOW - 301_000)],
    ['came too late, and pays another amount', 'stale', () => event('succeeded', 'ours', '9.4', NOW - 301_000)],
    ['has an unknown status', 'unknown_status', () => event('completed', 'ours')],
  ])('a payout whose event %s', (_name, reason, tell) => {
    test('bars absence, and a person is asked only then', async () => {
      expect(await after(unknown, tell)).toMatchObject({ status: 'unknown', ...pays })
      expect([await lines(), await attention()]).toEqual([[reason], null])
      expect(await after(scanned())).toMatchObject({ status: 'unknown', ...pays })
      expect([await lines(), await attention()]).toEqual([[reason, 'unmatched_payout'], 'unmatched_payout'])
      await own({ acknowledged: true, note: 'the gateway has not made it' })
      expect(await after(scanned())).toMatchObject({ status: 'failed', available: '10', held: '0' })
    })

    test('is told to a person who says that the withdrawal was not sent', async () => {
      await after(unknown, tell)
      await expect(resolve({ outcome: 'not_sent' })).rejects.toMatchObject({ extras: { unowned: [uuid] } })
      expect(await after()).toMatchObject({ status: 'unknown', ...pays })
    })

    test('is followed once the list has it', async () => {
      expect(await after(unknown, tell, () => list('succeeded'))).toMatchObject({ status: 'succeeded', held: '0' })
      expect([await lines(), await store.payouts.countOpen()]).toEqual([[reason], 0])
    })
  })

  test('an old event of a payout from before LEDGER_START, or of one that is known, changes nothing', async () => {
    const date = { date: '1969-12-31T00:00:00Z' }
    await after(unknown, () => event('succeeded', 'ours', '10', NOW - 301_000, date))
    expect(await store.payouts.find(uuid)).toBeNull()
    await after(() => list('processing', decimal('9.4')))
    await after(() => event('succeeded', 'ours', '10', NOW - 301_000))
    expect(await store.payouts.find(uuid)).toMatchObject({ status: 'processing', amount: '9.4', awaits_list: 0 })
  })

  test('a person who says that a withdrawal was not sent learns of its event first', async () => {
    await after(unknown, succeeds)
    await expect(resolve({ outcome: 'not_sent' })).rejects.toMatchObject({
      code: 'conflict',
      extras: { unowned: [uuid] },
    })
    expect([await lines(), await attention()]).toEqual([['unmatched_payout'], 'unmatched_payout'])
    expect(await after()).toMatchObject({ status: 'unknown', ...pays })
    expect(await own({ withdrawal_id: calling.id })).toMatchObject({ owner: 'withdrawal', status: 'succeeded' })
    expect(await after()).toMatchObject({ status: 'succeeded', held: '0', available: '0' })
  })

  test('a payout that a person acknowledged stays so, whatever its events say', async () => {
    await after(unknown, () => event('processing'))
    await own({ acknowledged: true, note: 'none of ours' })
    expect(await after(succeeds, scanned())).toMatchObject({ status: 'failed', held: '0', available: '10' })
    expect((await store.payouts.find(uuid))?.owner).toBe('acknowledged')
  })

  test('a payout whose amount the list gives otherwise bars absence, and a person may give it', async () => {
    const other = () => list('succeeded', decimal('9.4'))
    expect(await after(unknown, succeeds, other, scanned())).toMatchObject({ status: 'unknown', ...pays })
    expect((await lines()).toSorted()).toEqual(['list_conflict', 'unmatched_payout'])
    expect(await attention()).toBe('unmatched_payout')
    await resolve({ outcome: 'sent', transaction_uuid: uuid }, recordOf('succeeded', decimal('9.4')))
    expect(await after()).toMatchObject({ status: 'succeeded', linked: true, held: '0', available: '0' })
    expect(await lines()).toEqual(['list_conflict'])
  })

  test('an acknowledged payout of an event counts again once our own list shows it', async () => {
    await after(unknown, succeeds)
    await own({ acknowledged: true, note: 'another merchant’s' })
    expect(await after(scanned())).toMatchObject({ status: 'failed', available: '10' })
    expect(await after(() => list('succeeded'))).toMatchObject({ status: 'succeeded', available: '0', held: '0' })
    expect(await lines()).toEqual(['late_payout'])
  })

  test('an acknowledged payout that the list shows with another amount is open again', async () => {
    await after(unknown, () => event('succeeded', null, '9.4'))
    await own({ acknowledged: true, note: 'another merchant’s' })
    expect(await after(() => list('succeeded'), scanned())).toMatchObject({ status: 'unknown', ...pays })
    expect(await attention()).toBe('unmatched_payout')
  })

  test.each([
    ['12.5', []],
    ['12.51', ['contradiction']],
  ] as const)('the gateway pays %s in the place of 10', async (amount, told) => {
    await after(accepted(uuid), () => list('processing'))
    expect(await after(() => list('succeeded', decimal(amount)))).toMatchObject({ status: 'succeeded', held: '0' })
    await list('succeeded', decimal(amount))
    expect(await lines()).toEqual(told)
  })

  test('an event that fits nothing is open; a later reply with its amount does not make it proof', async () => {
    await after(() => event('succeeded', null, '9.4'))
    expect(await lines()).toEqual(['unmatched_payout'])
    const amount = decimal('9.4')
    const state = await after(() =>
      reply({ kind: 'accepted', requires_approval: false, status: 'processing', amount, transaction_uuid: null }, null),
    )
    expect(state).toMatchObject({ status: 'processing', linked: false, ...pays })
    expect(await after(() => list('succeeded', amount))).toMatchObject({ status: 'succeeded', held: '0' })
    expect(await lines()).toEqual([])
  })

  test('the list says that a payout failed which an event alone had settled: a line says so, once', async () => {
    await after(accepted(uuid), succeeds)
    expect(
      await after(
        () => list('failed'),
        () => list('failed'),
      ),
    ).toMatchObject({ status: 'succeeded', held: '0' })
    expect(await lines()).toEqual(['contradiction'])
  })
})
