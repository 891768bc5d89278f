/** Each status that a withdrawal has had, as its row keeps it. */
import * as z from 'zod/mini'
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#lib/contract/cashier.ts'
import { WITHDRAWAL_CAUSES } from '#lib/contract/operate/story-entries.ts'
import type { Source, WithdrawalColumns } from './rows.ts'
import type { Evidence } from './withdrawal-states.ts'

/**
 * The evidence, the user's request, a call that the store had lost, or a restored backup after which an unsent withdrawal
 * counts as sent.
 */
const CAUSES = WITHDRAWAL_CAUSES satisfies readonly (Evidence['kind'] | 'requested' | 'found_again' | 'restored')[]

export type StateCause = (typeof CAUSES)[number]

/** A status, since when it holds (milliseconds since 1970), and who told its cause. */
export interface PastState {
  readonly status: WithdrawalStatus
  readonly at_ms: number
  readonly cause: StateCause
  readonly source: Source
}

const SOURCES = ['webhook', 'reconciliation', 'cashier'] as const satisfies readonly Source[]

const stored = z.array(z.tuple([z.enum(WITHDRAWAL_STATUSES), z.number(), z.enum(CAUSES), z.enum(SOURCES)]))

/** Oldest first. */
export const readStates = (text: string): readonly PastState[] =>
  stored.parse(JSON.parse(text)).map(([status, at_ms, cause, source]) => ({ status, at_ms, cause, source }))

/** The stored states with a further one; the same if the status is the last one's. */
export function withState({ states }: Pick<WithdrawalColumns, 'states'>, state: PastState): string {
  const before = readStates(states)
  if (before.at(-1)?.status === state.status) return states
  return JSON.stringify([...before, state].map(({ status, at_ms, cause, source }) => [status, at_ms, cause, source]))
}
