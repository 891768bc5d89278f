/**
 * Each withdrawal leaves the gateway at most once. A hold is released only if nothing was sent, and every hold ends.
 */
import { amountText, unitsOf } from './amounts.ts'
import type { Movement } from './gateway-records.ts'
import { callKey, CURRENCIES } from './model-gateway.ts'
import type { SeenWithdrawal } from './ask.ts'
import type { Observations } from './observations.ts'
import type { Scene } from './scene.ts'

const currencyIdOf = (one: SeenWithdrawal): string =>
  CURRENCIES.find(({ currency_code, network }) => currency_code === one.currency && network === one.network)?.id ?? ''

const keyOf = (one: SeenWithdrawal): string =>
  callKey({
    user: one.user_reference_id,
    currencyId: currencyIdOf(one),
    units: unitsOf(one.amount),
    address: one.wallet_address,
  })

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
  readonly payouts: readonly Movement[]
  readonly reviews: number
}

export function groupsOf({ world, users }: Scene, withdrawals: readonly SeenWithdrawal[]): readonly Group[] {
  const rows = groups(withdrawals, keyOf)
  const payouts = groups(
    world.gateway.movements.filter(({ askedBy }) => askedBy !== null),
    ({ askedBy }) => askedBy ?? '',
  )
  const reviews = new Map(users.flatMap((user) => [...user.reviews]))
  return [...new Set([...rows.keys(), ...payouts.keys()])].map((key) => ({
    key,
    rows: rows.get(key) ?? [],
    payouts: payouts.get(key) ?? [],
    reviews: reviews.get(key) ?? 0,
  }))
}

const waitsForPerson = ({ status, attention }: SeenWithdrawal): boolean =>
  status !== 'succeeded' && status !== 'failed' && attention !== null

function checkGroup({ key, rows, payouts, reviews }: Group): string[] {
  const faults: string[] = []
  const sent = payouts.filter(({ status }) => status === 'succeeded').length
  const count = (status: string): number => rows.filter((row) => row.status === status).length
  const waiting = rows.filter(waitsForPerson).length
  if (payouts.length > Math.max(reviews, 0))
    faults.push(`once: ${key} was confirmed ${reviews} times and left the gateway ${payouts.length} times`)
  if (payouts.length > rows.length)
    faults.push(`once: ${key} has ${payouts.length} payouts and ${rows.length} withdrawals`)
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
  const sums = new Map<string, { available: number; held: number }>()
  for (const { withdrawal_id, account, amount } of seen.entries) {
    if (withdrawal_id === undefined) continue
    const sum = sums.get(withdrawal_id) ?? { available: 0, held: 0 }
    sum[account] += unitsOf(amount)
    sums.set(withdrawal_id, sum)
  }
  return seen.withdrawals.flatMap((row) => {
    const { available, held } = sums.get(row.id) ?? { available: 0, held: 0 }
    const units = unitsOf(row.amount)
    const wanted = row.status === 'failed' ? [0, 0] : row.status === 'succeeded' ? [-units, 0] : [-units, units]
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
    return declined && status !== 'failed' ? [`hold: ${id} was declined by the merchant, but is ${status}`] : []
  })
}

export function checkWithdrawals(scene: Scene, seen: Observations): string[] {
  const embedded = scene.world.plan.settings.ledgerMode === 'embedded'
  return [
    ...groupsOf(scene, seen.withdrawals).flatMap(checkGroup),
    ...checkLinks(seen),
    ...(embedded ? checkFunds(seen) : checkDeclined(scene, seen)),
  ]
}
