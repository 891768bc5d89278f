/** Each true deposit is credited once, and nothing else is credited. The ledger sums to zero and matches the truth. */
import { asDouble, amountText, visible, unitsOf, type Units } from './amounts.ts'
import { checkMerchantBooks } from './oracle-books.ts'
import type { Movement, Purchase } from './gateway-records.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import type { Observations, SeenEntry } from './observations.ts'
import { asShown, isUnsure } from './shown-truth.ts'
import type { Scene } from './scene.ts'

const REASONS_OF_CREDITS = ['deposit', 'onramp', 'reversal']

function sumBy<T>(items: readonly T[], key: (item: T) => string, units: (item: T) => Units): Map<string, Units> {
  const sums = new Map<string, Units>()
  for (const item of items) sums.set(key(item), (sums.get(key(item)) ?? 0n) + units(item))
  return sums
}

const unitsOfEntry = ({ amount }: SeenEntry): Units => unitsOf(amount)

/** A hash in one spelling. */
const bare = (hash: string | null): string | null => hash?.replace(/^0x/, '').toLowerCase() ?? null

/** The allowed credits of a transaction. There are several only if the gateway contradicted itself. */
interface Due {
  readonly uuid: string
  readonly owner: string
  readonly allowed: readonly Units[]
}

/** Lines of a success that books nothing until a person applies it. */
const APPLICABLE = ['stale', 'implausible', 'unknown_currency', 'unknown_user']

function dueOfDeposit(one: Movement, isUnsure: boolean, isKnown: boolean): Due {
  const settled = isKnown && one.merchant === OUR_MERCHANT && one.status === 'succeeded'
  const least = visible(one.currency.decimals)
  // The list that has the exact amount is not read any more once its user is erased.
  const rounded = unitsOf(asDouble(amountText(one.units)))
  const said = [one.units, one.units + 7n * least, one.units + 5n * least, rounded]
  return {
    uuid: one.uuid,
    owner: `${one.user} ${one.currency.id}`,
    allowed: settled ? (isUnsure ? [0n, ...said] : [one.units]) : [0n],
  }
}

/** A restored backup, or an erasure, has neither this purchase's session nor its success. */
const lostToUs = ({ world }: Scene, { uuid, madeMs, user }: Purchase): boolean =>
  world.isLost(madeMs) ||
  world.erased.has(user ?? '') ||
  world.webhooks.answered.some((one) => one.uuid === uuid && world.isLost(one.atMs))

function dueOfPurchase(one: Purchase, scene: Scene, seen: Observations): Due {
  const { world, life } = scene
  const owner = `${one.user ?? ''} ${one.currency.id}`
  if (one.user === null || life.ended.get(one.uuid) !== 'succeeded') return { uuid: one.uuid, owner, allowed: [0n] }
  const twins = world.gateway.movements.filter(
    (deposit) =>
      deposit.kind === 'deposit' &&
      deposit.user === one.user &&
      deposit.currency.id === one.currency.id &&
      bare(deposit.hash) === bare(one.hash),
  )
  if (twins.some(({ uuid }) => isUnsure(scene, seen, uuid))) return { uuid: one.uuid, owner, allowed: [0n, one.units] }
  if (twins.some(({ status }) => status === 'succeeded')) return { uuid: one.uuid, owner, allowed: [0n] }
  const lines = seen.quarantine.filter(({ uuid, status }) => uuid === one.uuid && status === 'succeeded')
  // No list shows a purchase, so the cashier cannot learn it again.
  if (lostToUs(scene, one)) return { uuid: one.uuid, owner, allowed: [0n, one.units] }
  // A person applies it or not.
  if (lines.some(({ reason }) => APPLICABLE.includes(reason)))
    return { uuid: one.uuid, owner, allowed: [0n, one.units] }
  return { uuid: one.uuid, owner, allowed: [one.units] }
}

