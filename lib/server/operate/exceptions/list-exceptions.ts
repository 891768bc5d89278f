import { EXCEPTION_KINDS, type ExceptionsReply } from '#lib/contract/operate/exceptions.ts'
import type { Store } from '../../store/types.ts'
import { reportedExceptions, type FoundException } from './reported-exceptions.ts'

export interface ListExceptionsOptions {
  readonly store: Pick<Store, 'attention' | 'instanceReports' | 'reconciliation'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

const inOrder = ({ kind: one }: FoundException, { kind: other }: FoundException): number =>
  EXCEPTION_KINDS.indexOf(one) - EXCEPTION_KINDS.indexOf(other)

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** What needs a person now, the most urgent first. */
export function createListExceptions({ store, clock }: ListExceptionsOptions): () => Promise<ExceptionsReply> {
  return async () => {
    const [counts, lastWebhookMs, reports, restoredMs] = await Promise.all([
      store.attention.counts(),
      store.attention.lastWebhookMs(),
      store.instanceReports.all(),
      store.reconciliation.restoredMs(),
    ])
    const waiting = counts.flatMap(({ kind, count, isMore, oldestMs }): FoundException[] => {
      // New users are compared too, but nothing waits for that unless the database lost something.
      if (count === 0 || kind === 'unmatched_payout' || (kind === 'users_unchecked' && restoredMs === null)) return []
      return [{ kind, count, more: isMore, oldestMs: oldestMs ?? restoredMs, detail: null }]
    })
    const found = [...waiting, ...reportedExceptions(reports, lastWebhookMs, clock())]
    return {
      exceptions: found.sort(inOrder).map(({ oldestMs, ...rest }) => ({ ...rest, oldest_at: isoOf(oldestMs) })),
      last_webhook_at: isoOf(lastWebhookMs),
    }
  }
}
