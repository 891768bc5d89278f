import { isDispute } from '../ledger/rows.ts'
import type { QuarantineRow, SettledBy, Store, WebhookOutcome } from '../store/types.ts'
import { applyWebhook, loadForEvents, type WebhookRules } from './apply-webhook.ts'
import { parseWebhook } from '../gateway/parse-webhook.ts'

export interface ReleaseOptions extends WebhookRules {
  readonly store: Store
  readonly onOutcome?: (outcome: WebhookOutcome) => void
}

const PAGE = 100

/** Who requested it, and the note to keep with the settled event. */
export interface ReapplyRequest {
  readonly by: SettledBy
  readonly note?: string | null
}

/**
 * Applies one open event again, as if it had just arrived and were fresh. If that works, the event is settled; else it
 * stays open with its present reason, which is the outcome. Null if it is no longer open. The merchant's request also
 * applies an event that is open as implausible.
 */
export async function reapply(
  options: ReleaseOptions,
  row: QuarantineRow,
  { by, note = null }: ReapplyRequest,
): Promise<WebhookOutcome | null> {
  const parsed = parseWebhook(Buffer.from(row.event, 'utf8'))
  if (parsed.outcome === 'malformed') throw new Error(`the event ${String(row.id)} of the quarantine cannot be read`)
  return options.store.transaction(async (tx) => {
    const events = parsed.outcome === 'event' ? [parsed.event] : []
    const unit = await loadForEvents(tx, events, [], options)
    const present = await tx.quarantine.lockOpen(row.id)
    if (present === null) return null
    const evenIfImplausible = by === 'merchant' && present.reason === 'implausible'
    const outcome =
      parsed.outcome === 'event'
        ? applyWebhook(unit, parsed.event, { ...options, body: row.event, evenIfImplausible })
        : parsed.outcome
    await tx.save(unit)
    if (outcome === 'applied' || outcome === 'seen' || isDispute(outcome))
      await tx.quarantine.settle(row.id, { by, note, now: tx.now })
    else if (outcome !== present.reason) await tx.quarantine.setReason(row.id, outcome)
    return outcome
  })
}

/** Applies one event, whose reason may have gone. True if it was applied. */
export async function releaseOne(options: ReleaseOptions, row: QuarantineRow): Promise<boolean> {
  const outcome = await reapply(options, row, { by: 'system' })
  if (outcome !== null && outcome !== row.reason) options.onOutcome?.(outcome)
  return outcome === 'applied'
}

/**
 * Applies the events of a user who has just become known (docs/explanation/money.md, "Quarantine reasons"), oldest
 * first. Throws at the end if one of them failed; the job tries it again (`release-job.ts`).
 */
export async function releaseUser(options: ReleaseOptions, user: string): Promise<number> {
  const faults: unknown[] = []
  let applied = 0
  for (let after = 0; ;) {
    const rows = await options.store.quarantine.waiting('unknown_user', { user, after, limit: PAGE })
    for (const row of rows) {
      const done = await releaseOne(options, row).catch((error: unknown) => {
        faults.push(error)
        return false
      })
      if (done) applied += 1
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) break
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} events of a new user could not be applied`)
  return applied
}
