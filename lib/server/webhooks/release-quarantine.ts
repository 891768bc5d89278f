import { OTHER_CURRENCY } from '../ledger/apply-records.ts'
import { isDispute, type Dispute } from '../ledger/rows.ts'
import type { Sleep } from '../jobs/rounds.ts'
import type { QuarantineRow, SettledBy, Store, WebhookOutcome } from '../store/types.ts'
import { applyWebhook, loadForEvents, type WebhookRules } from './apply-webhook.ts'
import { parseWebhook } from '../gateway/parse-webhook.ts'

export interface ReleaseOptions extends WebhookRules {
  readonly store: Store
  readonly onOutcome?: (outcome: WebhookOutcome) => void
}

/** Events in one transaction. */
const PAGE = 100

/** Who requested it, and the note to keep with the settled event. */
export interface ReapplyRequest {
  readonly by: SettledBy
  readonly note?: string | null
}

function parse(row: QuarantineRow) {
  const parsed = parseWebhook(Buffer.from(row.event, 'utf8'))
  if (parsed.outcome === 'malformed') throw new Error(`the event ${String(row.id)} of the quarantine cannot be read`)
  return { row, parsed }
}

/** True if an event with this outcome needs no line any more. A dispute has a line of its own. */
const isSettled = (outcome: WebhookOutcome): outcome is 'applied' | 'seen' | Dispute =>
  outcome === 'applied' || outcome === 'seen' || isDispute(outcome)

/**
 * Applies open events again, in this order and in one transaction, as if they had just arrived and were fresh. An event
 * that can be applied is settled; any other stays open with its present reason, which is its outcome. The outcomes are
 * in the order of the events; null for an event that is no longer open. A request for the merchant also applies an event
 * that is open as implausible.
 */
async function reapplyAll(
  options: ReleaseOptions,
  rows: readonly QuarantineRow[],
  { by, note = null }: ReapplyRequest,
): Promise<readonly (WebhookOutcome | null)[]> {
  const all = rows.map(parse)
  return options.store.transaction(async (tx) => {
    const events = all.flatMap(({ parsed }) => (parsed.outcome === 'event' ? [parsed.event] : []))
    const unit = await loadForEvents(tx, events, [], options)
    const open = await tx.quarantine.lockOpen(rows.map(({ id }) => id))
    const outcomes = all.map(({ row, parsed }) => {
      const present = open.get(row.id)
      if (present === undefined) return null
      if (parsed.outcome !== 'event') return parsed.outcome
      const evenIfImplausible = by !== 'system' && present.reason === 'implausible'
      const outcome = applyWebhook(unit, parsed.event, { ...options, body: row.event, evenIfImplausible })
      // What the list had told of it is booked now.
      if (outcome === 'applied' && present.reason === 'unknown_currency')
        unit.settleReport('contradiction', parsed.event.transaction_uuid, OTHER_CURRENCY)
      return outcome
    })
    await tx.save(unit)
    const settled: number[] = []
    for (const [index, outcome] of outcomes.entries()) {
      const present = open.get(rows[index]?.id ?? 0)
      if (outcome === null || present === undefined) continue
      if (isSettled(outcome)) settled.push(present.id)
      else if (outcome !== present.reason) await tx.quarantine.setReason(present.id, outcome)
    }
    await tx.quarantine.settle(settled, { by, note, now: tx.now })
    return outcomes
  })
}

/** Applies one open event again. Returns its outcome; null if it is no longer open. */
export async function reapply(
  options: ReleaseOptions,
  row: QuarantineRow,
  request: ReapplyRequest,
): Promise<WebhookOutcome | null> {
  const [outcome = null] = await reapplyAll(options, [row], request)
  return outcome
}

export interface Released {
  readonly applied: number
  /** The errors of the events that failed, by id. */
  readonly failed: ReadonlyMap<number, unknown>
}

/** Applies these events in one transaction. Returns how many were applied. */
async function releaseTogether(options: ReleaseOptions, rows: readonly QuarantineRow[]): Promise<number> {
  const outcomes = await reapplyAll(options, rows, { by: 'system' })
  for (const [index, outcome] of outcomes.entries())
    if (outcome !== null && outcome !== rows[index]?.reason) options.onOutcome?.(outcome)
  return outcomes.filter((outcome) => outcome === 'applied').length
}

/**
 * Applies a page of events whose reason may have gone. If they cannot be committed together, they are committed one by
 * one, until `isOver`: a bad event stops no other.
 * @throws if the store cannot commit anything now
 */
export async function releasePage(
  options: ReleaseOptions,
  rows: readonly QuarantineRow[],
  isOver: () => boolean = () => false,
): Promise<Released> {
  const failed = new Map<number, unknown>()
  if (rows.length === 0) return { applied: 0, failed }
  try {
    return { applied: await releaseTogether(options, rows), failed }
  } catch (error) {
    if (options.store.faultOf(error) === 'away') throw error
    const [only] = rows
    if (only !== undefined && rows.length === 1) return { applied: 0, failed: failed.set(only.id, error) }
  }
  let applied = 0
  for (const row of rows) {
    if (isOver()) break
    const one = await releasePage(options, [row])
    applied += one.applied
    for (const [id, error] of one.failed) failed.set(id, error)
  }
  return { applied, failed }
}

/**
 * Applies the events of a user who has just become known (docs/explanation/money.md, "Quarantine reasons"), oldest
 * first, until `isOver`. Throws at the end if one of them failed; the job tries it again (`release-job.ts`).
 */
export async function releaseUser(
  options: ReleaseOptions,
  user: string,
  isOver: () => boolean = () => false,
): Promise<number> {
  const faults: unknown[] = []
  let applied = 0
  for (let after = 0; !isOver();) {
    const rows = await options.store.quarantine.waiting('unknown_user', { user, after, limit: PAGE })
    const released = await releasePage(options, rows, isOver)
    applied += released.applied
    faults.push(...released.failed.values())
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) break
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} events of a new user could not be applied`)
  return applied
}

/**
 * The same, but resolves after `limitMs` at the latest. The page under way is still committed; the job applies the
 * rest, and reports what fails after the limit.
 */
export async function releaseUserWithin(
  options: ReleaseOptions & { readonly sleep: Sleep },
  user: string,
  limitMs: number,
): Promise<void> {
  const ended = new AbortController()
  let isOver = false
  const limit = options.sleep(limitMs, ended.signal).then(
    () => (isOver = true),
    () => undefined,
  )
  try {
    await Promise.race([releaseUser(options, user, () => isOver), limit])
  } finally {
    ended.abort()
  }
}
