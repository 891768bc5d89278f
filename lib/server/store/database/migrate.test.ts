import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { connectDatabase, type Database } from './database.ts'
import { migrate, MIGRATIONS, pendingMigrations } from './migrate.ts'
import { openStore } from '../store.ts'
import { sampleFact, sampleTransaction, sampleWithdrawal } from '../testing/sample-rows.ts'
import { allRows } from '../testing/all-rows.ts'
import { FLAVOURS, newTestDatabase } from '../testing/test-databases.ts'

const run = promisify(execFile)
/** Inserts a row into a table as it was in the first version. */
const insertRow = ({ db }: Database, table: string, row: object) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(db)

/** A posting and its two entries as the first version kept them. */
async function insertPosting(
  opened: Database,
  posting: Readonly<Record<'key' | 'kind' | 'from' | 'to' | 'amount', string>>,
): Promise<void> {
  const { key, kind, from, to, amount } = posting
  const owner = { posting_key: key, user_reference_id: 'u', currency_id: 'c1' }
  await insertRow(opened, 'postings', { ...owner, kind, created_ms: 1, detail: null })
  const taken = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
  await insertRow(opened, 'entries', { ...owner, account: from, amount: taken })
  await insertRow(opened, 'entries', { ...owner, account: to, amount })
}

const program = fileURLToPath(new URL('../testing/open-store.ts', import.meta.url))

