/** No query that a page or a job makes reads a growing table from end to end. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Store } from './store.ts'
import {
  sampleCurrency,
  sampleFact,
  sampleOnramp,
  sampleRecord,
  sampleTransaction,
  sampleWithdrawal,
} from './testing/sample-rows.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

/** As many rows as there are currencies, jobs or migrations, however long it runs; and what `chosen-users.ts` names. */
const SMALL = ['currencies', 'leases', 'counters', 'reconciliation', 'schema_migrations', 'found', 'chosen', 'due']

/** Asked only by commands that look at everything: `check:books`, `erase-user`. */
const COMMANDS = /^ledger[.](entries|allBalances|heldByWithdrawals)$|^erasure[.](?!isErased$)/

const owner = { user_reference_id: 'u', currency_id: 'c1' }
const session = {
  id: 's',
  user_reference_id: 'u',
  flows: ['deposit'],
  locale: null,
  theme: null,
  tokens: null,
  support_url: null,
  country: null,
  currency_ids: null,
  return_url: null,
  created_ms: 1,
} as const
const quarantined = {
  reason: 'stale' as const,
  received_ms: 1,
  event_name: null,
  user_reference_id: 'u',
  transaction_uuid: null,
  event: '{}',
}

/** Every question that the store answers, asked once. */
const asks = (store: Store): Record<string, () => Promise<unknown>> => ({
  'users.ensure': () => store.users.ensure('u', 1),
  'users.insertIfMissing': () => store.users.insertIfMissing('u', 1),
  'users.exists': () => store.users.exists('u'),
  'users.lock': () => store.transaction((tx) => tx.users.lock(['u'])),
  'users.scheduleReconciliation': () => store.users.scheduleReconciliation('u', 1),
  'users.reconciled': async () => {
    await store.users.reconciled('u', 1, null)
    await store.users.reconciled('u', 1, { inMs: 1, priority: 'open' }, { unreadable: true })
  },
  'users.reconciliationFailed': () => store.users.reconciliationFailed('u', { inMs: 1, priority: 'sweep' }),
  'reconcileQueue.claimUnknown': () => store.reconcileQueue.claimUnknown(1, 1),
  'reconcileQueue.claimDue': () => store.reconcileQueue.claimDue('open', 1, 1),
  'reconcileQueue.renew': () => store.reconcileQueue.renew(['u', 'v'], 1),
  'reconcileQueue.requeue': async () => {
    await store.reconcileQueue.requeue()
    await store.reconcileQueue.requeue(true)
  },
  'reconcileQueue.checked': () => store.reconcileQueue.checked('u', { atLeastMs: 1, unreadable: true }),
  'reconciliation.reserveCalls': () => store.reconciliation.reserveCalls(1, 1),
  'reconciliation.noteAlive': () => store.reconciliation.noteAlive(1),
  'reconciliation.catchUpSince': () => store.reconciliation.catchUpSince(),
  'reconciliation.endCatchUp': () => store.reconciliation.endCatchUp(1),
  'reconciliation.scheduleSeen': () => store.reconciliation.scheduleSeen(0, null, 9),
  'reconciliation.hasWebhookSince': () => store.reconciliation.hasWebhookSince(1),
  'reconciliation.oldestUnknownMs': () => store.reconciliation.oldestUnknownMs(),
  'reconciliation.waiting': () => store.reconciliation.waiting(),
  'reconciliation.countUnreadable': () => store.reconciliation.countUnreadable(),
  'users.markSeen': () => store.users.markSeen('u', 1),
  'currencies.all': () => store.currencies.all(),
  'currencies.byId': () => store.currencies.byId('c1'),
  'currencies.replaceListed': () => store.currencies.replaceListed([sampleCurrency], 1),
  'currencies.learn': () => store.currencies.learn(sampleCurrency, 1),
  'currencies.count': () => store.currencies.count(),
  'addresses.find': () => store.addresses.find('u', 'c1'),
  'addresses.saveFirst': () => store.addresses.saveFirst('u', 'c1', { address: 'a', currency: 'b', network: 'c' }, 1),
  'sessions.addSession': () => store.sessions.addSession(session, { hash: 'h', expires_ms: 9 }),
  'sessions.redeemLaunchToken': () => store.sessions.redeemLaunchToken('h', 1),
  'sessions.findSession': () => store.sessions.findSession('s'),
  'sessions.findSessions': () => store.sessions.findSessions(['s']),
  'sessions.touchSession': () => store.sessions.touchSession(session, 1),
  'sessions.endSession': () => store.sessions.endSession('s', 1),
  'sessions.deleteUnusedSessions': () => store.sessions.deleteUnusedSessions(99),
  'transactions.facts': () => store.transactions.facts('deposit', 't'),
  'transactions.putFact': () => store.transactions.putFact(sampleFact()),
  'transactions.find': () => store.transactions.find('deposit', 't'),
  'transactions.put': () => store.transactions.put(sampleTransaction()),
  'transactions.setCredited': () => store.transactions.setCredited('deposit', 't', decimal('1')),
  'transactions.sameTransfer': () => store.transactions.sameTransfer(sampleTransaction({ correlation_key: 'k' })),
  'transactions.byUuids': () => store.transactions.byUuids(['t', 'u']),
  'transactions.byOnrampSessions': () => store.transactions.byOnrampSessions(['o']),
  'transactions.ofUser': () => store.transactions.ofUser('u', 0, 1),
  'withdrawals.insert': () => store.withdrawals.insert(sampleWithdrawal()),
  'withdrawals.find': () => store.withdrawals.find('w1'),
  'withdrawals.byKey': () => store.withdrawals.byKey('u', 'k'),
  'withdrawals.byIds': () => store.withdrawals.byIds(['w1', 'w2']),
  'withdrawals.byTransaction': () => store.withdrawals.byTransaction('t'),
  'withdrawals.byTransactions': () => store.withdrawals.byTransactions(['t', 'u']),
  'withdrawals.matching': () => store.withdrawals.matching({ ...owner, amount_key: decimal('1'), address_key: 'a' }),
  'withdrawals.page': async () => {
    for (const user_reference_id of [null, 'u'])
      for (const status of [null, 'unknown'] as const)
        await store.withdrawals.page({ status, user_reference_id }, { created_ms: 9, id: 'w' }, 1)
  },
  'withdrawals.countAttention': async () => {
    for (const user of [null, 'u']) await store.withdrawals.countAttention(user)
  },
  'withdrawals.ofUser': () => store.withdrawals.ofUser('u', 0, 1),
  'withdrawals.update': () => store.withdrawals.update('w1', { checks: 1 }),
  'withdrawals.advance': () => store.withdrawals.advance('w1', 'calling', { step: 'ended' }),
  'withdrawals.dueForCheck': () => store.withdrawals.dueForCheck(['u']),
  'withdrawals.inFlight': () => store.withdrawals.inFlight(1),
  'onramps.insert': () => store.onramps.insert(sampleOnramp()),
  'onramps.find': () => store.onramps.find('o1'),
  'onramps.byCorrelation': () => store.onramps.byCorrelation('k'),
  'onramps.byCorrelations': () => store.onramps.byCorrelations(['k', 'l']),
  'onramps.update': () => store.onramps.update('o1', { status: 'failed' }),
  'onramps.ofUser': () => store.onramps.ofUser('u', 0, 1),
  'ledger.balance': () => store.ledger.balance('u', 'c1'),
  'ledger.balances': () => store.ledger.balances('u'),
  'ledger.userEntries': async () => {
    await store.ledger.userEntries('u', null, 1)
    await store.ledger.userEntries('u', 9, 1)
  },
  'ledger.setBalance': () =>
    store.ledger.setBalance({ ...owner, available: decimal('1'), held: decimal('0'), overdraft: null }),
  'ledger.findPosting': () => store.ledger.findPosting('p'),
  'ledger.insertPosting': () =>
    store.ledger.insertPosting(
      { ...owner, posting_key: 'p', kind: 'credit', entries: [{ account: 'available', amount: decimal('1') }] },
      1,
    ),
  'inbox.saveRaw': () => store.inbox.saveRaw([{ id: 'a', received_ms: 1, sent_s: 1, body: '{}', outcome: 'seen' }]),
  'inbox.quarantine': () => store.inbox.quarantine(quarantined),
  'inbox.listQuarantine': async () => {
    for (const reason of [null, 'stale'] as const)
      for (const settled of [false, true]) await store.inbox.listQuarantine({ reason, settled, after: 0, limit: 1 })
  },
  'inbox.findQuarantined': () => store.inbox.findQuarantined(1),
  'inbox.waiting': async () => {
    await store.inbox.waiting(['unknown_user'], { after: 0, limit: 1, user: 'u' })
    await store.inbox.waiting(['unknown_currency', 'unknown_event'], { after: 0, limit: 1 })
  },
  'inbox.knownUsersInQuarantine': () => store.inbox.knownUsersInQuarantine(),
  'inbox.setReason': () => store.inbox.setReason(1, 'conflict'),
  'inbox.settle': () => store.inbox.settle(1, { by: 'system', now: 1 }),
  'inbox.settleUnmatched': () => store.inbox.settleUnmatched('u', 1),
  'records.byUuids': () => store.records.byUuids('u', ['t', 'v']),
  'records.put': () => store.records.put(sampleRecord()),
  'records.list': () => store.records.list('u', { types: ['Deposit'], fromMs: 1, untilMs: 2 }),
  'events.heads': () => store.events.heads(['u', 'v']),
  'events.bounds': () => store.events.bounds('u'),
  'events.after': () => store.events.after('u', 0, 1),
  'events.feedAfter': () => store.events.feedAfter(0, 1),
  'leases.take': () => store.leases.take('j', 'h', 2),
  'leases.keepAlive': () => store.leases.keepAlive('h', 2),
  'leases.takeToResume': () => store.leases.takeToResume('w1', 'h', 2),
  'leases.release': () => store.leases.release('j', 'h'),
  'leases.releaseAll': () => store.leases.releaseAll('h'),
  'leases.resumed': () => store.leases.resumed('w1'),
  'leases.deleteAll': () => store.leases.deleteAll(),
  'leases.deleteExpired': () => store.leases.deleteExpired(),
  'deliveries.due': () => store.deliveries.due(1, { fresh: true, limit: 1 }),
  'deliveries.deferBlocked': () => store.deliveries.deferBlocked(1),
  'deliveries.retryAt': () => store.deliveries.retryAt(1, { nextMs: 1, firstMs: 1, error: 'e' }),
  'deliveries.delivered': () => store.deliveries.delivered({ cursor: 1, entity: 'e' }, 1),
  'deliveries.markDead': () => store.deliveries.markDead({ cursor: 1, entity: 'e' }, 1, 'e'),
  'deliveries.requeue': () => store.deliveries.requeue([1, 2], 1),
  'deliveries.requeueDead': () => store.deliveries.requeueDead(1, 1),
  'deliveries.counts': () => store.deliveries.counts(),
  'erasure.isErased': () => store.erasure.isErased('deposit', 't', 'succeeded'),
  'retention.deleteStreamEvents': () => store.transaction((tx) => tx.retention.deleteStreamEvents(2 ** 50, 9)),
  'retention.deleteWebhooks': () => store.retention.deleteWebhooks(99, 9),
  'retention.deleteSettledQuarantine': () => store.retention.deleteSettledQuarantine(99, 9),
  'retention.deleteMerchantEvents': () => store.retention.deleteMerchantEvents(2 ** 50, 9),
})

