import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sharedCallCounts, type AddCalls } from '../../store/tables/call-counts.ts'
import { newTestDatabase, type TestDatabase } from '../../store/testing/test-databases.ts'
import { RATE_LIMITS, memoryRateLimits, sharedRateLimits, type LimitName, type RateLimits } from './rate-limits.ts'

/** The number of admitted calls among `calls` concurrent ones. */
async function admitted(limits: readonly RateLimits[], name: LimitName, whom: string, calls: number): Promise<number> {
  const results = await Promise.allSettled(
    Array.from({ length: calls }, async (_item, at) => limits[at % limits.length]?.take(name, whom)),
  )
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(result.reason).toMatchObject({ code: 'rate_limited' })
    const { extras } = result.reason as { extras: { retryAfterS: number } }
    expect(extras.retryAfterS).toBeGreaterThanOrEqual(1)
    expect(extras.retryAfterS).toBeLessThanOrEqual(60)
  }
  return results.filter((result) => result.status === 'fulfilled').length
}

test.each(Object.entries(RATE_LIMITS) as [LimitName, number][])(
  '%s: %i per minute, counted separately for each caller',
  async (name, most) => {
    const limits = memoryRateLimits()
    expect(await admitted([limits], name, 'a', most + 5)).toBe(most)
    expect(await admitted([limits], name, 'b', 1)).toBe(1)
  },
)

test('limits count separately', async () => {
  const limits = memoryRateLimits()
  expect(await admitted([limits], 'launches', 'a', 70)).toBe(60)
  expect(await admitted([limits], 'onramp_sessions', 'a', 20)).toBe(10)
})

describe('over PostgreSQL', () => {
  let database: TestDatabase
  let pools: pg.Pool[]
  const newPool = (max: number): pg.Pool => {
    const pool = new pg.Pool({ connectionString: database.url, max })
    // The database may be dropped while a connection closes.
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }
  /** Two instances that have counted nothing yet. */
  const newInstances = (): RateLimits[] => pools.map((pool) => sharedRateLimits(sharedCallCounts(pool)))
  beforeAll(async () => {
    database = await newTestDatabase('postgres', inject('postgresUrl'))
    pools = [1, 2].map(() => newPool(4))
  })
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await database.remove()
  })

  test.each(Object.entries(RATE_LIMITS) as [LimitName, number][])(
    '%s: of a burst over two instances, exactly %i are admitted',
    async (name, most) => {
      const both = newInstances()
      expect(await admitted(both, name, '2001:db8:1:2::/64', most + 10)).toBe(most)
      expect(await admitted(both, name, 'another', 2)).toBe(2)
    },
  )

  test('one after the other over two instances, exactly 600 calls are admitted', async () => {
    const both = newInstances()
    for (let at = 0; at < RATE_LIMITS.calls; at += 1) expect(await admitted(both, 'calls', 'steady', 1)).toBe(1)
    expect(await admitted(both, 'calls', 'steady', 5)).toBe(0)
  })

  test('what one instance has admitted, the other refuses', async () => {
    const [one, other] = newInstances()
    if (one === undefined || other === undefined) throw new Error('no instances')
    expect(await admitted([one], 'calls', 'moves', 601)).toBe(600)
    expect(await admitted([other], 'calls', 'moves', 1)).toBe(0)
  })

  test('no commit waits for the disk', async () => {
    const { rows } = await pools[0]!.query("select relpersistence from pg_class where oid = 'rate_limits'::regclass")
    expect(rows).toEqual([{ relpersistence: 'u' }])
  })

  describe('while the count does not answer', () => {
    const counts = new Map<string, number>()
    let answering = Promise.withResolvers<null>()
    const asked: ReadonlyMap<string, number>[] = []
    /** A shared count that answers when the test says so. */
    const add: AddCalls = async (calls) => {
      asked.push(calls)
      await answering.promise
      for (const [key, added] of calls) counts.set(key, (counts.get(key) ?? 0) + added)
      return new Map([...calls.keys()].map((key) => [key, { count: counts.get(key) ?? 0, leftMs: 30_000 }]))
    }
    const answer = async (): Promise<void> => {
      answering.resolve(null)
      await sleep(50)
    }
    const silence = (): void => {
      answering = Promise.withResolvers<null>()
      asked.length = 0
    }
    beforeEach(() => {
      counts.clear()
      silence()
    })
    /** Makes calls, and returns how many of them did not wait. */
    const passed = async (limits: RateLimits, name: LimitName, calls: number): Promise<number> => {
      let count = 0
      for (let at = 0; at < calls; at += 1)
        void limits.take(name, 'a').then(
          () => (count += 1),
          () => undefined,
        )
      await sleep(50)
      return count
    }

    test('a first call waits; then six calls pass, and are counted together', async () => {
      const limits = sharedRateLimits(add)
      expect(await passed(limits, 'calls', 1)).toBe(0)
      await answer()
      silence()
      expect(await passed(limits, 'calls', 5)).toBe(5)
      expect(await passed(limits, 'calls', 5)).toBe(1)
      await answer()
      expect(asked[0]).toEqual(new Map([['calls:a', 5]]))
      expect(counts.get('calls:a')).toBe(11)
    })

    test.each([
      ['from half of the limit on', 'calls', 300],
      ['towards a small limit', 'launches', 1],
    ] as const)('calls %s wait', async (_what, name, earlier) => {
      const limits = sharedRateLimits(add)
      counts.set(`${name}:a`, earlier - 1)
      answering.resolve(null)
      await limits.take(name, 'a')
      silence()
      expect(await passed(limits, name, 1)).toBe(0)
      await answer()
    })

    test('after a second without a call, the next call waits: others may have called meanwhile', async () => {
      const limits = sharedRateLimits(add)
      answering.resolve(null)
      await limits.take('calls', 'a')
      await sleep(1100)
      counts.set('calls:a', 600)
      await expect(limits.take('calls', 'a')).rejects.toMatchObject({ code: 'rate_limited' })
      silence()
      // Known to be over the limit: refused without a question.
      await expect(limits.take('calls', 'a')).rejects.toMatchObject({ extras: { retryAfterS: 30 } })
      expect(asked).toEqual([])
    })
  })

  test('while the database is down, each instance counts by itself', async () => {
    const pool = newPool(1)
    const limits = sharedRateLimits(sharedCallCounts(pool))
    await pool.end()
    expect(await admitted([limits], 'onramp_sessions', 'alone', 15)).toBe(RATE_LIMITS.onramp_sessions)
  })
})
