import * as z from 'zod'
import { createLeasedRounds } from '../jobs/leased-rounds.ts'
import type { Store, StoredMerchantEvent, TransactionRow, Tx, WithdrawalRow } from '../store/types.ts'
import { rateFrom } from './rate.ts'
import { meaningOf, withSamples, type Found } from './samples.ts'

/** Reading the feed in long intervals costs less than a wait of some seconds is worth. */
const EVERY_MS = 15_000
/** The newest events that a round reads. If more came, the others are left out: samples suffice. */
const MOST_EVENTS = 500

export interface MeasureJobOptions {
  readonly store: Pick<Store, 'transaction' | 'leases' | 'feedEpoch' | 'measurements' | 'events'>
  /** Names this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly onFault: (error: unknown) => void
}

const successSchema = z.object({
  kind: z.enum(['deposit', 'payout']),
  status: z.literal('succeeded'),
  transaction_uuid: z.string(),
  user_reference_id: z.string(),
  withdrawal_id: z.string().optional(),
})
type Success = z.infer<typeof successSchema>

const successOf = ({ data }: StoredMerchantEvent): Success[] => {
  const read = successSchema.safeParse(JSON.parse(data))
  return read.success ? [read.data] : []
}

/** When a success was, as the gateway dated it: we may have learned of it days later. Never after we did. */
function succeededMs(occurredAt: string | undefined, learnedMs: number): number {
  const told = Date.parse(occurredAt ?? '')
  return Number.isNaN(told) ? learnedMs : Math.min(told, learnedMs)
}

/** The gateway's own value of a transaction, and the time from the first sight of a deposit to its success. */
function fromTransaction(row: TransactionRow): Found[] {
  const { currency_id, kind, status, standing, created_ms } = row
  if (currency_id === null || standing !== 'confirmed' || status !== 'succeeded' || kind === 'onramp') return []
  const at_ms = succeededMs(row.occurred_at, row.updated_ms)
  const of = { currency_id, meaning: meaningOf(row), at_ms }
  const rate = rateFrom(row.amount, row.amount_usd)
  const isTimed = kind === 'deposit' && at_ms > created_ms
  return [
    ...(rate === null ? [] : [{ ...of, measure: 'rate' as const, value: rate }]),
    ...(isTimed ? [{ ...of, measure: 'deposit_time' as const, value: String(at_ms - created_ms) }] : []),
  ]
}

/** An approval, or a person's decision, is no measure of the network. */
function fromWithdrawal(row: WithdrawalRow, payout: TransactionRow | undefined): Found[] {
  const { currency_id, status, requires_approval, resolution, called_ms, updated_ms } = row
  if (status !== 'succeeded' || requires_approval === 1 || resolution !== null) return []
  const at_ms = succeededMs(payout?.occurred_at, updated_ms)
  const value = String(Math.max(0, at_ms - called_ms))
  return [{ currency_id, meaning: meaningOf(row), at_ms, measure: 'payout_time', value }]
}

/**
 * Reads what has succeeded from the merchant's feed, and keeps how long it took and what it was worth. Webhooks do no
 * work for it.
 */
export function createMeasureJob({ store, holder, onFault }: MeasureJobOptions) {
  const measure = async (tx: Tx, events: readonly StoredMerchantEvent[], cursor: number): Promise<void> => {
    const successes = events.flatMap(successOf)
    const transactions = await tx.transactions.byUuids(successes.map((one) => one.transaction_uuid))
    const withdrawals = await tx.withdrawals.byIds(
      successes.flatMap(({ user_reference_id: user, withdrawal_id: id }) =>
        id === undefined ? [] : [[user, id] as const],
      ),
    )
    const payouts = new Map(transactions.map((row) => [row.withdrawal_id, row]))
    const found = [
      ...transactions.flatMap(fromTransaction),
      ...withdrawals.flatMap((row) => fromWithdrawal(row, payouts.get(row.id))),
    ]
    await tx.measurements.put(withSamples(await tx.measurements.all(), found, tx.now))
    await tx.measurements.setCursor(cursor)
  }

  /** Returns how many events were read. */
  const runOnce = async (): Promise<number> => {
    const [{ head }, cursor] = await Promise.all([store.feedEpoch.position(), store.measurements.cursor()])
    if (head <= cursor || !(await rounds.takeLease())) return 0
    const events = await store.events.feedAfter(Math.max(cursor, head - MOST_EVENTS), MOST_EVENTS)
    const last = events.at(-1)?.cursor
    if (last !== undefined) await store.transaction((tx) => measure(tx, events, last))
    return events.length
  }

  const rounds = createLeasedRounds({
    leases: store.leases,
    lease: 'measure',
    holder,
    round: async () => {
      await runOnce()
      return null
    },
    onFault,
    everyMs: EVERY_MS,
    longestMs: EVERY_MS,
  })
  return { runOnce, start: () => rounds.start(), stop: () => rounds.stop() }
}