const tellSomething = (store: Store): Promise<void> =>
  store.transaction(async (tx) => {
    tx.outbox.balance('u', { currency_id: 'c1', available: '1', held: '0' })
    tx.outbox.transaction({
      entity: 'deposit:t',
      user: 'u',
      streamUser: 'u',
      source: 'cashier',
      event: {
        transaction_uuid: 't',
        kind: 'deposit',
        status: 'processing',
        amount: '1',
        currency_code: 'USDT',
        network: 'Tron',
        tx_hash: null,
        updated_at: '',
      },
    })
  })

async function askAll(store: Store): Promise<void> {
  await store.users.ensure('u', 1)
  await tellSomething(store)
  for (const ask of Object.values(asks(store))) await ask()
}

const ASKED = /^\s*(select|update|delete|insert|with)\b/i

afterEach(() => vi.restoreAllMocks())

describe('sqlite', () => {
  const stores = useStores('sqlite', { deliver: true })

  test('every statement searches by a key, or scans what is small or waits', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    await askAll(stores.one)
    const statements = new Set(prepare.mock.calls.map(([text]) => text).filter((text) => ASKED.test(text)))
    prepare.mockRestore()
    const db = new DatabaseSync(stores.url.slice('file:'.length))
    const waiting = db.prepare("select name from sqlite_master where type = 'index' and sql like '% where %'").all()
    const partial = waiting.map((row) => String(row['name'])).join('|')
    const allowed = new RegExp(`^SCAN (CONSTANT|\\d+-ROW VALUES|${SMALL.join('|')})\\b|INDEX (${partial})\\b`)
    const scans = [...statements].flatMap((text) =>
      db
        .prepare(`explain query plan ${text}`)
        .all()
        .map((row) => String(row['detail']))
        .filter((detail) => detail.startsWith('SCAN') && !allowed.test(detail))
        .map((detail) => `${detail}: ${text}`),
    )
    db.close()
    expect(statements.size).toBeGreaterThan(80)
    expect(scans).toEqual([])
  })

  test('the check sees a scan where there is one', () => {
    const db = new DatabaseSync(stores.url.slice('file:'.length))
    const plan = db.prepare('explain query plan select * from withdrawals where wallet_address = ?').all()
    db.close()
    expect(plan.map((row) => row['detail'])).toEqual(['SCAN withdrawals'])
  })
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Nodes that read a growing table otherwise than by a key. */
function scansOf(node: PlanNode, partial: ReadonlySet<string>): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', Plans: below = [] } = node
  const byIndex = /^(Index Scan|Index Only Scan|Bitmap Index Scan)$/.test(type)
  const whole = byIndex ? node['Index Cond'] === undefined && !partial.has(index) : type === 'Seq Scan'
  const found = whole && !SMALL.includes(table) ? [`${type} ${table} ${index}`] : []
  return [...found, ...below.flatMap((child) => scansOf(child, partial))]
}

