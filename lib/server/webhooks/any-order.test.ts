import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, compare, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { GatewayEvent } from '../gateway/parse-webhook.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Fact } from '../ledger/facts.ts'
import type { WithdrawalRow } from '../ledger/rows.ts'
import { openStore, type Store, type Tx } from '../store/store.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seedIn } from '../store/testing/seed.ts'
import { applyWebhook, loadForEvents, type WebhookRules } from './apply-webhook.ts'
import {
  ADDRESS,
  amountOf,
  creditsOf,
  CURRENCIES,
  currencyAt,
  finalOf,
  MERCHANT,
  messagesOf,
  purchaseSessionsOf,
  storiesOf,
  transfer,
  type TransferStory,
  type Transfer,
} from './testing/stories.ts'

/** `RUNS=100000` for the long run. */
const RUNS = Number(process.env['RUNS'] ?? 3000)
const FUNDS = '1000000' as Decimal

let store: Store

beforeAll(async () => {
  store = await openStore({ url: 'file::memory:', clock: Date.now, deliver: false })
  await store.transaction((tx) => tx.currencies.replaceListed(CURRENCIES, tx.now))
})

afterAll(async () => {
  await store.close()
})

const withdrawalOf = (user: string, one: Transfer, now: number): WithdrawalRow =>
  sampleWithdrawal({
    id: randomUUID(),
    user_reference_id: user,
    idempotency_key: randomUUID(),
    currency_id: currencyAt(one.currency).id,
    currency_code: currencyAt(one.currency).currency_code,
    amount: amountOf(one.cents),
    wallet_address: ADDRESS,
    status: one.fails ? 'unknown' : 'processing',
    created_ms: now,
    called_ms: now,
    call_ended_ms: now,
    updated_ms: now,
  })

async function prepare(tx: Tx, user: string, stories: readonly TransferStory[]): Promise<void> {
  await tx.users.ensure(user, tx.now)
  for (const session of purchaseSessionsOf(user, stories)) await tx.onramps.insert(session)
  const payouts = stories.filter(({ kind }) => kind === 'payout')
  const withdrawals = payouts.map((story) => withdrawalOf(user, story.transfer, tx.now))
  await seedIn(tx, {
    withdrawals,
    bookings: [
      ...CURRENCIES.map(
        ({ id }) =>
          ({
            booking: 'adjustment',
            posting_key: `${user}:${id}`,
            user_reference_id: user,
            currency_id: id,
            amount: FUNDS,
          }) as const,
      ),
      ...withdrawals.map(
        ({ id, currency_id, amount }) =>
          ({ booking: 'hold', posting_key: `hold:${id}`, user_reference_id: user, currency_id, amount }) as const,
      ),
    ],
  })
}

type Message = GatewayEvent | Fact

const isListed = (message: Message): message is Fact => 'source' in message
const isWebhook = (message: Message): message is GatewayEvent => !isListed(message)

/**
 * The outcome of each webhook so far: an identical one is `seen`, a different one with the same status is a conflict.
 */
type Applied = Map<string, string | null>

async function applyWebhooks(tx: Tx, events: readonly GatewayEvent[], rules: WebhookRules, applied: Applied) {
  const unit = await loadForEvents(tx, events, [], rules)
  for (const event of events) {
    const name = `${event.transaction_uuid} ${event.status}`
    const before = applied.get(name)
    const differs = before != null && event.from_address !== null && before !== event.from_address
    const expected = before === undefined ? 'applied' : differs ? 'conflict' : 'seen'
    expect(applyWebhook(unit, event, { ...rules, body: '{}' })).toBe(expected)
    if (before === undefined) applied.set(name, event.from_address)
  }
  await tx.save(unit)
}

async function applyListed(tx: Tx, user: string, facts: readonly Fact[]): Promise<void> {
  const unit = await tx.load({ users: [user], transactions: facts })
  await tx.loadRelated(unit, facts)
  for (const fact of facts)
    expect(
      applyFact(unit, fact, { ledgerMode: 'embedded', ledgerStartMs: 0, insertedMs: unit.now, evidence: '{}' }),
    ).not.toBe('list_conflict')
  await tx.save(unit)
}

/** Consecutive messages from the same source. */
function groupsOf(messages: readonly Message[], together: number): readonly (readonly Message[])[] {
  const groups: Message[][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    const [first] = last ?? []
    if (last !== undefined && first !== undefined && last.length < together && isListed(first) === isListed(message))
      last.push(message)
    else groups.push([message])
  }
  return groups
}

const payoutsOf = (stories: readonly TransferStory[], currency: number, final: string): Decimal =>
  stories
    .filter((one) => one.kind === 'payout' && one.transfer.currency === currency && finalOf(one) === final)
    .reduce<Decimal>((total, { amount }) => add(total, amount), ZERO)

test('any order, repetition and interleaving of webhooks and records ends in the same states and balances', async () => {
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
      const uuids = transfers.map((_item, index) => `${user}-${index}`)
      const stories = storiesOf(user, transfers, uuids)
      await store.transaction((tx) => prepare(tx, user, stories))
      const messages = stories.flatMap(messagesOf)
      const again = messages.filter(() => roll() % 3 === 0)
      // Some repetitions differ in a field that moves no money.
      const repeated = again.map((message) => (roll() % 4 === 0 ? { ...message, from_address: 'elsewhere' } : message))
      const shuffled = [...messages, ...repeated]
        .map((message) => ({ message, at: roll() }))
        .sort((a, b) => a.at - b.at)
        .map(({ message }) => message)

      const rules = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: pinned ? MERCHANT : null } as const
      const applied: Applied = new Map()
      for (const group of groupsOf(shuffled, together))
        await store.transaction((tx) =>
          group.every(isListed)
            ? applyListed(tx, user, group)
            : applyWebhooks(tx, group.filter(isWebhook), rules, applied),
        )

      for (const story of stories)
        expect((await store.transactions.find(story.kind, story.uuid))?.status).toBe(finalOf(story))
      for (const [index, { id }] of CURRENCIES.entries()) {
        const balance = await store.ledger.balance(user, id)
        const paid = payoutsOf(stories, index, 'succeeded')
        const held = payoutsOf(stories, index, 'processing')
        const available = subtract(subtract(add(FUNDS, creditsOf(stories, index, pinned)), paid), held)
        expect(compare(balance.available, available), `available ${balance.available}, should be ${available}`).toBe(0)
        expect(compare(balance.held, held), `held ${balance.held}, should be ${held}`).toBe(0)
      }
      const statuses = (await store.withdrawals.ofUser(user, 0, 100)).map(({ status }) => status).sort()
      const wanted = stories.filter(({ kind }) => kind === 'payout').map(finalOf)
      expect(statuses).toEqual(wanted.sort())
    },
  )
  await fc.assert(property, { numRuns: RUNS })
  const report = await store.snapshot(checkLedger)
  expect(report.faults).toEqual([])
})