function checkCredits(scene: Scene, seen: Observations): string[] {
  const faults: string[] = []
  const credits = seen.entries.filter(
    ({ account, reason }) => account === 'available' && REASONS_OF_CREDITS.includes(reason),
  )
  const credited = sumBy(
    credits,
    ({ owner, currency_id, transaction_uuid }) => `${transaction_uuid ?? ''} ${owner} ${currency_id}`,
    unitsOfEntry,
  )
  const { world } = scene
  const known = new Set(scene.users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  const isContradicted = (transaction: string): boolean =>
    seen.quarantine.some(
      ({ reason, event }) => reason === 'contradiction' && JSON.stringify(event).includes(transaction),
    )
  const dues = [
    ...world.gateway.movements
      .filter(({ kind }) => kind === 'deposit')
      .map((one) =>
        dueOfDeposit(
          asShown(scene, one),
          isUnsure(scene, seen, one.uuid) ||
            // Another user's list may have told its success before the erasure: a line asks a person then.
            (world.erased.has(one.user) && (!known.has(one.user) || isContradicted(one.uuid))),
          known.has(one.user) || world.erased.has(one.user),
        ),
      ),
    ...world.gateway.purchases.map((one) => dueOfPurchase(one, scene, seen)),
  ]
  for (const { uuid, owner, allowed } of dues) {
    const key = `${uuid} ${owner}`
    const got = credited.get(key) ?? 0n
    credited.delete(key)
    if (!allowed.includes(got))
      faults.push(
        `credit: ${uuid} of ${owner} was credited ${amountText(got)}, but ${allowed.map(amountText).join(' or ')} is due`,
      )
  }
  for (const [key, got] of credited)
    if (got !== 0n) faults.push(`nothing else: ${key} was credited ${amountText(got)}, but no credit is due`)
  return faults
}

function checkAdjustments({ operator }: Scene, seen: Observations): string[] {
  const owner = (user: string, currencyId: string): string => `${user} ${currencyId}`
  const wanted = sumBy(
    operator.adjustments,
    (one) => owner(one.user, one.currencyId),
    ({ units }) => units,
  )
  const booked = sumBy(
    seen.entries.filter(({ reason, account }) => reason === 'adjustment' && account === 'available'),
    (one) => owner(one.owner, one.currency_id),
    unitsOfEntry,
  )
  return [...new Set([...wanted.keys(), ...booked.keys()])]
    .filter((key) => (wanted.get(key) ?? 0n) !== (booked.get(key) ?? 0n))
    .map(
      (key) =>
        `nothing else: adjustments of ${key} are ${amountText(booked.get(key) ?? 0n)}, not ${amountText(wanted.get(key) ?? 0n)}`,
    )
}

/** Each shown balance is the sum of the shown entries. */
function checkBalances(seen: Observations): string[] {
  const faults: string[] = []
  const sums = sumBy(seen.entries, (one) => `${one.user} ${one.currency_id} ${one.account}`, unitsOfEntry)
  for (const { user, currencyId, available, held } of seen.balances)
    for (const [account, said] of [
      ['available', available],
      ['held', held],
    ] as const) {
      const key = `${user} ${currencyId} ${account}`
      const sum = sums.get(key) ?? 0n
      sums.delete(key)
      if (unitsOf(said) !== sum) faults.push(`books: ${key} is ${said}, but its entries sum to ${amountText(sum)}`)
    }
  for (const [key, sum] of sums)
    if (sum !== 0n) faults.push(`books: ${key} has no balance, but its entries sum to ${amountText(sum)}`)
  return faults
}

/** Every posting moves an amount from one account to another, so that its two entries sum to zero. */
async function checkPostings({ world }: Scene): Promise<string[]> {
  const rows = await world.database.rows('select posting_key, from_account, to_account, amount from postings')
  return rows
    .filter((row) => row['from_account'] === row['to_account'] || unitsOf(String(row['amount'])) === 0n)
    .map((row) => `books: posting ${String(row['posting_key'])} moves nothing`)
}

export async function checkMoney(scene: Scene, seen: Observations): Promise<string[]> {
  const postings = await checkPostings(scene)
  const { books } = scene.world
  if (books === 'merchant' && seen.entries.length > 0)
    return ['books: the merchant keeps the balances, but there are entries']
  if (books !== 'embedded') {
    // While the merchant keeps the books, no balance is shown.
    const shown = scene.world.ledgerMode === 'embedded' ? checkBalances(seen) : []
    return [...checkMerchantBooks(scene, seen), ...shown, ...postings]
  }
  return [...checkCredits(scene, seen), ...checkAdjustments(scene, seen), ...checkBalances(seen), ...postings]
}
