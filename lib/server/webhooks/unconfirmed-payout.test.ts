/**
 * Without `GATEWAY_MERCHANT_REFERENCE`: which withdrawals a payout event alone may settle (docs/explanation/money.md,
 * "Whose event it is").
 */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { followNamed } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'
import type { StatusOf } from '../ledger/transaction-statuses.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createReceiveWebhook } from './receive-webhook.ts'

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

  const event = async (status: 'processing' | 'succeeded', merchantReference: string | null = null) => {
    const body = JSON.stringify({
      event: 'User Payout',
      transaction: { id: uuid, status, currency: USDT, amount: 'AMOUNT', to_address: ADDRESS, tx_hash: null },
      transaction_uuid: uuid,
      user_reference: USER,
      merchant_reference: merchantReference ?? 'anybody',
    }).replace('"AMOUNT"', '10')
    const rules = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference } as const
    const receive = createReceiveWebhook({ store, publicKey, clock: () => NOW, toleranceS: 300, ...rules })
    const timestamp = String(NOW / 1000)
    const signature = createSign('RSA-SHA256').update(body).update(timestamp).sign(privateKey, 'base64')
    expect(await receive({ rawBody: Buffer.from(body), signature, timestamp })).toEqual({
      status: 200,
      duplicate: false,
    })
  }

  const list = (status: StatusOf<'payout'>) => {
    const { id: currency_id, currency_code, network } = USDT
    const listed: ListedRecord = {
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
          amount: decimal('10'),
          to_address: ADDRESS,
        },
      },
    }
    return store.applyRecords(USER, [listed], { ledgerMode: 'embedded', ledgerStartMs: 0 })
  }

  /** The gateway's reply to the one call, as the cashier stores it. */
  const reply = (evidence: Evidence, named: string | null) =>
    store.unitOfWork(
      {
        users: [USER],
        withdrawals: [calling.id],
        transactions: named === null ? [] : [{ kind: 'payout', transaction_uuid: named }],
      },
      (unit) => {
        const current = () => unit.withdrawal(calling.id) ?? calling
        if (named !== null) followNamed(unit, current(), named)
        settleWithdrawal(unit, current(), { evidence, source: 'cashier', also: { step: 'ended', call_ended_ms: NOW } })
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
})
