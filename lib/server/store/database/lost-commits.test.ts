import { describe, expect, test } from 'vitest'
import { contentsFaults } from '../commands/check-contents.ts'
import type { Store } from '../store.ts'
import { sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { tellDeposit } from '../testing/tell-deposit.ts'
import { useStores } from '../testing/use-stores.ts'
import { openSnapshot } from '../tables/snapshot.ts'
import { judgeServer, type LossFinding, type Loss, type OwnState, type ServerState } from './lost-commits.ts'

const marks = (value: number): ReadonlyMap<number, number> => (value === 0 ? new Map() : new Map([[3, value]]))
const server = (has: number, timeline: number | null, rest: Partial<ServerState> = {}): ServerState => ({
  marks: marks(has),
  timeline,
  stored: 1,
  recovered: null,
  others: false,
  ...rest,
})
const own = (acknowledged: number, timeline: number | null): OwnState => ({
  acknowledged: marks(acknowledged),
  timeline,
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
    ['a copy restored on the recovered timeline', server(6, 2, { stored: 2, recovered: 2 }), own(8, 2), 'lost'],
    ['a copy restored without a promotion', server(6, 1), own(8, 1), 'lost'],
    ['a promotion while nobody was connected', server(0, 2), own(0, null), 'unproven'],
    ['a new cluster, with an older timeline', server(0, 1, { stored: 5 }), own(0, null), 'moved'],
    ['a server that has no timeline', server(8, null), own(8, null), 'same'],
    ['a loss on such a server', server(6, null), own(8, null), 'lost'],
  ])('%s', (_name, found, known, finding) => {
    expect(judgeServer(found, known)).toBe(finding)
  })
})

describe('a start on PostgreSQL', () => {
  const stores = useStores('postgres')
  const movedOn = (store: Store, from = 0) =>
    store.database.db.updateTable('reconciliation').set({ value: from }).where('name', '=', 'timeline').execute()

  const start = async (): Promise<readonly Loss[]> => {
    const losses: Loss[] = []
    await (await stores.another()).watchLosses((loss) => losses.push(loss))
    return losses
  }
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

  test('after `npm run restored` takes the server as it is', async () => {
    const { one } = stores
    await start()
    await movedOn(one)
    await one.reconciliation.forgetTimeline()
    expect(await start()).toEqual([])
  })
})
