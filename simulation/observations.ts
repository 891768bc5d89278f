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
export type SeenEntry = Page<'listEntries'>['entries'][number] & {
  /** The name in the ledger: a pseudonym after an erasure. */
  readonly user: string
  /** The user's name. */
  readonly owner: string
}

export type SeenPayout = Awaited<ReturnType<UseCases['listPayouts']>>['payouts'][number]

export interface SeenBalance {
  readonly user: string
  readonly currencyId: string
  readonly available: string
  readonly held: string
}

export interface UserStream {
  readonly lines: readonly StreamLine[]
  /** False after a restore: pages start over then. */
  readonly isWhole: boolean
}

export interface Observations {
  readonly withdrawals: readonly SeenWithdrawal[]
  /** Open and settled records. */
  readonly quarantine: readonly SeenItem[]
  /** Every payout that the gateway has shown. */
  readonly payouts: readonly SeenPayout[]
  readonly entries: readonly SeenEntry[]
  readonly balances: readonly SeenBalance[]
  readonly feed: readonly MerchantEvent[]
  /** Each user's whole stream. */
  readonly streams: ReadonlyMap<string, UserStream>
}

const textAt = (value: unknown, name: string): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const found = (value as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'string' ? found : null
}

export const quarantineOf = async (world: World): Promise<readonly SeenItem[]> => {
  const found: SeenItem[] = []
  for (const state of ['open', 'settled'] as const)
    found.push(
      ...(await readAll(async (after) => {
        const page = await ask(world, (useCases) =>
          useCases.listQuarantine({ reason: null, state, after, limit: LIMIT }),
        )
        const items = page.items.map((item) => ({
          ...item,
          // The event is as received, in any case.
          uuid: textAt(item.event, 'transaction_uuid')?.toLowerCase() ?? null,
          user: textAt(item.event, 'user_reference'),
          status: textAt((item.event as { transaction?: unknown } | null)?.transaction, 'status'),
        }))
        return { items, next: page.next_cursor }
      })),
    )
  return found
}

export const payoutsOf = (world: World): Promise<readonly SeenPayout[]> =>
  readAll(async (after) => {
    const page = await ask(world, (useCases) =>
      useCases.listPayouts({ owner: null, user_reference_id: null, after, limit: LIMIT }),
    )
    return { items: page.payouts, next: page.next_cursor }
  })

/** Whether a line of quarantine names the transaction: a person has been told, or has settled it. */
export const isNamed = ({ quarantine }: Pick<Observations, 'quarantine'>, transaction: string): boolean =>
  quarantine.some(({ uuid }) => uuid === transaction)

/** What is left of the user's stream, numbered from 1: after a restore, what came since then. */
async function streamOf(world: World, user: string): Promise<UserStream> {
  const [instance] = world.instances
  const lines: StreamLine[] = []
  if (instance === undefined) return { lines, isWhole: true }
  const { machine, hub } = instance
  const [row] = await world.database.rows(`select max(value) as base from reconciliation where name = 'stream_base'`)
  const floor = Number(row?.['base'] ?? 0)
  const open = await ask(world, () => hub.open({ user, sessionId: 'oracle', after: floor })).catch(() => null)
  if (open === null) return { lines, isWhole: floor === 0 }
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
  return { lines: lines.map((line) => ({ ...line, seq: line.seq - floor })), isWhole: floor === 0 }
}

export async function observe({ world, users }: Scene): Promise<Observations> {
  const owners = new Map(users.map(({ name }) => [name, name]))
  for (const [owner, pseudonyms] of world.erased) for (const pseudonym of pseudonyms) owners.set(pseudonym, owner)
  const entries: SeenEntry[] = []
  const balances: SeenBalance[] = []
  const streams = new Map<string, UserStream>()
  for (const [user, owner] of owners) {
    const found = await readAll(async (after) => {
      const page = await ask(world, (useCases) => useCases.listEntries(user, { after, limit: LIMIT }))
      return { items: page.entries, next: page.next_cursor }
    })
    entries.push(...found.map((entry) => ({ ...entry, user, owner })))
    const said = await ask(world, (useCases) => useCases.listBalances(user))
    for (const { currency_id, available, held } of said)
      balances.push({ user, currencyId: currency_id, available, held })
    if (!world.erased.has(owner)) streams.set(user, await streamOf(world, user))
  }
  return {
    withdrawals: await withdrawalsOf(world),
    quarantine: await quarantineOf(world),
    payouts: await payoutsOf(world),
    feed: await feedOf(world),
    ...{ entries, balances, streams },
  }
}
