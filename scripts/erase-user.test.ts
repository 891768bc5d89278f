import { execFile } from 'node:child_process'
import { createSign, generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { createAdjustBalance } from '#lib/server/merchant/adjust-balance.ts'
import type { Store } from '#lib/server/store/store.ts'
import {
  sampleCall,
  sampleOnramp,
  sampleRecord,
  sampleSession,
  sampleWithdrawal,
} from '#lib/server/store/testing/sample-rows.ts'
import { seed } from '#lib/server/store/testing/seed.ts'
import { FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { useStores } from '#lib/server/store/testing/use-stores.ts'
import { createReceiveWebhook } from '#lib/server/webhooks/receive-webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const CURRENCY = {
  id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11',
  name: 'Tether USD',
  symbol: 'USDT',
  network: 'Ethereum',
  currency_code: 'USDT',
}
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const HASH = `0x${'ab'.repeat(32)}`
const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

const webhookBody = (user: string, n: number, status: string): string =>
  JSON.stringify({
    event: 'User Deposit',
    transaction: {
      id: uuid(n),
      status,
      date: '2026-01-02T03:04:05Z',
      currency: CURRENCY,
      amount: 12.5,
      provider_transaction_id: 'provider-secret',
      to_address: ADDRESS,
      from_address: ADDRESS,
      tx_hash: HASH,
      transaction_type: 'Deposit',
      amount_usd: 12.5,
    },
    transaction_uuid: uuid(n),
    user_reference: user,
    merchant_reference: 'merchant-secret',
    payment_method: 'Deposit',
  })

function send(store: Store, user: string, n: number, status = 'succeeded') {
  const receive = createReceiveWebhook({
    store,
    publicKey,
    clock: Date.now,
    toleranceS: 300,
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    merchantReference: 'merchant-secret',
  })
  const rawBody = Buffer.from(webhookBody(user, n, status))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createSign('RSA-SHA256').update(rawBody).update(timestamp).sign(privateKey, 'base64')
  return receive({ rawBody, signature, timestamp })
}

/** Creates every kind of data that a user leaves behind. */
async function live(store: Store, user: string, n: number): Promise<void> {
  await store.sessions.addSession(
    sampleSession({
      id: `session-of-${user}`,
      user_reference_id: user,
      locale: 'de',
      country: 'DE',
      created_ms: Date.now(),
    }),
    { hash: `token-of-${user}`, expires_ms: Date.now() + 1000 },
  )
  await send(store, user, n, 'processing')
  await send(store, user, n)
  await send(store, user, n + 1, 'processing')
  await store.addresses.saveFirst([
    {
      user_reference_id: user,
      currency_id: CURRENCY.id,
      address: ADDRESS,
      currency: 'USDT',
      network: 'Ethereum',
      created_ms: 1,
    },
  ])
  await seed(store, {
    records: [sampleRecord({ user_reference_id: user, transaction_uuid: uuid(n), record: `{"a":"${ADDRESS}"}` })],
  })
  await store.onramps.insert(
    sampleOnramp({ id: `onramp-of-${user}`, user_reference_id: user, correlation_key: `key-of-${user}` }),
  )
  const adjust = createAdjustBalance(store, 'embedded', () => Promise.resolve())
  await adjust(user, { currency_id: CURRENCY.id, amount: decimal('5'), reference: `order-of-${user}` })
  const withdrawal = sampleWithdrawal({
    id: `w-${n}`,
    user_reference_id: user,
    currency_id: CURRENCY.id,
    idempotency_key: `idempotency-of-${user}`,
    amount: decimal('2.5'),
    wallet_address: ADDRESS,
    status: 'succeeded',
    funds: 'paid',
    user_message: `dear ${user}`,
  })
  const booking = { user_reference_id: user, currency_id: CURRENCY.id, amount: decimal('2.5') }
  const totals = { gateway: booking.amount, ledger: booking.amount, difference: decimal('0'), transactions: '[]' }
  await store.transaction((tx) => tx.controlTotals.replace(user, [{ currency_id: CURRENCY.id, ...totals }], 1))
  await seed(store, {
    withdrawals: [withdrawal],
    calls: [sampleCall({ user_reference_id: user, withdrawal_id: `w-${n}`, request: `{"to":"${ADDRESS}"}` })],
    bookings: [
      { booking: 'hold', posting_key: `hold:w-${n}`, ...booking },
      { booking: 'payout', posting_key: `payout:w-${n}`, ...booking },
    ],
  })
}

/** Every row of every table, as text. */
async function everything({ database }: Store): Promise<string> {
  const tables =
    database.flavour === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  const { rows } = await tables.execute(database.db)
  const all = await Promise.all(rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(database.db)))
  return JSON.stringify(all.map((table) => table.rows))
}

