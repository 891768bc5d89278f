/**
 * Each withdrawal leaves the gateway at most once. A hold is released only if nothing was sent, and every hold ends.
 */
import { amountText, unitsOf } from './amounts.ts'
import type { Movement } from './gateway-records.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import { keyOf } from './model-person.ts'
import type { SeenWithdrawal } from './ask.ts'
import type { Observations } from './observations.ts'
import type { Scene } from './scene.ts'

function groups<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) {
    const list = found.get(key(item)) ?? []
    list.push(item)
    found.set(key(item), list)
  }
  return found
}

/** Withdrawals with the same content. The gateway cannot tell them apart, so the oracle does not either. */
interface Group {
  readonly key: string
  readonly rows: readonly SeenWithdrawal[]
  /** Every payout. */
  readonly sent: readonly Movement[]
  /** The payouts that are not acknowledged as lost. */
  readonly payouts: readonly Movement[]
  readonly reviews: number
}

/** The address of an erased user is gone. */
const withoutAddress = (key: string): string => key.split(' ').slice(0, 3).join(' ')

export function groupsOf(
  { world, users }: Scene,
  seen: Pick<Observations, 'withdrawals' | 'payouts'>,
): readonly Group[] {
  const names = new Map([...world.erased].flatMap(([owner, pseudonyms]) => pseudonyms.map((one) => [one, owner])))
  const grouped = (key: string): string => {
    const [user = '', ...rest] = key.split(' ')
    const owner = names.get(user) ?? user
    const whole = [owner, ...rest].join(' ')
    return world.erased.has(owner) ? withoutAddress(whole) : whole
  }
  // A person said that these belong to withdrawals that a restored backup does not have.
  const acknowledged = new Set(
    seen.payouts.flatMap((one) => (one.owner === 'acknowledged' ? one.transaction_uuid : [])),
  )
  const rows = groups(seen.withdrawals, (row) => grouped(keyOf(row)))
  const payouts = groups(
    world.gateway.movements.filter(({ askedBy }) => askedBy !== null),
    ({ askedBy }) => grouped(askedBy ?? ''),
  )
  const reviews = new Map<string, number>()
  for (const [key, count] of users.flatMap((user) => [...user.reviews]))
    reviews.set(grouped(key), (reviews.get(grouped(key)) ?? 0) + count)
  return [...new Set([...rows.keys(), ...payouts.keys()])].map((key) => ({
    key,
    rows: rows.get(key) ?? [],
    sent: payouts.get(key) ?? [],
    payouts: (payouts.get(key) ?? []).filter(({ uuid }) => !acknowledged.has(uuid)),
    reviews: reviews.get(key) ?? 0,
  }))
}

const waitsForPerson = ({ status, attention }: SeenWithdrawal): boolean =>
  status !== 'succeeded' && status !== 'failed' && attention !== null

function checkGroup({ key, rows, sent: all, payouts, reviews }: Group, open: ReadonlySet<string>): string[] {
  const faults: string[] = []
  const owned = payouts.filter(({ uuid }) => !open.has(uuid))
  const sent = owned.filter(({ status }) => status === 'succeeded').length
  const count = (status: string): number => rows.filter((row) => row.status === status).length
  const waiting = rows.filter(waitsForPerson).length
  if (all.length > reviews)
    faults.push(`once: ${key} was confirmed ${reviews} times and left the gateway ${all.length} times`)
  if (owned.length > rows.length) faults.push(`once: ${key} has ${owned.length} payouts and ${rows.length} withdrawals`)
  const released = count('failed')
  if (released > rows.length - sent)
    faults.push(`hold: ${key} was returned ${released} of ${rows.length} times, but ${sent} were sent`)
  if (count('succeeded') > sent)
    faults.push(`hold: ${key} is shown as sent ${count('succeeded')} times, but ${sent} were sent`)
  const ended = count('succeeded') + released + waiting
  if (ended !== rows.length)
    faults.push(`ends: ${key} is ${rows.map(({ status }) => status).join(', ')} forever, and no person is asked`)
  return faults
}

