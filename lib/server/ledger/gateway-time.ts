import type { WithdrawalRow } from './rows.ts'

/** The gateway's clock minus ours; null before the first reply. */
export type ClockOffset = number | null

type Call = Pick<WithdrawalRow, 'called_ms' | 'clock_offset_ms'>

/**
 * Times are compared by the gateway's clock: ours may be wrong, and each machine has its own. If the calling machine
 * did not know the offset of its clock, our own offset is used.
 */
const offsetOf = (call: Call, ours: ClockOffset): number => call.clock_offset_ms ?? ours ?? 0

/** When the call began, by the gateway's clock; null before the call. */
export const calledAt = (call: Call, ours: ClockOffset): number | null =>
  call.called_ms === null ? null : call.called_ms + offsetOf(call, ours)

/** A time in a message of the gateway, in milliseconds since 1970; null if it cannot be read. */
export const millis = (iso: string): number | null => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}
