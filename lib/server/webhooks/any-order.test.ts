import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, canonical, compare, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import type { Fact } from '../ledger/facts.ts'
import { post } from '../ledger/post-entries.ts'
import { openStore, type Store, type Tx } from '../store/store.ts'
import { sampleOnramp } from '../store/testing/sample-rows.ts'
import type { WithdrawalRow } from '../store/port.ts'
import { applyWebhook } from './apply-webhook.ts'
import type { GatewayEvent } from '../gateway/parse-webhook.ts'

/** `RUNS=100000` for the long run. */
const RUNS = Number(process.env['RUNS'] ?? 10_000)
const FUNDS = '1000000' as Decimal
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const CURRENCIES = ['USDT', 'TRX'].map((code) => ({
  id: `currency-${code}`,
  name: code,
  currency_code: code,
  symbol: code,
  network: 'Tron',
}))

let store: Store

beforeAll(async () => {
  store = await openStore({ url: 'file::memory:', clock: Date.now, deliver: false })
  await store.transaction((tx) => tx.currencies.replaceListed(CURRENCIES, tx.now))
})

afterAll(async () => {
  await store.close()
})

/** What happened at the gateway: how far each transaction got, and what hash it carries. */
interface Transfer {
  readonly kind: 'deposit' | 'onramp' | 'payout'
  readonly currency: number
  readonly hash: number | null
  readonly cents: number
  readonly reached: number
  readonly fails: boolean
  /** The amount of a deposit may become exact with its confirmation. */
  readonly early: number
  /** The gateway's list shows it; it shows every payout. */
  readonly listed: boolean
  /** An on-ramp of a session that this cashier made. */
  readonly ours: boolean
}

const transfer = fc.record<Transfer>({
  kind: fc.constantFrom('deposit', 'onramp', 'payout'),
  currency: fc.nat(1),
  hash: fc.option(fc.nat(2), { nil: null }),
  cents: fc.integer({ min: 1, max: 9 }),
  reached: fc.nat(2),
  fails: fc.boolean(),
  early: fc.integer({ min: 1, max: 9 }),
  listed: fc.boolean(),
  ours: fc.boolean(),
})

const STAGES = {
  deposit: ['processing', 'succeeded'],
  payout: ['processing', 'succeeded'],
  onramp: ['pending', 'processing', 'succeeded'],
} as const

const MERCHANT = 'merchant'
const sessionOf = (uuid: string): string => `session-${uuid}`
const amountOf = (cents: number): Decimal => `0.00000000000000000${cents}` as Decimal

function eventsOf(user: string, one: Transfer, uuid: string): GatewayEvent[] {
  const currency = CURRENCIES[one.currency] ?? CURRENCIES[0]!
  const reached = STAGES[one.kind].slice(0, one.reached + 1)
  const stages = one.kind === 'onramp' && one.fails ? reached.map((s) => (s === 'succeeded' ? 'failed' : s)) : reached
  return stages.map((status): GatewayEvent => {
    const final = status === 'succeeded'
    const onramp = one.kind === 'onramp'
    return {
      kind: one.kind,
      event: one.kind,
      merchant_reference: onramp ? null : MERCHANT,
      transaction_uuid: uuid,
      status,
      user_reference_id: user,
      currency: onramp
        ? { known: 'by_name', code: currency.currency_code, name: null, network: currency.network }
        : { known: 'by_id', currency },
      amount: onramp && !final ? null : amountOf(one.kind === 'deposit' && !final ? one.early : one.cents),
      amount_usd: null,
      to_address: onramp ? null : ADDRESS,
      from_address: null,
      tx_hash: one.hash === null || (onramp && !final) ? null : `hash-${one.hash}`,
      payment_method: null,
      provider_transaction_id: null,
      from_amount: null,
      from_currency: null,
      correlation_key: null,
      session_reference: onramp && one.ours ? sessionOf(uuid) : null,
      occurred_at: '2026-01-02T03:04:05Z',
    }
  })
}

/** What the gateway's list says of it on the way: the same states, under the same amounts. */
const recordsOf = (one: Transfer, events: readonly GatewayEvent[]): Fact[] =>
  (one.listed && one.kind === 'deposit') || one.kind === 'payout'
    ? events.map(({ event: _, merchant_reference: __, currency: ___, ...details }): Fact => {
        const currency = CURRENCIES[one.currency] ?? CURRENCIES[0]!
        return {
          ...details,
          source: 'reconciliation',
          currency_id: currency.id,
          currency_code: currency.currency_code,
          network: currency.network,
          occurred_at: '2026-01-02T03:04:05Z',
        }
      })
    : []

const finalOf = (one: Transfer): string => eventsOf('', one, '').at(-1)?.status ?? ''

/**
 * The rule in one place: deposits that are surely ours credit; an on-ramp of a session of ours credits where no such
 * deposit of its hash and currency came.
 */
function creditsOf(transfers: readonly Transfer[], currency: number, pinned: boolean): Decimal {
  const done = transfers.filter((one) => one.currency === currency && finalOf(one) === 'succeeded')
  const deposits = done.filter((one) => one.kind === 'deposit' && (pinned || one.listed))
  const onramps = done.filter(
    (one) =>
      one.kind === 'onramp' &&
      one.ours &&
      !deposits.some((deposit) => deposit.hash !== null && deposit.hash === one.hash),
  )
  return [...deposits, ...onramps].reduce<Decimal>((total, one) => add(total, amountOf(one.cents)), ZERO)
}

