import * as z from 'zod/mini'
import type { ChangeArea, ChangedEvent } from '#lib/contract/operate/live.ts'
import type { Store, StoredMerchantEvent } from '../../store/types.ts'

/** What is compared from one look to the next. */
interface Marks {
  readonly head: number
  readonly texts: Readonly<Partial<Record<ChangeArea, string>>>
}

export type ChangesStore = Pick<
  Store,
  'attention' | 'audit' | 'bookTotals' | 'events' | 'feedEpoch' | 'instanceReports' | 'tallies'
>

/** More events than this between two looks are not read: everything about transactions may have changed. */
const MOST_EVENTS = 200

/** While webhooks come all the time, the time of the last one is told this often. */
const WEBHOOK_STEP_MS = 5000

const AREAS_OF_ENTITY: Readonly<Record<string, readonly ChangeArea[]>> = {
  deposit: ['transactions'],
  onramp: ['transactions'],
  payout: ['transactions', 'payouts'],
  withdrawal: ['transactions', 'withdrawals'],
}
const ALL_OF_MONEY: readonly ChangeArea[] = ['transactions', 'withdrawals', 'payouts']

const eventSchema = z.object({ user_reference_id: z.nullable(z.string()) })

async function marksOf(store: ChangesStore): Promise<Marks> {
  const counts = await store.attention.counts()
  const [{ head }, webhookMs, newest, reports, cursor, totals, end] = await Promise.all([
    store.feedEpoch.position(),
    store.attention.lastWebhookMs(),
    store.attention.newestLines(),
    store.instanceReports.all(),
    store.tallies.cursor(),
    store.bookTotals.all(),
    store.audit.head(),
  ])
  const textOf = (begins: string): string => JSON.stringify(counts.filter(({ kind }) => kind.startsWith(begins)))
  return {
    head,
    texts: {
      exceptions: JSON.stringify([
        counts,
        reports.map(({ what, count }) => [what, count]),
        webhookMs === null ? null : Math.floor(webhookMs / WEBHOOK_STEP_MS),
      ]),
      quarantine: JSON.stringify([newest, counts]),
      deliveries: `${String(head)} ${textOf('deliveries')}`,
      payouts: textOf('payouts'),
      withdrawals: textOf('withdrawals'),
      day: `${String(cursor)} ${String(totals[0]?.taken_ms)}`,
      audit: String(end?.entries),
    },
  }
}

const areasOf = (events: readonly StoredMerchantEvent[]): readonly ChangeArea[] =>
  events.length > MOST_EVENTS
    ? ALL_OF_MONEY
    : events.flatMap(({ entity }) => AREAS_OF_ENTITY[entity.split(':', 1)[0] ?? ''] ?? [])

const usersOf = (events: readonly StoredMerchantEvent[]): readonly string[] | null => {
  if (events.length > MOST_EVENTS) return null
  const users = events.flatMap(({ data }) => eventSchema.safeParse(JSON.parse(data)).data?.user_reference_id ?? [])
  return [...new Set(users)]
}

/** Returns a function that tells what has changed since it was called last; null: nothing, or it was not called before. */
export function createReadChanges(store: ChangesStore): () => Promise<ChangedEvent | null> {
  let before: Marks | null = null
  return async () => {
    const now = await marksOf(store)
    const last = before
    before = now
    if (last === null) return null
    const events = now.head > last.head ? await store.events.feedAfter(last.head, MOST_EVENTS + 1) : []
    const changed = Object.entries(now.texts).filter(([area, text]) => last.texts[area as ChangeArea] !== text)
    const areas = new Set([...changed.map(([area]) => area as ChangeArea), ...areasOf(events)])
    if (areas.size === 0) return null
    const users = usersOf(events)
    return { areas: [...areas], users: users === null ? null : [...users] }
  }
}