/** The entries of each withdrawal match its status. */
function checkFunds(seen: Observations): string[] {
  const sums = new Map<string, { available: bigint; held: bigint }>()
  for (const { withdrawal_id, account, amount } of seen.entries) {
    if (withdrawal_id === undefined) continue
    const sum = sums.get(withdrawal_id) ?? { available: 0n, held: 0n }
    sum[account] += unitsOf(amount)
    sums.set(withdrawal_id, sum)
  }
  return seen.withdrawals.flatMap((row) => {
    const { available, held } = sums.get(row.id) ?? { available: 0n, held: 0n }
    const units = unitsOf(row.amount)
    const wanted = row.status === 'failed' ? [0n, 0n] : row.status === 'succeeded' ? [-units, 0n] : [-units, units]
    if (available === wanted[0] && held === wanted[1]) return []
    return [`books: withdrawal ${row.id} is ${row.status} and moved ${amountText(available)} and ${amountText(held)}`]
  })
}

/** A payout belongs to at most one withdrawal. */
function checkLinks(seen: Observations): string[] {
  const linked = groups(
    seen.withdrawals.filter(({ transaction_uuid }) => transaction_uuid !== null),
    ({ transaction_uuid }) => transaction_uuid ?? '',
  )
  return [...linked]
    .filter(([, rows]) => rows.length > 1)
    .map(([uuid]) => `once: payout ${uuid} belongs to two withdrawals`)
}

function checkDeclined({ world }: Scene, seen: Observations): string[] {
  return seen.withdrawals.flatMap(({ id, status }) => {
    const declined = world.merchant.answers.get(id) === 'decline'
    // A restored database may have lost the answer: the withdrawal may have been sent since the backup.
    const isDoubted = world.plan.settings.maintenance === 'restored' && status === 'unknown'
    return declined && status !== 'failed' && !isDoubted
      ? [`hold: ${id} was declined by the merchant, but is ${status}`]
      : []
  })
}

/** Each payout that we know of has an owner, or an open line that names it. */
function checkOwners({ world, users }: Scene, seen: Observations): string[] {
  const known = new Set(users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  const shown = new Map(seen.payouts.map((payout) => [payout.transaction_uuid, payout]))
  const paid = new Map(seen.withdrawals.map((row) => [row.id, row.transaction_uuid]))
  const told = new Set(seen.quarantine.filter(({ settled_at }) => settled_at === null).map(({ uuid }) => uuid))
  return world.gateway.movements.flatMap(({ kind, user, merchant, uuid }) => {
    if (kind !== 'payout' || !known.has(user) || merchant !== OUR_MERCHANT) return []
    const payout = shown.get(uuid)
    if (payout === undefined) return [`owner: the payout ${uuid} of ${user} was never noticed`]
    if (payout.owner === null)
      return told.has(uuid) ? [] : [`owner: the payout ${uuid} of ${user} is open, and no open line names it`]
    const { withdrawal_id } = payout
    if (withdrawal_id === null || paid.get(withdrawal_id) === uuid) return []
    return [`owner: the payout ${uuid} belongs to ${withdrawal_id}, which has ${paid.get(withdrawal_id) ?? 'none'}`]
  })
}

export function checkWithdrawals(scene: Scene, seen: Observations): string[] {
  const { books } = scene.world
  // An open line names each of them: see `checkOwners`.
  const open = new Set(seen.payouts.flatMap((one) => (one.owner === null ? one.transaction_uuid : [])))
  return [
    ...groupsOf(scene, seen).flatMap((group) => checkGroup(group, open)),
    ...checkLinks(seen),
    ...checkOwners(scene, seen),
    ...(books === 'embedded' ? checkFunds(seen) : []),
    ...(books === 'merchant' ? checkDeclined(scene, seen) : []),
  ]
}
