import type { Call } from '../state/calls.ts'
import { callSummary } from './event-summary.ts'

/** Calls with the same content as one row. The cashier repeats calls without an answer, and reads lists repeatedly. */
export interface CallRow extends Pick<Call, 'id' | 'operation' | 'method' | 'path' | 'query' | 'body'> {
  readonly user: string | null
  readonly what: string
  /** Newest first; at most `SHOWN_ATTEMPTS` attempts. */
  readonly log: readonly Pick<
    Call,
    'id' | 'at' | 'authentic' | 'committed' | 'fault' | 'response_status' | 'took_ms' | 'transaction_uuid'
  >[]
  readonly attempts: number
}

const SHOWN_ATTEMPTS = 20

const contentOf = ({ operation, query, body, user_reference }: Call): string =>
  JSON.stringify([operation, query, body, user_reference])

/** @param calls newest first */
export function callRows(calls: readonly Call[], limit: number): readonly CallRow[] {
  const byContent = Map.groupBy(calls, contentOf)
  return [...byContent.values()].slice(0, limit).map((same): CallRow => {
    // A group has at least the call that started it.
    const [newest] = same as [Call]
    const oldest = same.at(-1) ?? newest
    const { operation, method, path, query, body, user_reference: user } = newest
    return {
      // The oldest call's id, so that an open row keeps its id while its call is repeated.
      id: oldest.id,
      operation,
      method,
      path,
      query,
      body,
      user,
      what: callSummary(body),
      attempts: same.length,
      log: same
        .slice(0, SHOWN_ATTEMPTS)
        .map(({ id, at, authentic, committed, fault, response_status, took_ms, transaction_uuid }) => ({
          id,
          at,
          authentic,
          committed,
          fault,
          response_status,
          took_ms,
          transaction_uuid,
        })),
    }
  })
}
