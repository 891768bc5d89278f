import { afterEach, describe, expect, test, vi } from 'vitest'
import { contentsFaults } from '../commands/check-contents.ts'
import { openStore, type Store } from '../store.ts'
import { sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { tellDeposit } from '../testing/tell-deposit.ts'
import { useStores } from '../testing/use-stores.ts'
import { openSnapshot } from '../tables/snapshot.ts'
import { SLOTS } from './commit-outcome.ts'
import { judgeServer, type LossFinding, type Loss, type OwnState, type ServerState } from './lost-commits.ts'

const marks = (value: number): ReadonlyMap<number, number> => (value === 0 ? new Map() : new Map([[3, value]]))
const server = (has: number, timeline: number | null, rest: Partial<ServerState> = {}): ServerState => ({
  marks: marks(has),
  timeline,
  stored: 1,
  recovered: null,
  others: false,
  awaited: false,
  ...rest,
})
const own = (acknowledged: number, timeline: number | null, recovered = 0): OwnState => ({
  acknowledged: marks(acknowledged),
  timeline,
  recovered,
})

describe('what a server says about lost commits', () => {
  test.each<[string, ServerState, OwnState, LossFinding]>([
    ['the first look at a new database', server(0, 1, { stored: null }), own(0, null), 'moved'],
    ['the start on the same server', server(0, 1), own(0, null), 'same'],
    ['another connection to the same server', server(8, 1), own(8, 1), 'same'],
    ['a commit that is not acknowledged yet', server(10, 1), own(8, 1), 'same'],
    ['a failover that lost nothing', server(8, 2), own(8, 1), 'moved'],
    ['the same, after another instance has looked', server(8, 2, { stored: 2 }), own(8, 1), 'same'],
    ['a failover that lost a commit', server(6, 2), own(8, 1), 'lost'],
    ['a failover that lost a whole mark', server(0, 2), own(8, 1), 'lost'],
    ['the same, after another instance proved its own', server(6, 2, { stored: 2 }), own(8, 1), 'lost'],
    ['the same, after another instance has recovered', server(6, 2, { stored: 2, recovered: 2 }), own(8, 1), 'moved'],
    ['a copy restored on the recovered timeline', server(6, 2, { stored: 2, recovered: 2 }), own(8, 2, 2), 'lost'],
    [
      'a copy of a server that had recovered less often',
      server(6, 2, { stored: 2, recovered: 2 }),
      own(8, 2, 5),
      'lost',
    ],
    ['the same, after another instance has recovered there', server(6, 2, { recovered: 6 }), own(8, 2, 5), 'moved'],
    ['a copy restored without a promotion', server(6, 1), own(8, 1), 'lost'],
    ['a promotion while nobody was connected', server(0, 2), own(0, null), 'unproven'],
    ['a promotion that others have yet to look at', server(8, 2, { stored: 2, awaited: true }), own(8, 2), 'unproven'],
    ['a new cluster, with an older timeline', server(0, 1, { stored: 5 }), own(0, null), 'moved'],
    ['a server that has no timeline', server(8, null), own(8, null), 'same'],
    ['a loss on such a server', server(6, null), own(8, null), 'lost'],
  ])('%s', (_name, found, known, finding) => {
    expect(judgeServer(found, known)).toBe(finding)
  })
})

test('an instance that is asked for its commits after a promotion answers before it waits for others', () => {
  const asked = server(8, 2, { stored: 2, awaited: true, marks: new Map([...marks(8), [SLOTS.owes, 2]]) })
  expect(judgeServer(asked, own(8, 1))).toBe('moved')
})

describe('a start on PostgreSQL', () => {
  const stores = useStores('postgres')
  afterEach(() => {
    vi.restoreAllMocks()
  })
  const movedOn = (store: Store, from = 0) =>
    store.database.db.updateTable('reconciliation').set({ value: from }).where('name', '=', 'timeline').execute()

  const start = async (): Promise<readonly Loss[]> => {
    const losses: Loss[] = []
    await (await stores.another()).watchLosses((loss) => losses.push(loss))
    return losses
  }
  /** How many instances have yet to find their commits. */
  const owed = async (): Promise<number> =>
    (await stores.one.database.db.selectFrom('commit_marks').select('slot').where('slot', '=', SLOTS.owes).execute())
      .length
  const epoch = async () => (await stores.one.feedEpoch.position()).epoch

  test('after a promotion while nobody was connected distrusts the database once', async () => {
    const { one } = stores
    expect(await start()).toEqual([])
    await one.users.ensure('ann', 1)
    // An instance that is alive makes this call; its result may be lost.
    await one.leases.keepAlive('alive', 0)
    await seed(one, { withdrawals: [sampleWithdrawal({ user_reference_id: 'ann', step: 'calling', driver: 'alive' })] })
    const before = await epoch()
    await movedOn(one)
    expect(await start()).toEqual([{ noticedBy: 'timeline', timeline: 1, before: 0 }])
    const after = await epoch()
    expect(after).not.toBe(before)
    const [line] = await one.quarantine.list({ reason: 'lost_commits', settled: false, after: 0, limit: 9 })
    expect(JSON.parse(line?.event ?? '')).toEqual({ noticedBy: 'timeline', timeline: 1, before: 0, doubted: 0 })
    expect(await one.users.mustCheckTotals('ann', 1e9)).toBe(true)
    expect(await one.reconciliation.lostMs()).not.toBeNull()
    expect(await one.withdrawals.inFlight(9)).toMatchObject([{ step: 'calling', driver: null }])
    expect([await start(), await epoch()]).toEqual([[], after])
  })

  test('waits for the proof of an instance that is alive', async () => {
    const { one } = stores
    await start()
    await one.leases.keepAlive('another', 60_000)
    const before = await epoch()
    await movedOn(one)
    const started = start()
    await new Promise((resolve) => setTimeout(resolve, 600))
    // The other instance has found all its commits.
    await one.database.db.updateTable('reconciliation').set({ value: 1 }).where('name', '=', 'timeline').execute()
    expect([await started, await epoch()]).toEqual([[], before])
  })

  test('after a promotion that lost nothing gives no number again that somebody may have seen', async () => {
    const { one } = stores
    await start()
    await one.reconciliation.keepLedgerStart(0)
    await one.users.ensure('ann', 1)
    const tell = () => one.unitOfWork({ users: ['ann'] }, (unit) => tellDeposit(unit, 't1', 'processing', 'ann'))
    const bounds = () => one.events.bounds('ann')
    const numbers = async () => ({
      stream: (await one.events.after('ann', 0, 9)).map(({ seq }) => seq),
      feed: (await one.events.feedAfter(0, 9)).map(({ cursor }) => cursor),
    })
    await tell()
    const before = [await epoch(), await numbers(), await bounds()]
    expect(before.slice(1)).toEqual([
      { stream: [1], feed: [1] },
      { head: 1, floor: 0 },
    ])
    await movedOn(one, 7)
    expect([await start(), await epoch()]).toEqual([[], before[0]])
    const head = (await bounds())?.head ?? 0
    expect(head).toBeGreaterThan(1e15)
    await tell()
    expect(await numbers()).toEqual({ stream: [1, head + 1], feed: [1, 1_000_002] })
    expect(await bounds()).toEqual({ head: head + 1, floor: 0 })
    await tell()
    expect((await numbers()).stream).toEqual([1, head + 1, head + 2])
    expect(contentsFaults(await openSnapshot(stores.url, (snapshot) => snapshot.contents()))).toEqual([])
  })

  test('marks stay longer than a machine is suspended', async () => {
    const { one } = stores
    await one.transaction((tx) => tx.users.insertIfMissing('ann', 1))
    const { db } = one.database
    // The other instance's clock stood still meanwhile: it relies on them.
    await db
      .updateTable('commit_marks')
      .set({ at_ms: Date.now() - 30 * 86_400_000 })
      .execute()
    expect(await start()).toEqual([])
    expect(await db.selectFrom('commit_marks').select('value').where('slot', '=', 0).execute()).toEqual([{ value: 2 }])
  })

  test('a server that went back under several instances is recovered once, each time', async () => {
    const instances = [stores.one, await stores.another(), await stores.another()]
    const lines = async (): Promise<number> => {
      const lost = { reason: 'lost_commits', settled: false, after: 0, limit: 9 } as const
      return (await stores.one.quarantine.list(lost)).length
    }
    for (const [at, one] of instances.entries()) {
      await one.watchLosses(() => undefined)
      await one.transaction((tx) => tx.users.insertIfMissing(`user-${String(at)}`, 1))
    }
    for (const times of [1, 2]) {
      // A snapshot from before these commits, on the same timeline.
      await stores.one.database.db.deleteFrom('commit_marks').execute()
      const losses: Loss[] = []
      for (const one of instances) {
        await one.watchLosses((loss) => losses.push(loss))
        // Whatever lists were read since the others looked: they may not show what this one has sent.
        expect(await one.reconciliation.lostMs()).not.toBeNull()
        await one.transaction((tx) => tx.reconciliation.endLoss(0))
        expect(await one.reconciliation.lostMs()).toBeNull()
      }
      expect(losses.map(({ noticedBy }) => noticedBy)).toEqual(['marks', 'marks', 'marks'])
      expect(await lines()).toBe(times)
      for (const [at, one] of instances.entries())
        await one.transaction((tx) => tx.users.insertIfMissing(`user-${String(at)}-${String(times)}`, 1))
    }
  })

  const run = async (store: Store, user: string): Promise<void> => {
    await store.watchLosses(() => undefined)
    await store.transaction((tx) => tx.users.insertIfMissing(user, 1))
  }

  test('after a promotion waits for each instance that ran, and for none that has ended', async () => {
    const ended = await openStore({ url: stores.url, clock: Date.now, deliver: false })
    const running = [stores.one, await stores.another()]
    for (const [at, store] of [ended, ...running].entries()) await run(store, `user-${String(at)}`)
    await ended.close()
    const before = await epoch()
    await movedOn(stores.one)
    const losses: Loss[] = []
    const looked: number[] = []
    const looks = running.map((store, at) => async () => {
      await store.watchLosses((loss) => losses.push(loss))
      looked.push(at)
    })
    const first = looks[0]?.()
    await vi.waitFor(async () => expect(await owed()).toBe(1), { timeout: 20_000 })
    expect(looked).toEqual([])
    await Promise.all([first, looks[1]?.()])
    expect([losses, await owed(), await epoch()]).toEqual([[], 0, before])
  })

  test('after a promotion distrusts the database if an instance that ran stays silent', async () => {
    const { one } = stores
    const dead = await stores.another()
    await run(one, 'ann')
    await run(dead, 'ben')
    const before = await epoch()
    await movedOn(one)
    const losses: Loss[] = []
    const looking = one.watchLosses((loss) => losses.push(loss))
    await vi.waitFor(async () => expect(await owed()).toBe(1), { timeout: 20_000 })
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 25_000)
    await looking
    expect(losses).toEqual([{ noticedBy: 'silence', timeline: 1, before: null }])
    expect([await owed(), (await epoch()) === before]).toEqual([0, false])
    expect(await start()).toEqual([])
  })

  test('after `npm run restored` takes the server as it is', async () => {
    const { one } = stores
    await start()
    await movedOn(one)
    await one.reconciliation.forgetTimeline()
    expect(await start()).toEqual([])
  })
})
