/** Failovers of a real PostgreSQL to an asynchronous standby, under instances that go on. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startPostgres, type Postgres } from '../../scripts/postgres.ts'
import { withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import type { CurrencyCache } from '#lib/server/cashier/currency-cache.ts'
import { createRequestWithdrawal } from '#lib/server/cashier/request-withdrawal.ts'
import { createSentWithdrawals } from '#lib/server/cashier/sent-withdrawals.ts'
import { createWithdrawalSteps } from '#lib/server/cashier/withdrawal-steps.ts'
import { STATUSES } from '#lib/server/gateway/testing/sample-record.ts'
import type { Gateway } from '#lib/server/gateway/types.ts'
import { createCheckTotals } from '#lib/server/reconcile/check-totals.ts'
import { createCompareUser } from '#lib/server/reconcile/compare-user.ts'
import type { Edge } from '#lib/server/reconcile/scan-user-list.ts'
import { depositEdge, pagedGateway } from '#lib/server/reconcile/testing/user-list.ts'
import type { Loss } from '#lib/server/store/database/lost-commits.ts'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'
import { sampleCurrency, sampleFact } from '#lib/server/store/testing/sample-rows.ts'
import { applyOneFact } from '#lib/server/store/testing/seed.ts'
import { startTcpProxy, type TcpProxy } from '#lib/server/store/testing/tcp-proxy.ts'
import type { CashierSession } from '#lib/server/store/types.ts'

const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11', network: 'Other' }
const USERS = ['ann', 'ben', 'cat', 'dan']
const DAY = 86_400_000
/** `WITHDRAWAL_ABSENCE_S`. */
const ABSENCE_MS = 3000

const servers: Postgres[] = []
let proxy: TcpProxy
/** What the gateway has of each user, newest first. */
const lists = new Map<string, Edge[]>()
/** How often the gateway was called for each address. */
const calls = new Map<string, number>()

const record = (type: string, uuid: string, amount: string, user: string, address: string): void => {
  const one = depositEdge(uuid, Date.now() - 1000, 'TXN_PROVIDER_SUCCEEDED')
  const { id, currency_code: code, network } = CURRENCY
  const currency = { ...one.node.currency, id, code, network }
  const node = { ...one.node, type, amount: decimal(amount), currency, to_address: address, user_ref_id: user }
  lists.set(user, [{ ...one, node }, ...(lists.get(user) ?? [])])
}

const gateway = {
  clockOffsetMs: () => 0,
  statuses: STATUSES,
  withdraw: ({ user_reference_id, amount, wallet_address }: Parameters<Gateway['withdraw']>[0]) => {
    const key = `${user_reference_id} ${wallet_address}`
    calls.set(key, (calls.get(key) ?? 0) + 1)
    record('Payout', `p-${key}-${String(calls.get(key))}`, amount, user_reference_id, wallet_address)
    const reply = { amount, currency: 'USDT', requires_approval: false, status: 'Processing', wallet_address }
    return Promise.resolve({ ...reply, transaction_uuid: null })
  },
} as unknown as Gateway

/** One instance: requests, and what its jobs do. */
async function startInstance(name: string) {
  const store = await openStore({ url: proxy.url, clock: Date.now, deliver: false })
  const sent = createSentWithdrawals(() => performance.now())
  const losses: Loss[] = []
  await store.watchLosses((loss) => {
    losses.push(loss)
    void sent.recordLost(store, (error) => {
      throw error
    })
  })
  const parts = { store, gateway, instance: name, askMerchant: null, uptimeMs: () => performance.now(), sent }
  const driver = createWithdrawalSteps({ ...parts, onFault: () => undefined })
  const request = createRequestWithdrawal({
    ...{ store, driver, instance: name, ledgerMode: 'embedded', mostAMinute: 99, waitMs: 0 },
    currencies: { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache,
    newId: () => crypto.randomUUID(),
    sleep: () => Promise.resolve(),
  })
  const rules = { store, ledgerMode: 'embedded', ledgerStartMs: 0, clock: Date.now } as const
  const checkTotals = createCheckTotals({ ...rules, statuses: STATUSES, overdueMs: DAY })
  return {
    store,
    losses,
    /** Repeats the request, as the page does, while the database is away. */
    async withdraw(user: string, key: string, left = 20): Promise<string> {
      const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount: '20', wallet_address: `T-${key}` })
      try {
        const answer = await request({ user_reference_id: user } as CashierSession, input, `key-${key}`)
        return answer.outcome === 'recorded' ? answer.withdrawal.status : answer.outcome
      } catch (error) {
        if (isProblem(error)) return error.code
        if (store.faultOf(error) !== 'away' || left === 0) throw error
        return this.withdraw(user, key, left - 1)
      }
    },
    async reconcile(): Promise<void> {
      await store.transaction((tx) => tx.reconciliation.endLoss(ABSENCE_MS))
      for (const row of await store.withdrawals.inFlight(99)) await driver.resume(row)
      for (const priority of ['open', 'quarantined', 'sweep'] as const)
        for (const claimed of await store.reconcileQueue.claimDue(priority, 9, 30_000)) {
          const list = pagedGateway(lists.get(claimed.user_reference_id) ?? [])
          await createCompareUser({
            ...rules,
            gateway: { ...list, clockOffsetMs: () => 0, statuses: STATUSES },
            checkTotals,
          })(claimed)
        }
    },
  }
}
type Instance = Awaited<ReturnType<typeof startInstance>>
let instances: readonly [Instance, Instance]

