import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { Problem } from '#lib/contract/problems.ts'

const MINUTE_S = 60

/** The limits per minute. */
export const RATE_LIMITS = {
  withdrawals: 10,
  deposit_addresses: 60,
  onramp_sessions: 10,
  calls: 600,
  launches: 60,
  pages: 600,
} as const
export type LimitName = keyof typeof RATE_LIMITS

/** What each limit counts, and by whom (docs/reference/problem-codes.md, "Rate limits"). */
export const RATE_LIMIT_MEANINGS: Readonly<Record<LimitName, readonly [what: string, by: 'user' | 'client address']>> =
  {
    withdrawals: ['recorded new withdrawals; separately, as many refused for the balance or an `unknown` twin', 'user'],
    deposit_addresses: ['deposit addresses and deposit links', 'user'],
    onramp_sessions: ['purchases', 'user'],
    calls: ['other calls of the page, streams, pages of a session, and requests refused as invalid', 'user'],
    launches: ['launches with a token that this cashier made', 'client address'],
    pages: ['pages without a session', 'client address'],
  }

export interface RateLimits {
  /** Counts one call of `whom`; throws `rate_limited` with the seconds to wait. */
  take(limit: LimitName, whom: string): Promise<void>
}

export const NO_LIMITS: RateLimits = { take: () => Promise.resolve() }

const of = (name: LimitName) => ({ keyPrefix: name, points: RATE_LIMITS[name], duration: MINUTE_S })

const limitsBy = (limiters: Readonly<Record<LimitName, RateLimiterAbstract>>): RateLimits => ({
  async take(limit, whom) {
    try {
      await limiters[limit].consume(whom)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const retryAfterS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw new Problem('rate_limited', `Please wait ${retryAfterS} seconds.`, { retryAfterS })
    }
  },
})

const forEachLimit = <T>(make: (name: LimitName) => T): Record<LimitName, T> => ({
  withdrawals: make('withdrawals'),
  deposit_addresses: make('deposit_addresses'),
  onramp_sessions: make('onramp_sessions'),
  calls: make('calls'),
  launches: make('launches'),
  pages: make('pages'),
})

/** Counts in this process. */
export const memoryRateLimits = (): RateLimits => limitsBy(forEachLimit((name) => new RateLimiterMemory(of(name))))

/**
 * Counts in PostgreSQL, so that all instances count together; while it is down, each instance counts by itself.
 * @param pool a `pg.Pool`
 */
export async function sharedRateLimits(pool: object): Promise<RateLimits> {
  const limiterOf = (name: LimitName, tableCreated: boolean, ready?: (error?: Error) => void): RateLimiterPostgres =>
    new RateLimiterPostgres(
      {
        ...of(name),
        storeClient: pool,
        tableName: 'rate_limits',
        tableCreated,
        insuranceLimiter: new RateLimiterMemory(of(name)),
        inMemoryBlockOnConsumed: RATE_LIMITS[name] + 1,
      },
      ready,
    )
  const createTable = (): Promise<void> =>
    new Promise((resolve, reject) => {
      limiterOf('calls', false, (error) => (error === undefined ? resolve() : reject(error)))
    })
  // If two instances create the missing table at the same moment, PostgreSQL refuses the second.
  await createTable().catch(createTable)
  return limitsBy(forEachLimit((name) => limiterOf(name, true)))
}