describe('postgres', () => {
  const stores = useStores('postgres', { deliver: true })

  const explain = async (client: pg.PoolClient, text: string, values: unknown[]): Promise<PlanNode> => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, values)
    return rows[0]!['QUERY PLAN'][0].Plan
  }

  test('every statement has an index to go by', async () => {
    const asked = new Map<string, unknown[]>()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await askAll(stores.one)
    for (const [text, values] of query.mock.calls as unknown as [unknown, unknown][])
      if (typeof text === 'string' && ASKED.test(text) && !text.includes('pg_'))
        asked.set(text, [...((values ?? []) as [])])
    query.mockRestore()

    const client = await stores.one.database.pool!.connect()
    // Small tables are read whole whatever indexes they have; so the planner is asked for its way when they are not.
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ name: string }>(
      "select indexname as name from pg_indexes where schemaname = 'public' and indexdef like '% WHERE %'",
    )
    const partial = new Set(rows.map(({ name }) => name))
    const scans: string[] = []
    for (const [text, values] of asked)
      scans.push(...scansOf(await explain(client, text, values), partial).map((scan) => `${scan}: ${text}`))
    const seen = scansOf(await explain(client, 'select * from withdrawals where wallet_address = $1', ['a']), partial)
    client.release(true)
    expect(asked.size).toBeGreaterThan(80)
    expect(scans).toEqual([])
    expect(seen).toEqual(['Seq Scan withdrawals '])
  })
})

describe('the list of questions', () => {
  const stores = useStores(FLAVOURS[0])

  test('leaves none out', () => {
    const { one } = stores
    const rooms = Object.entries(one).filter(([name, room]) => typeof room === 'object' && name !== 'database')
    const all = rooms.flatMap(([name, room]) => Object.keys(room as object).map((question) => `${name}.${question}`))
    const forPages = all.filter((question) => !COMMANDS.test(question))
    expect(forPages.sort()).toEqual(Object.keys(asks(one)).sort())
  })
})
