import { Problem } from '#lib/contract/problems.ts'
import { MINUTE_MS, type AddCalls, type CallCount } from '../../store/tables/call-counts.ts'

/** The limits per minute. */
export const RATE_LIMITS = {
  withdrawals: 10,
  deposit_addresses: 60,
  onramp_sessions: 10,
  calls: 600,
  launches: 60,
  pages: 600,
  operator_sign_ins: 60,
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
    operator_sign_ins: ['the console’s sign-ins and invitations', 'client address'],
  }

export interface RateLimits {
  /** Counts one call of `whom`; throws `rate_limited` with the seconds to wait. */
  take(limit: LimitName, whom: string): Promise<void>
}

export const NO_LIMITS: RateLimits = { take: () => Promise.resolve() }

const keyOf = (limit: LimitName, whom: string): string => `${limit}:${whom}`

/** @throws Problem `rate_limited` if the last of `count` calls is over the limit */
function requireWithin(limit: LimitName, { count, leftMs }: CallCount): void {
  if (count <= RATE_LIMITS[limit]) return
  const retryAfterS = Math.max(1, Math.ceil(leftMs / 1000))
  throw new Problem('rate_limited', `Please wait ${retryAfterS} seconds.`, { retryAfterS })
}

/** The counts of this process. Minutes that are over are forgotten once a minute. */
function memoryCallCounts(): (key: string, calls: number) => CallCount {
  const counts = new Map<string, { count: number; readonly untilMs: number }>()
  let sweptMs = performance.now()
  return (key, calls) => {
    const now = performance.now()
    if (now - sweptMs > MINUTE_MS) {
      sweptMs = now
      for (const [other, { untilMs }] of counts) if (untilMs <= now) counts.delete(other)
    }
    let counted = counts.get(key)
    if (counted === undefined || counted.untilMs <= now) {
      counted = { count: 0, untilMs: now + MINUTE_MS }
      counts.set(key, counted)
    }
    counted.count += calls
    return { count: counted.count, leftMs: counted.untilMs - now }
  }
}

/** Counts in this process. */
export function memoryRateLimits(): RateLimits {
  const add = memoryCallCounts()
  return {
    take: (limit, whom) => Promise.resolve(add(keyOf(limit, whom), 1)).then((counted) => requireWithin(limit, counted)),
  }
}

/** For so long an answer of the shared count says how far a caller is from the limit. */
const FRESH_MS = 1000
/** How long calls that do not wait are collected. */
const COLLECT_MS = 10
/** How many of a caller's calls may pass before the shared count knows them: 6 of 600, else none. */
const mostAhead = (limit: LimitName): number => Math.floor(RATE_LIMITS[limit] / 100)

/** What this instance knows of a caller. */
interface Caller {
  /** The last answer of the shared count; null before it. */
  heard: { readonly count: number; readonly atMs: number; readonly untilMs: number } | null
  /** Calls that have passed, and that the shared count has not answered yet. */
  ahead: number
}

/** Calls of one caller that go to the shared count together; those that have passed count first. */
interface Added {
  passed: number
  readonly waiting: ((counted: CallCount) => void)[]
}

/**
 * Counts with `addShared`, for all instances together; while it fails, this instance counts by itself. A caller who was
 * below half of the limit a moment ago does not wait for the count: then each instance may let `mostAhead` calls too many
 * pass. Every other call waits, and the limit is exact.
 */
export function sharedRateLimits(addShared: AddCalls): RateLimits {
  const addHere = memoryCallCounts()
  const callers = new Map<string, Caller>()
  let next = new Map<string, Added>()
  let adding = false
  let collecting: NodeJS.Timeout | null = null
  let sweptMs = performance.now()

  const sizeOf = ({ passed, waiting }: Added): number => passed + waiting.length

  const count: AddCalls = (calls) =>
    addShared(calls).catch(() => new Map([...calls].map(([key, added]) => [key, addHere(key, added)])))

  const hear = (key: string, { passed, waiting }: Added, { count: total, leftMs }: CallCount): void => {
    const now = performance.now()
    const caller = callers.get(key) ?? { heard: null, ahead: 0 }
    callers.set(key, caller)
    caller.heard = { count: total, atMs: now, untilMs: now + leftMs }
    caller.ahead -= passed
    for (const [at, answer] of waiting.entries()) answer({ count: total - waiting.length + 1 + at, leftMs })
  }

  const forgetPast = (): void => {
    const now = performance.now()
    if (now - sweptMs < MINUTE_MS) return
    sweptMs = now
    for (const [key, { heard, ahead }] of callers)
      if (ahead === 0 && (heard === null || heard.untilMs <= now)) callers.delete(key)
  }

  const addNext = async (): Promise<void> => {
    if (adding || next.size === 0) return
    adding = true
    do {
      const batch = next
      next = new Map()
      const counts = await count(new Map([...batch].map(([key, added]) => [key, sizeOf(added)])))
      for (const [key, added] of batch) hear(key, added, counts.get(key) ?? addHere(key, sizeOf(added)))
      forgetPast()
    } while ([...next.values()].some(({ waiting }) => waiting.length > 0))
    adding = false
    if (next.size > 0) addSoon()
  }

  const addSoon = (): void => {
    collecting ??= setTimeout(() => {
      collecting = null
      void addNext()
    }, COLLECT_MS).unref()
  }

  const addedOf = (key: string): Added => {
    const added = next.get(key) ?? { passed: 0, waiting: [] }
    next.set(key, added)
    return added
  }

  return {
    async take(limit, whom) {
      const key = keyOf(limit, whom)
      const caller = callers.get(key)
      const now = performance.now()
      const heard = caller?.heard && caller.heard.untilMs > now ? caller.heard : null
      if (heard) requireWithin(limit, { count: heard.count + 1, leftMs: heard.untilMs - now })
      const isFar = heard && heard.count + (caller?.ahead ?? 0) < RATE_LIMITS[limit] / 2
      if (caller && isFar && now - heard.atMs < FRESH_MS && caller.ahead < mostAhead(limit)) {
        caller.ahead += 1
        addedOf(key).passed += 1
        addSoon()
        return
      }
      const counted = new Promise<CallCount>((resolve) => addedOf(key).waiting.push(resolve))
      void addNext()
      requireWithin(limit, await counted)
    },
  }
}