const withdrawalOf = (user: string, one: Transfer, now: number): WithdrawalRow => ({
  id: randomUUID(),
  user_reference_id: user,
  idempotency_key: randomUUID(),
  currency_id: CURRENCIES[one.currency]?.id ?? '',
  currency_code: CURRENCIES[one.currency]?.currency_code ?? '',
  network: 'Tron',
  amount: amountOf(one.cents),
  wallet_address: ADDRESS,
  address_key: ADDRESS,
  amount_key: canonical(amountOf(one.cents)),
  status: one.fails ? 'unknown' : 'processing',
  step: 'ended',
  driver: null,
  funds: 'held',
  requires_approval: 0,
  transaction_uuid: null,
  failure: null,
  failure_reason: null,
  user_message: null,
  declined_at_request: 0,
  record_status: null,
  first_result: null,
  created_ms: now,
  called_ms: now,
  call_ended_ms: now,
  absent_scans: 0,
  checks: 0,
  next_check_ms: null,
  checked_ms: null,
  updated_ms: now,
  clock_offset_ms: null,
  reply_amount_key: null,
  early_decision: null,
  attention: null,
  resolution: null,
})

async function prepare(tx: Tx, user: string, transfers: readonly Transfer[], uuids: readonly string[]): Promise<void> {
  await tx.users.ensure(user, tx.now)
  for (const { id } of CURRENCIES)
    await post(tx, {
      booking: 'adjustment',
      posting_key: `${user}:${id}`,
      user_reference_id: user,
      currency_id: id,
      amount: FUNDS,
    })
  for (const [index, one] of transfers.entries())
    if (one.kind === 'onramp' && one.ours) {
      const id = sessionOf(uuids[index] ?? '')
      await tx.onramps.insert(sampleOnramp({ id, user_reference_id: user, correlation_key: null }))
    }
  for (const one of transfers.filter(({ kind }) => kind === 'payout')) {
    const row = withdrawalOf(user, one, tx.now)
    await tx.withdrawals.insert(row)
    await post(tx, {
      booking: 'hold',
      posting_key: `hold:${row.id}`,
      user_reference_id: user,
      currency_id: row.currency_id,
      amount: row.amount,
    })
  }
}

const payoutsOf = (transfers: readonly Transfer[], currency: number, final: string): Decimal =>
  transfers
    .filter((one) => one.kind === 'payout' && one.currency === currency && finalOf(one) === final)
    .reduce<Decimal>((total, one) => add(total, amountOf(one.cents)), ZERO)

test(
  'any order, repetition and interleaving of webhooks and records that do not conflict ends in the same states and balances',
  { timeout: 60_000 + RUNS * 60 },
  async () => {
    let run = 0
    const property = fc.asyncProperty(
      fc.array(transfer, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (transfers, dice, together, pinned) => {
        run += 1
        const user = `user-${run}`
        const roll = (): number => Number(dice.next().value ?? 0)
        const uuids = transfers.map((_, index) => `${user}-${index}`)
        await store.transaction((tx) => prepare(tx, user, transfers, uuids))
        const messages: (GatewayEvent | Fact)[] = transfers.flatMap((one, index) => {
          const events = eventsOf(user, one, uuids[index] ?? '')
          return [...events, ...recordsOf(one, events)]
        })
        const twice = [...messages, ...messages.filter(() => roll() % 3 === 0)]
        const shuffled = twice
          .map((event) => ({ event, at: roll() }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event)

        const seen = new Set<string>()
        for (let at = 0; at < shuffled.length; at += together)
          await store.transaction(async (tx) => {
            const known = await tx.users.lock([user])
            for (const event of shuffled.slice(at, at + together)) {
              const name = `${event.transaction_uuid} ${event.status}`
              if ('source' in event) {
                await applyFact(tx, event, { ledgerMode: 'embedded', insertedMs: tx.now, evidence: '{}' })
                continue
              }
              const rules = { ledgerMode: 'embedded', merchantReference: pinned ? MERCHANT : null } as const
              const outcome = await applyWebhook(tx, event, known, { ...rules, body: '{}' })
              expect(outcome).toBe(seen.has(name) ? 'seen' : 'applied')
              seen.add(name)
            }
          })

        for (const [index, one] of transfers.entries())
          expect((await store.transactions.find(one.kind, uuids[index] ?? ''))?.status).toBe(finalOf(one))
        for (const [index, { id }] of CURRENCIES.entries()) {
          const balance = await store.ledger.balance(user, id)
          const paid = payoutsOf(transfers, index, 'succeeded')
          const held = payoutsOf(transfers, index, 'processing')
          const available = subtract(subtract(add(FUNDS, creditsOf(transfers, index, pinned)), paid), held)
          expect(compare(balance.available, available), `available ${balance.available}, should be ${available}`).toBe(
            0,
          )
          expect(compare(balance.held, held), `held ${balance.held}, should be ${held}`).toBe(0)
        }
        const statuses = (await store.withdrawals.ofUser(user, 0, 100)).map(({ status }) => status).sort()
        const wanted = transfers.filter(({ kind }) => kind === 'payout').map(finalOf)
        expect(statuses).toEqual(wanted.sort())
      },
    )
    await fc.assert(property, { numRuns: RUNS })
    const report = await checkLedger(store)
    expect(report.faults).toEqual([])
  },
)
