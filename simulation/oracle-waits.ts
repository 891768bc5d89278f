/**
 * Nothing is sent before an operator has approved what a rule caught, before its wait is over, or after the user was told
 * that it is cancelled.
 */
import type { SeenWithdrawal } from './ask.ts'
import type { Observations } from './observations.ts'
import { groupsOf } from './oracle-withdrawals.ts'
import { WAIT_MS } from './plan.ts'
import type { Scene } from './scene.ts'

/** What the user was told stays. What a restored backup has forgotten may have been cancelled since. */
function checkCancelled({ world }: Scene, seen: Observations): string[] {
  const rows = new Map(seen.withdrawals.map((row) => [row.id, row]))
  return [...world.cancelled].flatMap(([id, atMs]) => {
    const row = rows.get(id)
    if (world.isLost(atMs) || row === undefined) return []
    // The reason of an erased user is gone.
    const isCancelled = row.failure_reason === 'cancelled' || (row.failure_reason === null && world.erased.size > 0)
    return row.status === 'failed' && isCancelled
      ? []
      : [`cancel: ${id} was cancelled, and is ${row.status} (${row.failure_reason ?? 'no reason'})`]
  })
}

const isCaughtBy = ({ review }: SeenWithdrawal, isRule: (name: string) => boolean): boolean => review.some(isRule)

function checkApproved({ world }: Scene, seen: Observations): string[] {
  // A restored database may have forgotten that it was sent.
  if (world.lost !== null) return []
  return seen.withdrawals.flatMap((row) => {
    const { id, status } = row
    const isSent = status !== 'failed' && status !== 'pending_authorization'
    const isReviewed = isCaughtBy(row, (name) => name !== 'wait_for_new_address')
    const isApproved = world.merchant.decisions.get(id)?.has('approve') === true
    return isSent && isReviewed && !isApproved ? [`review: ${id} is ${status}, and nobody approved it`] : []
  })
}

/** The payouts of equal withdrawals, in order, come after the ends of their waits, in order. */
function checkTimes(scene: Scene, seen: Observations): string[] {
  const { world, users } = scene
  const asked = new Map(users.flatMap((user) => [...user.asked]))
  const { skewMs } = world.plan.settings.habits
  return groupsOf(scene, seen).flatMap(({ key, rows, sent }) => {
    const earliest = rows
      .map(
        (row) => (asked.get(row.id) ?? 0) + (isCaughtBy(row, (name) => name === 'wait_for_new_address') ? WAIT_MS : 0),
      )
      .sort((a, b) => a - b)
    const made = sent.map(({ insertedMs }) => insertedMs - skewMs).sort((a, b) => a - b)
    const early = made.findIndex((atMs, index) => atMs < (earliest[index] ?? 0))
    return early === -1 ? [] : [`wait: payout ${String(early)} of ${key} left before its wait was over`]
  })
}

/** Of equal withdrawals, those that were cancelled have no payout. */
function checkUnsent(scene: Scene, seen: Observations): string[] {
  // A restored database may have forgotten the equal one that was sent.
  if (scene.world.lost !== null) return []
  return groupsOf(scene, seen).flatMap(({ key, rows, payouts }) => {
    const cancelled = rows.filter(({ failure_reason }) => failure_reason === 'cancelled').length
    return cancelled > 0 && payouts.length > rows.length - cancelled
      ? [`cancel: ${key} was cancelled ${cancelled} of ${rows.length} times, but ${payouts.length} were sent`]
      : []
  })
}

export const checkWaits = (scene: Scene, seen: Observations): string[] => [
  ...checkCancelled(scene, seen),
  ...checkApproved(scene, seen),
  ...checkTimes(scene, seen),
  ...checkUnsent(scene, seen),
]
