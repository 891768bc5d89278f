import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
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
  beforeAll(async () => {
    database = await newTestDatabase('postgres', inject('postgresUrl'))
    pools = [1, 2].map(() => newPool(4))
  })
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await database.remove()
  })

  test('two instances that start together count together', async () => {
    const both = await Promise.all(pools.map((pool) => sharedRateLimits(pool)))
    expect(await admitted(both, 'onramp_sessions', 'a', 30)).toBe(RATE_LIMITS.onramp_sessions)
    expect(await admitted(both, 'launches', '2001:db8:1:2::/64', 70)).toBe(RATE_LIMITS.launches)
  })

  test('while the database is down, each instance counts by itself', async () => {
    const pool = newPool(1)
    const limits = await sharedRateLimits(pool)
    await pool.end()
    expect(await admitted([limits], 'onramp_sessions', 'alone', 15)).toBe(RATE_LIMITS.onramp_sessions)
  })
})
