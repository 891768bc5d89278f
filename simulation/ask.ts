/** Reads what the cashier says through its own calls, letting time pass until it has answered. */
import type { MerchantEvent } from './model-merchant.ts'
import type { UseCases } from './instance.ts'
import type { World } from './world.ts'

export type SeenWithdrawal = Awaited<ReturnType<UseCases['listWithdrawals']>>['withdrawals'][number]

/** Rows of one page. */
export const LIMIT = 1000

/** Asks an instance, and lets time pass until it has answered. */
export async function ask<T>(world: World, work: (useCases: UseCases) => Promise<T>): Promise<T> {
  const [instance] = world.instances
  if (instance === undefined) throw new Error('no instance is up')
  const state = { done: false }
  const answer = instance.machine
    .run(() => work(instance.useCases))
    .finally(() => {
      state.done = true
    })
  answer.catch(() => undefined)
  for (let turns = 0; !state.done && turns < 1000; turns += 1) await world.clock.runUntil(world.clock.now() + 5)
  return answer
}

/** A page, and where the next begins. */
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
