import type { WithdrawalRow } from './rows.ts'

/** What is known of the gateway's clock: it minus ours; null before the first reply. */
export type ClockOffset = number | null

type Call = Pick<WithdrawalRow, 'called_ms' | 'call_ended_ms' | 'clock_offset_ms'>

/**
 * Times are compared by the gateway's clock: ours may be wrong, and each machine has one of its own. A call whose machine
 * did not know the offset is taken to have had ours.
 */
const offsetOf = (call: Call, ours: ClockOffset): number => call.clock_offset_ms ?? ours ?? 0

/** When the call began, by the gateway's clock; null before it. */
export const calledAt = (call: Call, ours: ClockOffset): number | null =>
  call.called_ms === null ? null : call.called_ms + offsetOf(call, ours)

/** The earliest time at which the call can have begun: by what its machine knew of the gateway's clock, and by what we know now. */
export const calledAtEarliest = (call: Call, ours: ClockOffset): number | null =>
  call.called_ms === null ? null : call.called_ms + Math.min(offsetOf(call, ours), ours ?? Infinity)

/** When the call ended, by the gateway's clock; null before. */
export const callEndedAt = (call: Call, ours: ClockOffset): number | null =>
  call.call_ended_ms === null ? null : call.call_ended_ms + offsetOf(call, ours)

/** A time of our clock, by the gateway's; beside a call whose offset is all that is known, by that. */
export const gatewayTime = (ms: number, call: Call, ours: ClockOffset): number => ms + (ours ?? offsetOf(call, ours))
