/** The stories that are told of what really happened: webhooks, records of the list, withdrawals. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { storySchema, type Story } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { decimal } from '#lib/contract/money.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from '../cashier/withdrawal-steps.ts'
import { OutcomeUnknownError } from '../gateway/errors.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { Gateway, TransactionRecord } from '../gateway/types.ts'
import { sampleOnramp, sampleRecord, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { WithdrawalRow } from '../store/types.ts'
import { createReceiveWebhook } from '../webhooks/receive-webhook.ts'
import { createStories } from '../operate/story/read-story.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RULES = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'm' } as const
const DAY = 86_400_000
const START = Date.parse('2026-11-20T12:00:00Z')
const UUID = '00000000-0000-4000-8000-00000000000a'
const OTHER = '00000000-0000-4000-8000-00000000000b'
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const HASH = `0x${'ab'.repeat(32)}`
const USDT = { id: 'c', name: 'Tether', symbol: '₮', network: 'Ethereum', currency_code: 'USDT' }

const deposit = (status: string, { user = 'user_1', amount = 5 } = {}) => ({
  event: 'User Deposit',
  transaction: {
    ...{ id: UUID, status, date: '2026-11-20T12:00:00Z', currency: USDT, amount, transaction_type: 'Deposit' },
    ...{ to_address: ADDRESS, from_address: ADDRESS, tx_hash: HASH },
  },
  transaction_uuid: UUID,
  ...{ user_reference: user, merchant_reference: 'm', payment_method: 'Deposit' },
})

const purchase = (status: string, { paid = 6, to = 5 } = {}) => ({
  event: 'User Onramp',
  transaction: {
    ...{ id: OTHER, status, date: '2026-11-20T12:00:00Z', tx_hash: HASH, transaction_type: 'onramp' },
    ...{ to_amount: to, to_currency: { code: 'USDT', name: 'Tether', network: 'Ethereum' } },
    ...{ from_amount: paid, from_currency: 'EUR' },
  },
  transaction_uuid: OTHER,
  ...{ user_reference: 'user_1', payment_method: 'card', correlation_key: 'm:1', session_reference: null },
})

const asking = sampleWithdrawal({
  ...{ user_reference_id: 'user_1', currency_id: 'c', network: 'Ethereum', wallet_address: ADDRESS },
  ...{ amount: decimal('5'), status: 'pending_authorization', step: 'authorizing', driver: 'one' },
  ...{ funds: 'none', postings: 0, created_ms: START, updated_ms: START },
  states: JSON.stringify([['pending_authorization', START, 'requested', 'cashier']]),
})

/** The entries in a few words each, oldest first. */
const inShort = ({ entries }: Story): readonly string[] =>
  entries.map((entry) => `${entry.kind} ${IN_SHORT[entry.kind](entry as never)}`.trim())

const IN_SHORT: { readonly [K in StoryEntry['kind']]: (entry: Extract<StoryEntry, { kind: K }>) => string } = {
  requested: ({ amount }) => amount,
  purchase_started: ({ amount, fiat_currency }) => `${amount} ${fiat_currency}`,
  event: ({ event_name, status, outcome }) => `${event_name ?? '?'} ${status ?? '?'} ${outcome}`,
  record: ({ how, status }) => `${how} ${status}`,
  state: ({ status, cause }) => `${status} ${cause}`,
  posting: ({ booking, amount }) => `${booking} ${amount}`,
  call: ({ purpose, status, fault }) => `${purpose} ${String(status)} ${fault ?? 'ok'}`,
  call_unkept: () => '',
  resolution: ({ outcome }) => outcome,
  reported: ({ reason }) => reason,
  settled: ({ reason, by }) => `${reason} ${by}`,
  owner: ({ owner }) => owner,
  delivery: ({ status, state }) => `${status} ${state}`,
  act: ({ action, operator }) => `${action} ${operator}`,
}

const verdicts = ({ comparisons }: Story) =>
  Object.fromEntries(comparisons.map(({ field, verdict }) => [field, verdict]))