describe.each(FLAVOURS)('%s', (flavour) => {
  test('four instances that start together run each migration once', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(async () => (await run(process.execPath, [program, database.url])).stdout),
    )
    const opened = connectDatabase(database.url)
    const rows = await sql<{ name: string }>`select name from schema_migrations`.execute(opened.db)
    const counters = await sql<{ value: number }>`select value from counters`.execute(opened.db)
    const users = await opened.db.selectFrom('users').select('user_reference_id').execute()
    expect(await pendingMigrations(opened)).toEqual([])
    await opened.close()
    await database.remove()
    expect(outputs).toEqual(Array(4).fill('open\n'))
    expect(rows.rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(counters.rows).toEqual([{ value: 0 }])
    expect(users).toHaveLength(4)
  })

  test('a database of the first version keeps its data, and what waited in quarantine is open', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const old = connectDatabase(database.url)
    await MIGRATIONS[0]!.up(old.db as never, flavour)
    await sql`create table schema_migrations (name text primary key, applied_ms bigint not null)`.execute(old.db)
    await sql`insert into schema_migrations (name, applied_ms) values ('0001-initial', 1)`.execute(old.db)
    await sql`insert into quarantine (reason, received_ms, event) values ('stale', 1, '{}')`.execute(old.db)
    await old.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const open = await store.quarantine.list({ reason: 'stale', settled: false, after: 0, limit: 9 })
    await store.close()
    await database.remove()
    expect(open).toMatchObject([{ id: 1, reason: 'stale', settled_ms: null, settled_by: null, note: null }])
  })

  test('a store that is opened again keeps what it has', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const options = { url: database.url, clock: Date.now, deliver: false }
    const first = await openStore(options)
    await first.users.ensure('u', 1)
    await first.close()
    const second = await openStore(options)
    const known = await second.users.exists('u')
    await second.close()
    await database.remove()
    expect(known).toBe(true)
  })

  test('a database of the first version keeps its withdrawals, and gets the columns that came later', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(opened, MIGRATIONS.slice(0, 1))
    const row = sampleWithdrawal({ status: 'unknown' })
    const { clock_offset_ms, reply_amount_key, early_decision, attention, resolution, paid_amount, ...rest } = row
    const { postings: _, reply_transaction_uuid: __, ...before } = rest
    await insertRow(opened, 'withdrawals', before)
    await insertPosting(opened, { key: 'hold:w1', kind: 'hold', from: 'available', to: 'held', amount: '1.5' })
    await opened.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const after = await store.withdrawals.find(row.id)
    await store.close()
    await database.remove()
    const later = [clock_offset_ms, reply_amount_key, early_decision, attention, resolution, paid_amount]
    expect(later).toEqual(Array(6).fill(null))
    expect(after).toEqual(row)
  })

  test('users of an older version with something open are asked for, however long it has been open', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(
      opened,
      MIGRATIONS.filter(({ name }) => name < '0006'),
    )
    for (const [user, at] of Object.entries({ open: null, idle: null, soon: 5, other: 5 }))
      await sql`insert into users (user_reference_id, known, created_ms, last_seen_ms, reconcile_at_ms)
        values (${user}, 1, 1, 1, ${at})`.execute(opened.db)
    for (const user of ['open', 'soon']) {
      const row = sampleWithdrawal({ id: user, user_reference_id: user, status: 'processing', transaction_uuid: user })
      const { paid_amount: _, reply_transaction_uuid: __, ...before } = row
      await insertRow(opened, 'withdrawals', before)
    }
    const payout = sampleTransaction({ kind: 'payout', transaction_uuid: 'open', amount: decimal('1.4') })
    await insertRow(opened, 'transactions', payout)
    await opened.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const paid = await store.withdrawals.byIds(['open', 'soon'])
    const open = await store.reconcileQueue.claimDue('open', 9, 1)
    const others = await store.reconcileQueue.claimDue('sweep', 9, 1)
    await store.close()
    await database.remove()
    expect(open.map((user) => user.user_reference_id).sort()).toEqual(['open', 'soon'])
    expect(others.map((user) => user.user_reference_id)).toEqual(['other'])
    expect(new Map(paid.map(({ id, paid_amount }) => [id, paid_amount]))).toEqual(
      new Map([
        ['open', '1.4'],
        ['soon', null],
      ]),
    )
  })

  test('a purchase of an older version is found by its deposit, whatever the id of its currency is by then', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(
      opened,
      MIGRATIONS.filter(({ name }) => name < '0015'),
    )
    const purchase = sampleTransaction({ kind: 'onramp', transaction_uuid: 'o', currency_id: 'old' })
    await insertRow(opened, 'transactions', purchase)
    await insertRow(opened, 'transactions', {
      ...purchase,
      transaction_uuid: 'p',
      tx_hash_key: null,
      correlation_key: 'k',
    })
    await opened.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const found = await store.transaction(async (tx) => {
      const names = { currency_id: 'new', tx_hash: '0xAB', correlation_key: 'k' }
      const fact = sampleFact({ transaction_uuid: 'd', ...names })
      const unit = await tx.load({ users: ['u'], transactions: [fact] })
      await tx.loadRelated(unit, [fact])
      const deposit = sampleTransaction({ transaction_uuid: 'd', ...names })
      return unit.sameTransfer(deposit).map(({ transaction_uuid }) => transaction_uuid)
    })
    await store.close()
    await database.remove()
    expect(found.toSorted()).toEqual(['o', 'p'])
  })

  test('an older withdrawal is found by the address in any case, on a network that was not known then', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(
      opened,
      MIGRATIONS.filter(({ name }) => name < '0017'),
    )
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const keys = { ethereum: address, other: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLhxxxxxxxx' }
    for (const [id, address_key] of Object.entries(keys))
      await insertRow(opened, 'withdrawals', sampleWithdrawal({ id, idempotency_key: id, address_key }))
    await opened.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const after = await store.withdrawals.byIds(Object.keys(keys))
    await store.close()
    await database.remove()
    expect(Object.fromEntries(after.map(({ id, address_key }) => [id, address_key]))).toEqual({
      ethereum: address.toLowerCase(),
      other: keys.other,
    })
  })

  test('of an older withdrawal, the transaction that its reply named is known where nothing else can have named it', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(
      opened,
      MIGRATIONS.filter(({ name }) => name < '0016'),
    )
    const answered = (transaction_uuid: string | null) =>
      JSON.stringify({
        status: 'processing',
        requires_approval: 0,
        transaction_uuid,
        failure_reason: null,
        user_message: null,
      })
    const rows = {
      named: { first_result: answered('named') },
      'told-before': { first_result: answered('told-before') },
      'told-after': { first_result: answered('told-after') },
      'linked-later': { first_result: answered(null) },
      'never-linked': { first_result: answered(null), transaction_uuid: null },
      'not-ended': { first_result: null, call_ended_ms: null },
    }
    for (const [id, more] of Object.entries(rows)) {
      const replied = { reply_amount_key: decimal('1.5'), call_ended_ms: 1000 }
      const { reply_transaction_uuid: _, ...before } = sampleWithdrawal({
        id,
        idempotency_key: id,
        transaction_uuid: id,
        ...replied,
        ...more,
      })
      await insertRow(opened, 'withdrawals', before)
    }
    for (const [transaction_uuid, recorded_ms] of Object.entries({ 'told-before': 999, 'told-after': 1001 })) {
      const fact = { kind: 'payout', transaction_uuid, status: 'processing', source: 'reconciliation' }
      await insertRow(opened, 'facts', { ...fact, content: '{}', recorded_ms })
    }
    await opened.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const after = await store.withdrawals.byIds(Object.keys(rows))
    await store.close()
    await database.remove()
    const named = after.flatMap(({ id, reply_transaction_uuid }) =>
      reply_transaction_uuid === null ? [] : [[id, reply_transaction_uuid]],
    )
    expect(named.toSorted()).toEqual([
      ['named', 'named'],
      ['told-after', 'told-after'],
    ])
  })

  test('a database of the first version keeps its facts and transactions', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const old = connectDatabase(database.url)
    await migrate(old, MIGRATIONS.slice(0, 1))
    const fact = { kind: 'deposit', transaction_uuid: 't', status: 'succeeded', source: 'webhook' } as const
    const row = sampleTransaction({ transaction_uuid: 't', credited: decimal('2'), postings: 2 })
    const { standing: _, postings: __, deposit_uuid: ___, ...columns } = row
    const before = { ...columns, correlation_key: '', tx_hash_key: '0xab' }
    await old.db
      .insertInto('facts')
      .values({ ...fact, content: '{}', recorded_ms: 1 })
      .execute()
    await insertRow(old, 'transactions', before)
    await insertRow(old, 'transactions', { ...before, transaction_uuid: 't2', tx_hash_key: 'Base58' })
    for (const [key, kind, from, to, amount] of [
      ['credit:deposit:t', 'credit', 'gateway', 'available', '2.5'],
      ['reversal:deposit:t', 'reversal', 'available', 'gateway', '0.5'],
      ['adjustment:u:1', 'adjustment', 'merchant', 'available', '-1'],
    ] as const)
      await insertPosting(old, { key, kind, from, to, amount })
    await old.close()
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    const facts = await store.transactions.facts('deposit', 't')
    const transaction = await store.transactions.find('deposit', 't')
    const other = await store.transactions.find('deposit', 't2')
    const entries = await store.snapshot((ledger) => allRows(ledger.entries()))
    await store.close()
    await database.remove()
    expect(facts).toEqual([{ ...fact, content: '{}', recorded_ms: 1 }])
    expect(transaction).toEqual({ ...row, tx_hash_key: 'ab', correlation_key: null, standing: 'confirmed' })
    expect(other).toMatchObject({ tx_hash_key: 'Base58', postings: 0, deposit_uuid: null })
    expect(entries.map(({ posting_key, account, amount }) => `${posting_key} ${account} ${amount}`).sort()).toEqual([
      'adjustment:u:1 available -1',
      'adjustment:u:1 merchant 1',
      'credit:deposit:t available 2.5',
      'credit:deposit:t gateway -2.5',
      'reversal:deposit:t available -0.5',
      'reversal:deposit:t gateway 0.5',
    ])
  })
})
