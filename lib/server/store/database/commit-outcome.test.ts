/** COMMITs whose answers are lost, on connections that are really cut. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../store.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { useStores } from '../testing/use-stores.ts'
import { createCommitMarks, isRefusal, UnknownOutcomeError } from './commit-outcome.ts'
import type { Lane } from './lanes.ts'

describe('marks', () => {
  test('no two commits at a time have one mark, and each number of a mark is used once', () => {
    const marks = createCommitMarks('one')
    expect(marks.begin()).toBeNull()
    marks.arm()
    const [first, second] = [marks.begin()!, marks.begin()!]
    expect([first.values, second.values]).toEqual([
      ['one', 0, 2],
      ['one', 1, 2],
    ])
    first.committed()
    const third = marks.begin()!
    expect(third.values).toEqual(['one', 0, 4])
    expect(marks.acknowledged()).toEqual(new Map([[0, 2]]))
    third.failed()
    expect(marks.begin()!.values).toEqual(['one', 0, 6])
    marks.accept(new Map())
    expect(marks.acknowledged()).toEqual(new Map())
  })
})

test('an error that ends the connection is no refusal of a COMMIT, in any language', () => {
  const answered = (severity: string, code: string): Error =>
    Object.assign(new pg.DatabaseError('of a test', 1, 'error'), { severity, code })
  expect(isRefusal(answered('ERROR', '23505'))).toBe(true)
  expect(isRefusal(answered('ОШИБКА', '23505'))).toBe(true)
  expect(isRefusal(answered('FATAL', '25P03'))).toBe(false)
  expect(isRefusal(answered('ВАЖНО', '57P01'))).toBe(false)
  expect(isRefusal(new Error('Connection terminated unexpectedly'))).toBe(false)
})

describe('a COMMIT whose answer is lost', () => {
  const stores = useStores('postgres')
  let proxy: TcpProxy
  let store: Store

  beforeEach(async () => {
    proxy = await startTcpProxy(stores.url)
    store = await openStore({ url: proxy.url, clock: Date.now, deliver: false })
    await store.users.ensure('ann', 1)
  })
  afterEach(async () => {
    await store.close()
    await proxy.stop()
  })

  /** Adds one user for each time that it is committed. */
  const add = async (lane: Lane, counted: { tries: number }): Promise<void> =>
    store.lane(lane).transaction(async (tx) => {
      counted.tries += 1
      await tx.users.lock(['ann'])
      await tx.users.insertIfMissing(`user-${String(await countUsers(tx))}`, 1)
    })
  const countUsers = async ({ users }: Pick<Store, 'users'>): Promise<number> => (await users.idsAfter('', 99)).length

  test.each([
    ['after', 'calls', 1],
    ['before', 'calls', 2],
    ['after', 'webhooks', 1],
    ['before', 'webhooks', 2],
    ['after', 'jobs', 1],
    ['before', 'jobs', 2],
    ['before', 'commands', 2],
  ] as const)('cut %s it, in the lane %s, the work runs %i times and counts once', async (cut, lane, tries) => {
    const counted = { tries: 0 }
    await add(lane, counted)
    proxy.cutCommit(cut)
    counted.tries = 0
    await add(lane, counted)
    expect([counted.tries, proxy.cuts, await countUsers(store)]).toEqual([tries, 1, 3])
    await add(lane, counted)
    expect(await countUsers(store)).toBe(4)
  })

  test('a COMMIT that arrives after its outcome was asked for has no effect', async () => {
    const counted = { tries: 0 }
    proxy.cutCommit('late')
    await store.transaction(async (tx) => {
      counted.tries += 1
      await tx.users.insertIfMissing(`try-${String(counted.tries)}`, 1)
    })
    expect(counted.tries).toBe(2)
    await proxy.release()
    expect(await store.users.idsAfter('', 9)).toEqual(['ann', 'try-2'])
  })

  test('stays unknown only while the database cannot be reached, and its mark is used no more', async () => {
    proxy.cutCommit('after', { away: true })
    const error = await add('webhooks', { tries: 0 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(store.faultOf(error)).toBe('away')
    proxy.comeBack()
    expect(await countUsers(store)).toBe(2)
    await add('webhooks', { tries: 0 })
    const { rows } = await sql<object>`select slot, value from commit_marks order by slot`.execute(
      stores.one.database.db,
    )
    expect(rows.length).toBeGreaterThan(1)
  })
})