const next = (story: Story) => story.next.map(({ what }) => what)

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, {
    ...{ partitioned: true, deliver: true, clock: () => now, databaseClock: () => now },
  })

  /** A second passes. */
  const later = (): number => (now += 1000)

  const setUp = async (): Promise<void> => {
    now = START
    await stores.one.users.ensure('user_1', now)
    later()
  }

  const stories = () =>
    createStories({
      store: stores.one,
      rules: { absenceMs: 3_600_000, overdueMs: DAY, giveUpMs: 3 * DAY, keepsBooks: true },
      clock: () => now,
    })

  /** What is told passes the schema that the page reads it with. */
  const told = async (story: () => Promise<Story>): Promise<Story> => {
    await stores.one.events.number()
    return storySchema.parse(await story())
  }

  async function send(body: object): Promise<string> {
    const receive = createReceiveWebhook({
      ...{ store: stores.one, publicKey, clock: () => now, toleranceS: 300 },
      ...RULES,
    })
    const text = JSON.stringify(body)
    const timestamp = String(Math.floor(now / 1000))
    const signature = createSign('RSA-SHA256').update(text).update(timestamp).sign(privateKey, 'base64')
    expect((await receive({ rawBody: Buffer.from(text), signature, timestamp })).status).toBe(200)
    later()
    return text
  }

  async function list(...records: readonly Partial<TransactionRecord>[]): Promise<void> {
    const base = { transaction_uuid: UUID, tx_hash: HASH, to_address: ADDRESS, amount: decimal('5') }
    const edges = records.map((record, index) => {
      const node = sampleTransactionRecord({ ...base, ...record })
      return { cursor: String(index), inserted_at: node.inserted_at, node }
    })
    await stores.one.applyRecords('user_1', listedRecords(edges, STATUSES), RULES)
    later()
  }

  /** Drives withdrawals. `withdraw`: the gateway's answer. */
  const driver = (
    withdraw: () => Promise<unknown>,
    answer: AuthorizationDecision = { decision: 'approve', user_message: null },
  ) => {
    const exchange = { startedMs: START + 1500, endedMs: START + 1900, request: '{"amount":"5"}' }
    const gateway = {
      clockOffsetMs: () => 0,
      statuses: STATUSES,
      withdraw: async (...[, options]: Parameters<Gateway['withdraw']>) => {
        const reply = await withdraw().catch((error: unknown) => {
          options?.onExchange?.({ ...exchange, status: null, reply: null })
          throw error
        })
        options?.onExchange?.({ ...exchange, status: 200, reply: JSON.stringify(reply) })
        return reply
      },
    } as unknown as Gateway
    return createWithdrawalSteps({
      ...{ store: stores.one, gateway, instance: 'one', uptimeMs: () => 0, onFault: () => undefined },
      askMerchant: () => Promise.resolve(answer),
    })
  }

  const accepted = (transaction_uuid: string | null) => () =>
    Promise.resolve({
      ...{ amount: '5', currency: 'USDT', requires_approval: false, status: 'Processing' },
      ...{ wallet_address: ADDRESS, transaction_uuid },
    })

  const withdrawn = async (row: WithdrawalRow, steps: ReturnType<typeof driver>): Promise<void> => {
    await seed(stores.one, { withdrawals: [row] })
    await steps.authorize(sampleWithdrawal({ ...asking }), true)
    later()
  }

  test('a deposit: its events as they came, a repetition, its record, what was booked and told', async () => {
    await setUp()
    await send(deposit('processing'))
    const body = await send(deposit('succeeded'))
    await send(deposit('succeeded'))
    await list({ status: 'TXN_PROVIDER_SUCCEEDED' })
    const story = await told(() => stories().transactionStory(UUID.toUpperCase()))
    expect(inShort(story)).toEqual([
      'event User Deposit processing applied',
      'state processing told',
      'delivery processing pending',
      'event User Deposit succeeded applied',
      'state succeeded told',
      'posting credit 5',
      'delivery succeeded pending',
      'event User Deposit succeeded seen',
      'record seen succeeded',
    ])
    expect(story).toMatchObject({
      ...{ kind: 'deposit', status: 'succeeded', user_reference_id: 'user_1', amount: '5', tx_hash: HASH },
      ...{ transactions: [{ transaction_uuid: UUID, standing: 'confirmed' }], missing: [], is_cut: false },
    })
    expect(story.entries[3]).toMatchObject({ raw: body, sent_at: '2026-11-20T12:00:02.000Z', differs: [] })
    expect(verdicts(story)).toEqual({
      ...{ user: 'agree', currency: 'agree', amount: 'agree', to_address: 'agree', from_address: 'unknown' },
      ...{ hash: 'agree', transaction: 'agree' },
    })
    expect(next(story)).toEqual(['delivery', 'delivery'])
  })

  test('a payout that nobody owns waits for an owner, and then it has one', async () => {
    await setUp()
    await list({ type: 'Payout', status: 'TXN_PROVIDER_SUCCEEDED' })
    const open = await told(() => stories().transactionStory(UUID))
    expect(inShort(open)).toEqual([
      'record seen succeeded',
      'state succeeded told',
      'reported unmatched_payout',
      'delivery succeeded pending',
    ])
    expect(open).toMatchObject({ kind: 'payout', missing: ['event', 'owner'] })
    expect(next(open)).toEqual(['owner', 'person', 'delivery'])
  })

  test('a purchase and its deposit are one story, under either uuid', async () => {
    await setUp()
    const session = { id: 'o1', correlation_key: 'm:1', user_reference_id: 'user_1', currency_id: 'c' }
    await stores.one.onramps.insert(
      sampleOnramp({ ...session, network: 'Ethereum', created_ms: START, amount: decimal('5') }),
    )
    await send(purchase('succeeded'))
    await send(deposit('succeeded'))
    const bought = await told(() => stories().transactionStory(OTHER))
    expect(inShort(bought)).toEqual([
      'purchase_started 5 EUR',
      'event User Onramp succeeded applied',
      'state succeeded told',
      'posting credit 5',
      'delivery succeeded pending',
      'event User Deposit succeeded applied',
      'state succeeded told',
      'posting credit 5',
      'posting reversal 5',
      'delivery succeeded pending',
    ])
    expect(bought).toMatchObject({ kind: 'onramp', session_id: 'o1' })
    expect(verdicts(bought)).toMatchObject({ amount: 'agree', hash: 'agree' })
    const arrived = await told(() => stories().transactionStory(UUID))
    expect(arrived).toMatchObject({ kind: 'deposit', missing: ['record'] })
    expect(inShort(arrived)).toEqual(inShort(bought))
  })

  test.each([[['processing']], [[]]])(
    'an implausible purchase: what was expected beside what came, and whether its deposit was credited',
    async (before) => {
      await setUp()
      const session = { id: 'o1', correlation_key: 'm:1', user_reference_id: 'user_1', currency_id: 'c' }
      await stores.one.onramps.insert(
        sampleOnramp({ ...session, network: 'Ethereum', created_ms: START, amount: decimal('6') }),
      )
      for (const status of before) await send(purchase(status, { paid: 900 }))
      await send(purchase('succeeded', { paid: 900, to: 700 }))
      const held = await told(() => stories().transactionStory(OTHER))
      expect(inShort(held)).toContain('purchase_started 6 EUR')
      expect(inShort(held)).toContain('event User Onramp succeeded implausible')
      const fieldsOf = ({ comparisons }: Story) =>
        Object.fromEntries(
          comparisons.map(({ field, verdict, values }) => [field, [verdict, values.map(({ value }) => value)]]),
        )
      expect(fieldsOf(held)).toMatchObject({
        paid: ['differ', expect.arrayContaining(['6 EUR', '900 EUR']) as string[]],
      })
      expect(held.transactions).not.toContainEqual(expect.objectContaining({ kind: 'deposit' }))

      await send(deposit('succeeded'))
      const brought = await told(() => stories().transactionStory(OTHER))
      expect(brought.transactions).toContainEqual(
        expect.objectContaining({ transaction_uuid: UUID, kind: 'deposit', amount: '5', credited: '5' }),
      )
      expect(fieldsOf(brought)).toMatchObject({
        user: ['agree', expect.anything()],
        amount: ['differ', expect.arrayContaining(['700', '5'])],
      })
    },
  )

  test('a withdrawal and its payout are one story, under either id', async () => {
    await setUp()
    await withdrawn(asking, driver(accepted(UUID)))
    await list({ type: 'Payout', status: 'TXN_PROVIDER_SUCCEEDED', amount: decimal('4.9') })
    const story = await told(() => stories().withdrawalStory('w1'))
    expect(inShort(story)).toEqual([
      'requested 5',
      'state pending_authorization requested',
      'state processing approved',
      'delivery processing pending',
      'call withdraw 200 ok',
      'record seen succeeded',
      'owner withdrawal',
      'state succeeded payout',
      'delivery succeeded pending',
    ])
    expect(story).toMatchObject({ kind: 'withdrawal', withdrawal_id: 'w1', status: 'succeeded', tx_hash: HASH })
    expect(story.comparisons.find(({ field }) => field === 'amount')).toEqual({
      ...{ field: 'amount', verdict: 'differ' },
      values: [
        { source: 'asked', value: '5' },
        { source: 'reply', value: '5' },
        { source: 'list', value: '4.9' },
      ],
    })
    expect(inShort(await told(() => stories().transactionStory(UUID)))).toEqual(inShort(story))
  })

  test('an unknown withdrawal: the call without a reply, and when its absence is proved', async () => {
    await setUp()
    const cut = () => Promise.reject(new OutcomeUnknownError('the connection was cut', { operation: 'withdraw' }))
    await withdrawn(asking, driver(cut))
    const story = await told(() => stories().withdrawalStory('w1'))
    expect(inShort(story).slice(2)).toEqual([
      'state processing approved',
      'state unknown uncertain',
      'delivery unknown pending',
      'call withdraw null the connection was cut',
    ])
    expect(story).toMatchObject({ status: 'unknown', missing: ['transaction'] })
    expect(story.next.slice(0, 3)).toMatchObject([
      { what: 'absence_check', count: 0 },
      { what: 'absence_proof', at: new Date(START + 1000 + 3_600_000).toISOString() },
      { what: 'overdue', at: new Date(START + 1000 + DAY).toISOString() },
    ])
  })

  test('after a restored backup, what was unsent counts as sent', async () => {
    await setUp()
    await seed(stores.one, { withdrawals: [asking] })
    await stores.one.withdrawals.doubtUnsent()
    expect(inShort(await told(() => stories().withdrawalStory('w1')))).toEqual([
      'requested 5',
      'state pending_authorization requested',
      'state processing restored',
    ])
  })

  test('a postponed withdrawal waits for a decision; the question to the merchant and the answer are kept', async () => {
    await setUp()
    const call = {
      started_ms: START + 500,
      ended_ms: START + 600,
      status: 200,
      fault: null,
      request: '{}',
      reply: '{}',
    }
    await withdrawn(asking, driver(accepted(null), { decision: 'postpone', user_message: null, call }))
    const story = await told(() => stories().withdrawalStory('w1'))
    expect(inShort(story)).toEqual([
      'requested 5',
      'state pending_authorization requested',
      'call authorize 200 ok',
      'delivery pending_authorization pending',
    ])
    expect(next(story)).toEqual(['decision', 'delivery'])
  })

  test('a contradiction is marked where it is told, and a person is asked; who settled it is told too', async () => {
    await setUp()
    await send(deposit('succeeded'))
    await list({ status: 'TXN_PROVIDER_SUCCEEDED', amount: decimal('7') })
    const story = await told(() => stories().transactionStory(UUID))
    expect(inShort(story).slice(-2)).toEqual(['record last TXN_PROVIDER_SUCCEEDED', 'reported list_conflict'])
    expect(story.entries.at(-2)).toMatchObject({ differs: ['amount'] })
    expect(verdicts(story)).toMatchObject({ user: 'agree', amount: 'differ' })
    expect(story.transactions).toMatchObject([{ standing: 'disputed' }])
    expect(story.missing).toEqual([])
    expect(story.next.filter(({ what }) => what === 'person')).toMatchObject([{ reason: 'list_conflict' }])
    const [line] = await stores.one.quarantine.list({ reason: 'list_conflict', settled: false, after: 0, limit: 1 })
    await stores.one.quarantine.settle(line!.id, { by: 'merchant', now, note: 'The list is right.' })
    const settled = await told(() => stories().transactionStory(UUID))
    expect(settled.entries.at(-1)).toMatchObject({ kind: 'settled', by: 'merchant', note: 'The list is right.' })
    expect(next(settled)).not.toContain('person')
  })

  test('a declined withdrawal: the words for the user stand where it was declined', async () => {
    await setUp()
    await withdrawn(asking, driver(accepted(null), { decision: 'decline', user_message: 'Please write to us.' }))
    const { entries } = await told(() => stories().withdrawalStory('w1'))
    expect(entries.filter(({ kind }) => kind === 'state')).toMatchObject([
      { cause: 'requested', words: null },
      { cause: 'declined', words: 'Please write to us.' },
    ])
  })

  test('what only the list of another user has shown is missing in the user’s own list', async () => {
    await setUp()
    await stores.one.users.ensure('user_2', now)
    await send(deposit('succeeded'))
    expect((await told(() => stories().transactionStory(UUID))).missing).toContain('record')
    await seed(stores.one, { records: [sampleRecord({ transaction_uuid: UUID, user_reference_id: 'user_2' })] })
    const { missing } = await told(() => stories().transactionStory(UUID))
    expect(missing).toContain('record_elsewhere')
    expect(missing).not.toContain('record')
  })

  test('an event in quarantine of an unknown user is all that is known', async () => {
    await setUp()
    const body = await send(deposit('succeeded', { user: 'nobody' }))
    const story = await told(() => stories().transactionStory(UUID))
    expect(inShort(story)).toEqual(['event User Deposit succeeded unknown_user'])
    expect(story.entries[0]).toMatchObject({ raw: body, quarantine_id: 1 })
    expect(story).toMatchObject({ kind: 'unknown', user_reference_id: 'nobody', transactions: [{ kind: null }] })
    expect(next(story)).toEqual(['release'])
  })

  test('a record is all that is known, and nothing is known', async () => {
    await setUp()
    await seed(stores.one, { records: [sampleRecord({ transaction_uuid: UUID, user_reference_id: 'user_1' })] })
    const story = await told(() => stories().transactionStory(UUID))
    expect(inShort(story)).toEqual(['record last TXN_NEW'])
    expect(story).toMatchObject({ kind: 'unknown', user_reference_id: 'user_1' })
    await expect(stories().transactionStory(OTHER)).rejects.toMatchObject({ code: 'not_found' })
    await expect(stories().withdrawalStory('w9')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('what raw texts said is told after they are deleted', async () => {
    await setUp()
    await send(deposit('processing'))
    await send(deposit('succeeded'))
    await stores.one.retention.deleteWebhooks(now, 100)
    const story = await told(() => stories().transactionStory(UUID))
    expect(inShort(story).filter((entry) => entry.startsWith('event'))).toEqual([
      'event User Deposit processing applied',
      'event User Deposit succeeded applied',
    ])
    expect(story.missing).toContain('raw_event')
  })

  test('the acts of operators are told, but not that they looked', async () => {
    await setUp()
    await send(deposit('processing'))
    await stores.one.transaction(async (tx) => {
      const about = { kind: 'transaction', id: UUID }
      const operator = { id: 'o', name: 'Ada' }
      await tx.audit.append({ operator, action: 'story.open', about }, now)
      await tx.audit.append({ operator, action: 'delivery.resend', about, reason: 'lost' }, now)
    })
    const story = await told(() => stories().transactionStory(UUID))
    expect(story.entries.filter(({ kind }) => kind === 'act')).toMatchObject([
      { action: 'delivery.resend', operator: 'Ada', reason: 'lost' },
    ])
  })
})
