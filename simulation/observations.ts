/** What the cashier's own calls return at the end. The oracle compares this with the truth. */
import type { MerchantEvent } from './model-merchant.ts'
import { ask, feedOf, LIMIT, readAll, withdrawalsOf, type SeenWithdrawal } from './ask.ts'
import type { StreamLine, UseCases } from './instance.ts'
import type { Scene } from './scene.ts'
import type { World } from './world.ts'

type Page<K extends 'listQuarantine' | 'listEntries'> = Awaited<ReturnType<UseCases[K]>>
export type SeenItem = Page<'listQuarantine'>['items'][number] & {
  readonly uuid: string | null
  readonly status: string | null
  readonly user: string | null
}
export type SeenEntry = Page<'listEntries'>['entries'][number] & { readonly user: string }

export interface SeenBalance {
  readonly user: string
  readonly currencyId: string
  readonly available: string
  readonly held: string
}

export interface Observations {
  readonly withdrawals: readonly SeenWithdrawal[]
  /** Open and settled records. */
  readonly quarantine: readonly SeenItem[]
  readonly entries: readonly SeenEntry[]
  readonly balances: readonly SeenBalance[]
  readonly feed: readonly MerchantEvent[]
  /** Each user's whole stream. */
  readonly streams: ReadonlyMap<string, readonly StreamLine[]>
}

const textAt = (value: unknown, name: string): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const found = (value as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'string' ? found : null
}

const quarantineOf = async (world: World): Promise<readonly SeenItem[]> => {
  const found: SeenItem[] = []
  for (const state of ['open', 'settled'] as const)
    found.push(
      ...(await readAll(async (after) => {
        const page = await ask(world, (useCases) =>
          useCases.listQuarantine({ reason: null, state, after, limit: LIMIT }),
        )
        const items = page.items.map((item) => ({
          ...item,
          uuid: textAt(item.event, 'transaction_uuid'),
          user: textAt(item.event, 'user_reference'),
          status: textAt((item.event as { transaction?: unknown } | null)?.transaction, 'status'),
        }))
        return { items, next: page.next_cursor }
      })),
    )
  return found
}

async function streamOf(world: World, user: string): Promise<readonly StreamLine[]> {
  const [instance] = world.instances
  if (instance === undefined) return []
  const lines: StreamLine[] = []
  const { machine, hub } = instance
  const open = await ask(world, () => hub.open({ user, sessionId: 'oracle', after: 0 })).catch(() => null)
  if (open === null) return []
  machine.run(() =>
    open.attach({
      write: (events) => void lines.push(...events),
      reset: () => undefined,
      drained: () => Promise.resolve(),
      end: () => undefined,
    }),
  )
  await world.clock.runUntil(world.clock.now() + 50)
  machine.run(() => open.close())
  return lines
}

export async function observe({ world, users }: Scene): Promise<Observations> {
  const names = users.map(({ name }) => name)
  const entries: SeenEntry[] = []
  const balances: SeenBalance[] = []
  const streams = new Map<string, readonly StreamLine[]>()
  for (const user of names) {
    const found = await readAll(async (after) => {
      const page = await ask(world, (useCases) => useCases.listEntries(user, { after, limit: LIMIT }))
      return { items: page.entries, next: page.next_cursor }
    })
    entries.push(...found.map((entry) => ({ ...entry, user })))
    const said = await ask(world, (useCases) => useCases.listBalances(user))
    for (const { currency_id, available, held } of said)
      balances.push({ user, currencyId: currency_id, available, held })
    streams.set(user, await streamOf(world, user))
  }
  const [withdrawals, quarantine, feed] = [await withdrawalsOf(world), await quarantineOf(world), await feedOf(world)]
  return { withdrawals, quarantine, entries, balances, feed, streams }
}
