/** Asks the cashier through its own calls. Virtual time passes until the answer is there. */
import type { MerchantEvent } from './model-merchant.ts'
import type { UseCases } from './instance.ts'
import type { World } from './world.ts'

export type SeenWithdrawal = Awaited<ReturnType<UseCases['listWithdrawals']>>['withdrawals'][number]

/** Rows of one page. */
export const LIMIT = 1000

/** Longest virtual time for one call or one read. */
const LONGEST_MS = 600_000

/** Lets virtual time pass until `work` has ended. */
export async function untilEnded<T>(world: World, work: Promise<T>): Promise<T> {
  const state = { ended: false }
  const end = (): void => {
    state.ended = true
  }
  work.then(end, end)
  const untilMs = world.clock.now() + LONGEST_MS
  while (!state.ended && world.clock.now() < untilMs) await world.clock.runUntil(world.clock.now() + 5)
  if (!state.ended) throw new Error(`no answer within ${String(LONGEST_MS / 1000)} s`)
  return work
}

/** Calls an instance, and lets virtual time pass until it has answered. */
export async function ask<T>(world: World, work: (useCases: UseCases) => Promise<T>): Promise<T> {
  const [instance] = world.instances
  if (instance === undefined) throw new Error('no instance is up')
  return untilEnded(
    world,
    instance.machine.run(() => work(instance.useCases)),
  )
}

/** A page, and the cursor of the next page. */
interface Listed<T> {
  readonly items: readonly T[]
  readonly next: string
}

export async function readAll<T>(read: (after: string | null) => Promise<Listed<T>>): Promise<readonly T[]> {
  const found: T[] = []
  for (let after: string | null = null; ;) {
    const { items, next }: Listed<T> = await read(after)
    found.push(...items)
    if (items.length < LIMIT) return found
    after = next
  }
}

export const withdrawalsOf = (world: World): Promise<readonly SeenWithdrawal[]> =>
  readAll(async (after) => {
    const page = await ask(world, (useCases) =>
      useCases.listWithdrawals({ status: null, user_reference_id: null, after, limit: LIMIT }),
    )
    return { items: page.withdrawals, next: page.next_cursor }
  })

export const feedOf = (world: World): Promise<readonly MerchantEvent[]> =>
  readAll(async (after) => {
    const page = await ask(world, (useCases) => useCases.listMerchantEvents({ after, limit: LIMIT }))
    return { items: page.events, next: page.next_cursor }
  })
