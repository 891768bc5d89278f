/**
 * Where the merchant keeps the books, or kept them for a time: the cashier's entries and what the merchant books by the
 * events (docs/guides/backend.md) are together what the gateway took in and paid out.
 */
import { amountText, unitsOf, type Units } from './amounts.ts'
import { CURRENCIES } from './currencies.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import type { MerchantEvent } from './model-merchant.ts'
import type { Observations } from './observations.ts'
import { asShown, isUnsure } from './shown-truth.ts'
import type { Scene } from './scene.ts'

const text = (event: MerchantEvent, name: string): string => String(event.data[name])

/**
 * By the names of the gateway's list. A deposit that does not wait for the list may be told before the list was ever
 * read, by the names of its event; its code is always right.
 */
const currencyOf = ({ world }: Scene, event: MerchantEvent): string => {
  const named = CURRENCIES.filter(({ currency_code }) => currency_code === event.data['currency_code'])
  const listed = named.find(({ network }) => network === event.data['network'])
  return (listed ?? (world.plan.settings.pinned ? named[0] : undefined))?.id ?? ''
}

class Books {
  readonly #sums = new Map<string, Units>()
  add(user: string, currencyId: string, units: Units): void {
    const key = `${user} ${currencyId}`
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + units)
  }
  /** Where the two differ. */
  differences(other: Books): readonly string[] {
    return [...new Set([...this.#sums.keys(), ...other.#sums.keys()])].flatMap((key) => {
      const [here, there] = [this.#sums.get(key) ?? 0n, other.#sums.get(key) ?? 0n]
      return here === there ? [] : [`${key} has ${amountText(here)}, and the gateway ${amountText(there)}`]
    })
  }
}

/** What the gateway took in and paid out, for known users. A purchase counts by its deposit. */
function truth(scene: Scene, seen: Observations): Books {
  const { world, users } = scene
  const known = new Set(users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  // An open line names each of them: see `checkOwners`.
  const open = new Set(seen.payouts.flatMap((one) => (one.owner === null ? one.transaction_uuid : [])))
  const books = new Books()
  for (const one of world.gateway.movements) {
    const counts = one.status === 'succeeded' && one.merchant === OUR_MERCHANT && known.has(one.user)
    if (!counts || open.has(one.uuid) || isUnsure(scene, seen, one.uuid)) continue
    if (one.kind === 'deposit') books.add(one.user, one.currency.id, asShown(scene, one).units)
    else if (one.askedBy !== null) books.add(one.user, one.currency.id, -one.askedUnits)
  }
  return books
}

/** The last event of each deposit that the merchant books: told while it kept the books, or later with more digits. */
function depositsTold({ world }: Scene, feed: readonly MerchantEvent[]): ReadonlyMap<string, MerchantEvent> {
  const { ledgerMode, eventsBefore } = world
  const told = new Map<string, MerchantEvent>()
  for (const [index, event] of feed.entries()) {
    if (event.data['status'] !== 'succeeded') continue
    const isMerchants = eventsBefore === null || index < eventsBefore === (ledgerMode === 'embedded')
    const uuid = text(event, 'transaction_uuid')
    if (event.data['kind'] === 'deposit' && (isMerchants || told.has(uuid))) told.set(uuid, event)
  }
  return told
}

/** The cashier's entries without adjustments and purchases, and the merchant's own. */
function booked(scene: Scene, seen: Observations): Books {
  const { world, operator } = scene
  const books = new Books()
  const purchases = new Set<string | undefined>(world.gateway.purchases.map(({ uuid }) => uuid))
  const entered = new Set<string>()
  const credited = new Map<string, Units>()
  for (const { user, currency_id, amount, reason, transaction_uuid, withdrawal_id } of seen.entries) {
    if (withdrawal_id !== undefined) entered.add(withdrawal_id)
    if ((reason === 'deposit' || reason === 'reversal') && transaction_uuid !== undefined)
      credited.set(transaction_uuid, (credited.get(transaction_uuid) ?? 0n) + unitsOf(amount))
    const isUnclear = transaction_uuid !== undefined && isUnsure(scene, seen, transaction_uuid)
    if (reason === 'adjustment' || purchases.has(transaction_uuid) || isUnclear) continue
    books.add(user, currency_id, unitsOf(amount))
  }
  const told = depositsTold(scene, seen.feed)
  // What the ledger had credited is the ledger's, but for digits that were told since. It credits nothing that was told.
  const wasCredited = world.ledgerMode === 'merchant' ? credited : new Map<string, Units>()
  for (const [uuid, event] of told)
    if (!isUnsure(scene, seen, uuid))
      books.add(
        text(event, 'user_reference_id'),
        currencyOf(scene, event),
        unitsOf(text(event, 'amount')) - (wasCredited.get(uuid) ?? 0n),
      )
  for (const row of seen.withdrawals) {
    const id = CURRENCIES.find(({ currency_code }) => currency_code === row.currency)?.id ?? ''
    if (row.status === 'succeeded' && !entered.has(row.id)) books.add(row.user_reference_id, id, -unitsOf(row.amount))
  }
  for (const { user, currencyId, units } of operator.lost) books.add(user, currencyId, units)
  // A lost payout that was adjusted in the ledger.
  for (const { user, currencyId, units, action } of operator.adjustments)
    if (action === null) books.add(user, currencyId, units)
  return books
}

/** The merchant approved each withdrawal that was paid. */
function checkApproved({ world }: Scene, seen: Observations): string[] {
  return seen.withdrawals.flatMap(({ id, status }) => {
    const { answers, decisions } = world.merchant
    const approved = answers.get(id) === 'approve' || decisions.get(id)?.has('approve') === true
    return status === 'succeeded' && !approved ? [`merchant: ${id} was paid, but the merchant never approved it`] : []
  })
}

export function checkMerchantBooks(scene: Scene, seen: Observations): string[] {
  // What an erased user did before, a merchant cannot tell from the events.
  const { erased } = scene.world
  const isErased = (line: string): boolean => [...erased].flat(2).some((name) => line.startsWith(`${name} `))
  const faults = booked(scene, seen)
    .differences(truth(scene, seen))
    .filter((line) => !isErased(line))
    .map((line) => `merchant: ${line}`)
  return scene.world.books === 'merchant' ? [...faults, ...checkApproved(scene, seen)] : faults
}
