/** The stream that tells an open console what has changed. */
import * as z from 'zod/mini'

export const CHANGE_AREAS = [
  'exceptions',
  'day',
  'transactions',
  'withdrawals',
  'payouts',
  'quarantine',
  'deliveries',
  'audit',
] as const
const changeArea = z.enum(CHANGE_AREAS)
export type ChangeArea = z.output<typeof changeArea>

/** `data` of the event `changed`. */
export const changedEvent = z.object({
  areas: z.array(changeArea),
  /** The users whose transactions changed; null: too many to name. */
  users: z.nullable(z.array(z.string())),
})
export interface ChangedEvent {
  readonly areas: readonly ChangeArea[]
  readonly users: readonly string[] | null
}
