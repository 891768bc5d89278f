import type { QuarantineRow, Store } from '../store/port.ts'
import { applyEvent, type Outcome } from './apply-event.ts'
import { parseWebhook } from './parse-event.ts'

export interface ReleaseOptions {
  readonly store: Store
  readonly books: boolean
  readonly onOutcome?: (outcome: Outcome) => void
}

const PAGE = 100

/** Tries one again; it leaves quarantine once its reason has gone, or stays under the reason that it has now. */
async function tryAgain(options: ReleaseOptions, row: QuarantineRow): Promise<Outcome | null> {
  const parsed = parseWebhook(Buffer.from(row.event, 'utf8'))
  if (parsed.outcome !== 'event') return null
  return options.store.transaction(async (tx) => {
    const { event } = parsed
    const known = await tx.users.lock(event.user_reference_id === null ? [] : [event.user_reference_id])
    const outcome = await applyEvent(tx, event, known, { books: options.books, body: row.event })
    if (outcome === row.reason) return outcome
    await tx.inbox.release(row.id)
    if (outcome !== 'applied' && outcome !== 'seen') {
      const { id: _, ...kept } = row
      await tx.inbox.quarantine({ ...kept, reason: outcome })
    }
    return outcome
  })
}

/**
 * Applies quarantined events whose reason may have gone (contract section 6), oldest first: those of one user once
 * it is known, of `unknown_currency` once the list was read anew, of unknown kinds when a newer build starts.
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
      const outcome = await tryAgain(options, row)
      if (outcome === 'applied') applied += 1
      if (outcome !== null) options.onOutcome?.(outcome)
      after = row.id
    }
    if (rows.length < PAGE) return applied
  }
}
