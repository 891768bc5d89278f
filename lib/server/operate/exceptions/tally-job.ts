import * as z from 'zod'
import { add, decimal, isDecimal, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import { createLeasedRounds } from '../../jobs/leased-rounds.ts'
import type { Store, StoredMerchantEvent, TalliedEvent, Tally, Tx } from '../../store/types.ts'

const EVERY_MS = 5000
/** Events in one transaction, for which other writers wait. */
const BATCH = 500
/** Transactions in one round; the next one follows soon if events are left. */
const BATCHES = 40
const SLOT_MS = 900_000

export interface TallyJobOptions {
  readonly store: Pick<Store, 'transaction' | 'leases' | 'feedEpoch' | 'tallies' | 'operators'>
  /** Names this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly onFault: (error: unknown) => void
}

/** Without payouts that are no withdrawal of ours: a person says whose they are. */
const successSchema = z.union([
  z.object({ kind: z.enum(['deposit', 'onramp']) }),
  z.object({ kind: z.literal('payout'), withdrawal_id: z.string() }),
])
const valueSchema = z.object({
  status: z.literal('succeeded'),
  amount: z.nullable(z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value))),
  currency_code: z.string(),
  network: z.string(),
})

type Success = Pick<Tally, 'kind'> & TalliedEvent

function successOf({ entity, data, created_ms }: StoredMerchantEvent): Success[] {
  const content: unknown = JSON.parse(data)
  const [kind, value] = [successSchema.safeParse(content), valueSchema.safeParse(content)]
  if (!kind.success || !value.success) return []
  const { amount, currency_code, network } = value.data
  const slot_ms = Math.floor(created_ms / SLOT_MS) * SLOT_MS
  return [{ kind: kind.data.kind, entity, slot_ms, currency_code, network, amount: amount ?? decimal(ZERO) }]
}

const keyOf = ({ slot_ms, kind, currency_code, network }: Omit<Tally, 'count' | 'amount'>): string =>
  JSON.stringify([slot_ms, kind, currency_code, network])

/**
 * The tallies with these successes. One that was counted before, with another amount, corrects the tally in which it
 * is: the gateway may send more digits of an amount later.
 */
function countSuccesses(
  tallies: readonly Tally[],
  before: readonly TalliedEvent[],
  successes: readonly Success[],
): { readonly tallies: readonly Tally[]; readonly events: readonly TalliedEvent[] } {
  const byKey = new Map(tallies.map((tally) => [keyOf(tally), tally]))
  const events = new Map(before.map((event) => [event.entity, event]))
  const touched = new Set<string>()
  for (const { kind, ...success } of successes) {
    const counted = events.get(success.entity)
    const place = counted ?? success
    const key = keyOf({ ...place, kind })
    const { count, amount } = byKey.get(key) ?? { count: 0, amount: ZERO }
    const difference = counted === undefined ? success.amount : subtract(success.amount, counted.amount)
    byKey.set(key, {
      slot_ms: place.slot_ms,
      kind,
      currency_code: place.currency_code,
      network: place.network,
      count: count + (counted === undefined ? 1 : 0),
      amount: add(amount, difference),
    })
    events.set(success.entity, { ...place, entity: success.entity, amount: success.amount })
    touched.add(key)
  }
  return {
    tallies: [...byKey].filter(([key]) => touched.has(key)).map(([, tally]) => tally),
    events: [...new Set(successes.map(({ entity }) => entity))].flatMap((entity) => events.get(entity) ?? []),
  }
}

/** Counts the next events, in the same transaction as the cursor: each event once. Returns how many were read. */
async function countNext(tx: Tx): Promise<number> {
  const cursor = await tx.tallies.lockCursor()
  const read = await tx.events.feedAfter(cursor, BATCH)
  const last = read.at(-1)
  if (last === undefined) return 0
  const successes = read.flatMap(successOf)
  const before = await tx.tallies.countedAmong(successes.map(({ entity }) => entity))
  const slots = [...new Set([...successes, ...before].map(({ slot_ms }) => slot_ms))]
  const { tallies, events } = countSuccesses(await tx.tallies.ofSlots(slots), before, successes)
  await tx.tallies.put(tallies, events)
  await tx.tallies.setCursor(last.cursor)
  return read.length
}

/**
 * Counts what succeeded from the merchant's feed, by quarters of an hour, so that a day in any time zone is the sum of a
 * few rows. Units of work do nothing for it: a sum that all users change would make them wait for each other.
 */
export function createTallyJob({ store, holder, onFault }: TallyJobOptions) {
  /** Returns true if events are left. */
  const runOnce = async (): Promise<boolean> => {
    if (!(await store.operators.any())) return false
    const [{ head }, cursor] = await Promise.all([store.feedEpoch.position(), store.tallies.cursor()])
    if (head <= cursor || !(await rounds.takeLease())) return false
    for (let done = 0; done < BATCHES; done += 1) if ((await store.transaction(countNext)) < BATCH) return false
    return true
  }
  const rounds = createLeasedRounds({
    leases: store.leases,
    lease: 'tally',
    holder,
    round: async () => {
      const isMore = await runOnce()
      if (isMore) rounds.wake()
      return null
    },
    onFault,
    everyMs: EVERY_MS,
    soonMs: 50,
    longestMs: EVERY_MS,
  })
  return { runOnce, start: () => rounds.start(), stop: () => rounds.stop() }
}