async function ask<Row extends pg.QueryResultRow>({ url }: Pick<Postgres, 'url'>, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const caughtUp = async (primary: Postgres, standby: Postgres): Promise<void> => {
  const [at] = await ask<{ lsn: string }>(primary, 'select pg_current_wal_flush_lsn() as lsn')
  await vi.waitFor(
    async () => {
      const text = `select pg_last_wal_replay_lsn() >= '${String(at?.lsn)}' as done`
      expect(await ask(standby, text)).toEqual([{ done: true }])
    },
    { interval: 100 },
  )
}

/** The standby receives nothing from now on. */
async function cutOff(standby: Postgres): Promise<void> {
  await ask(standby, "alter system set primary_conninfo = ''")
  await ask(standby, 'select pg_reload_conf()')
  await vi.waitFor(async () => expect(await ask(standby, 'select 1 from pg_stat_wal_receiver')).toEqual([]), {
    interval: 50,
  })
}

async function failOver(standby: Postgres): Promise<void> {
  await ask(standby, 'select pg_promote()')
  proxy.switchTo(standby.url)
}

const balances = async (store: Store): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      USERS.map(async (user) => {
        const { available, held } = await store.ledger.balance(user, CURRENCY.id)
        return [user, `${available} + ${held}`] as const
      }),
    ),
  )

beforeAll(async () => {
  const primary = await startPostgres()
  servers.push(primary)
  proxy = await startTcpProxy(primary.url)
  instances = [await startInstance('one'), await startInstance('two')]
  const [one] = instances
  await one.store.currencies.replaceListed([CURRENCY], Date.now())
  for (const user of USERS) {
    await one.store.users.ensure(user, Date.now())
    record('Deposit', `d-${user}`, '100', user, 'TOwn')
  }
  await one.reconcile()
  servers.push(await startPostgres({ standbyOf: primary }))
})
afterAll(async () => {
  for (const { store } of instances) await store.close()
  await proxy.stop()
  for (const server of servers.toReversed()) await server.stop()
})

test('a failover that lost nothing closes nothing, and one that lost commits is noticed and made good', async () => {
  const [one, two] = instances
  const [primary, first] = servers as [Postgres, Postgres]
  expect([await one.withdraw('ann', 'before'), await two.withdraw('ben', 'before')]).toEqual([
    'processing',
    'processing',
  ])
  const { epoch } = await one.store.feedEpoch.position()
  await caughtUp(primary, first)
  await failOver(first)
  // Each instance waits until the other has found its commits.
  expect(await Promise.all([one.withdraw('ann', 'second'), two.withdraw('ben', 'second')])).toEqual([
    'processing',
    'processing',
  ])
  expect([one.losses, two.losses, (await one.store.feedEpoch.position()).epoch]).toEqual([[], [], epoch])
  await one.reconcile()

  const second = await startPostgres({ standbyOf: first })
  servers.push(second)
  await caughtUp(first, second)
  await cutOff(second)
  // In the lost seconds: three withdrawals are answered, and the webhook of a deposit.
  const sent = [
    [one, 'ann', 'lost'],
    [one, 'cat', 'lost'],
    [two, 'ben', 'lost'],
  ] as const
  for (const [instance, user, key] of sent) expect(await instance.withdraw(user, key)).toBe('processing')
  record('Deposit', 'd2-dan', '10', 'dan', 'TOwn')
  const { id: currency_id } = CURRENCY
  const deposit = { kind: 'deposit', transaction_uuid: 'd2-dan', status: 'succeeded', currency_id } as const
  await applyOneFact(two.store, sampleFact({ ...deposit, user_reference_id: 'dan', amount: decimal('10') }))
  const promised = await balances(one.store)
  expect(promised['dan']).toBe('110 + 0')
  await failOver(second)

  // The same requests again, on the other instance too: nothing is sent twice.
  for (const [instance, user, key] of sent) {
    expect(['outcome_unknown', 'conflict', 'unknown']).toContain(await instance.withdraw(user, key))
    expect(['outcome_unknown', 'conflict', 'unknown']).toContain(
      await (instance === one ? two : one).withdraw(user, key),
    )
  }
  // Nobody may withdraw before the comparison.
  expect(await two.withdraw('dan', 'early')).toBe('outcome_unknown')
  expect([...calls.values()]).toEqual([...calls.values()].map(() => 1))
  expect([one.losses.length, two.losses.length]).toEqual([1, 1])
  expect(one.losses[0]).toEqual({ noticedBy: 'marks', timeline: 3, before: 2 })
  expect((await one.store.feedEpoch.position()).epoch).not.toBe(epoch)
  const reports = { reason: 'lost_commits', settled: false, after: 0, limit: 9 } as const
  expect(await one.store.quarantine.list(reports)).toHaveLength(1)

  // None is forgotten: the list settles them, and brings the deposit.
  await vi.waitFor(
    async () => {
      await one.reconcile()
      for (const [, user, key] of sent)
        expect((await one.store.withdrawals.byKey(user, `key-${key}`))?.status).toBe('succeeded')
    },
    { interval: 200 },
  )
  expect((await balances(one.store))['dan']).toBe('110 + 0')
  for (const [instance, user, key] of sent) await instance.withdraw(user, key)
  expect([...calls.values()]).toEqual([...calls.values()].map(() => 1))
  // The lists may lag: only what they show later allows withdrawals.
  expect(await one.withdraw('dan', 'later')).toBe('outcome_unknown')
  await vi.waitFor(
    async () => {
      await one.reconcile()
      expect(await one.withdraw('dan', 'later')).toBe('processing')
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(await two.withdraw('ann', 'later')).toBe('processing')
  expect(await balances(one.store)).toEqual({ ann: '20 + 20', ben: '40 + 0', cat: '80 + 0', dan: '90 + 20' })
  expect((await one.store.snapshot(checkLedger)).faults).toEqual([])
})
