import type { QuarantineRow, SettledBy, Store, WebhookOutcome } from '../store/port.ts'
import { applyWebhook, loadForEvents, type WebhookRules } from './apply-webhook.ts'
import { parseWebhook } from '../gateway/parse-webhook.ts'

export interface ReleaseOptions extends WebhookRules {
  readonly store: Store
  readonly onOutcome?: (outcome: WebhookOutcome) => void
}

const PAGE = 100

/** Who asked for it, and the words that are kept with a settled one. */
export interface ReapplyRequest {
  readonly by: SettledBy
  readonly note?: string | null
}

/**
 * Applies one open event again, as if it had just come and were fresh. It is settled if that works, else it stays open
 * under its present reason, which is the outcome. Null where it is not open any more.
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
    const present = await tx.inbox.findQuarantined(row.id)
    if (present === null || present.settled_ms !== null) return null
    const outcome =
      parsed.outcome === 'event' ? applyWebhook(unit, parsed.event, { ...options, body: row.event }) : parsed.outcome
    await tx.save(unit)
    // A `list_conflict` has a line of its own by now.
    if (outcome === 'applied' || outcome === 'seen' || outcome === 'list_conflict')
      await tx.inbox.settle(row.id, { by, note, now: tx.now })
    else if (outcome !== present.reason) await tx.inbox.setReason(row.id, outcome)
    return outcome
  })
}

/**
 * Applies quarantined events whose reason may no longer hold (docs/api.md, "Quarantine reasons"), oldest first: those
 * of a user who is known by now, of `unknown_currency` after the currencies were refreshed, of unknown kinds when a
 * newer build starts.
 * `stale` and `conflict` are never applied by themselves.
 */
export async function releaseQuarantine(
  options: ReleaseOptions,
  which: {
    readonly reasons: readonly ('unknown_user' | 'unknown_currency' | 'unknown_event' | 'unknown_status')[]
    readonly user?: string
  },
): Promise<number> {
  let after = 0
  let applied = 0
  for (;;) {
    const rows = await options.store.inbox.waiting(which.reasons, {
      after,
      limit: PAGE,
      ...(which.user === undefined ? {} : { user: which.user }),
    })
    for (const row of rows) {
      const outcome = await reapply(options, row, { by: 'system' })
      if (outcome === 'applied') applied += 1
      if (outcome !== null && outcome !== row.reason) options.onOutcome?.(outcome)
      after = row.id
    }
    if (rows.length < PAGE) return applied
  }
}