const program = fileURLToPath(new URL('erase-user.ts', import.meta.url))

/** Runs the command as an operator does. */
const erase = (url: string, user: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: url }
    const child = execFile(process.execPath, [program, user], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('a user is erased: no personal data is left, the ledger is consistent, and postings are kept', async () => {
    const { one } = stores
    await live(one, 'alice', 1)
    await live(one, 'bob', 4)
    const conflict = {
      reason: 'conflict',
      event_name: 'User Deposit',
      user_reference_id: 'alice',
      transaction_uuid: uuid(1),
      event: webhookBody('alice', 1, 'succeeded'),
    } as const
    await seed(one, { quarantine: [conflict] })
    const bobBefore = await one.ledger.balances('bob')

    const { code, output } = await erase(stores.url, 'alice')

    expect([code, output]).toEqual([0, expect.stringContaining('15 of currency')])
    const after = await everything(one)
    expect(after).not.toContain('alice')
    for (const trace of [ADDRESS, HASH, 'provider-secret', 'merchant-secret']) {
      const ofBob = after.split(trace).length
      expect(ofBob, `${trace} of bob stays`).toBeGreaterThan(1)
    }
    expect(await one.snapshot(checkLedger)).toMatchObject({ ok: true, faults: [] })
    expect(await one.ledger.balances('bob')).toEqual(bobBefore)
    const [, pseudonym = ''] = /under (erased_\S+)[.]/.exec(output) ?? []
    expect(await one.ledger.balance(pseudonym, CURRENCY.id)).toMatchObject({ available: '15', held: '0' })
    expect(await one.users.exists('alice')).toBe(false)
    expect(await one.transactions.find('deposit', uuid(1))).toMatchObject({
      user_reference_id: pseudonym,
      to_address: null,
      from_address: null,
      tx_hash: null,
      credited: '12.5',
    })

    expect(await send(one, 'alice', 1)).toEqual({ status: 200, duplicate: true })
    expect(await send(one, 'alice', 2)).toEqual({ status: 200, duplicate: false })
    const waiting = await one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect(waiting.map(({ reason, transaction_uuid }) => [reason, transaction_uuid])).toEqual([
      ['unknown_user', uuid(2)],
    ])
    expect(await erase(stores.url, 'alice')).toMatchObject({ code: 0 })
    expect(await everything(one)).not.toContain('alice')
  })

  test('if the store has no other user, no trace of the person is left', async () => {
    const { one } = stores
    await live(one, 'alice', 1)
    expect(await erase(stores.url, 'alice')).toMatchObject({ code: 0 })
    const after = await everything(one)
    for (const trace of ['alice', ADDRESS, ADDRESS.toLowerCase(), HASH, 'secret', 'order-of', 'key-of', '"DE"'])
      expect(after).not.toContain(trace)
    expect(JSON.parse((await one.events.feedAfter(0, 1))[0]!.data)).toMatchObject({
      status: 'processing',
      amount: '12.5',
      tx_hash: null,
    })
  })

  test('nothing is erased for a user with an open withdrawal, or for an unknown user', async () => {
    const { one } = stores
    await live(one, 'alice', 1)
    const open = sampleWithdrawal({
      id: 'w-open',
      user_reference_id: 'alice',
      currency_id: CURRENCY.id,
      status: 'unknown',
    })
    await seed(one, { withdrawals: [{ ...open, idempotency_key: 'another' }] })
    // On PostgreSQL events are numbered after their commits, at the latest for a reader.
    await one.events.feedAfter(0, 1)
    const before = await everything(one)
    expect(await erase(stores.url, 'alice')).toEqual({
      code: 1,
      output: expect.stringContaining('w-open unknown') as string,
    })
    expect(await erase(stores.url, 'carol')).toMatchObject({ code: 1 })
    expect(await erase(stores.url, 'not an id')).toMatchObject({ code: 2 })
    expect(await everything(one)).toBe(before)
  })
})
