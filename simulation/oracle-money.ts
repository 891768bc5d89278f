/** Each true deposit is credited once, and nothing else is credited. The ledger sums to zero and matches the truth. */
import { amountText, unitsOf } from './amounts.ts'
import type { Movement, Purchase } from './gateway-records.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import type { Observations, SeenEntry } from './observations.ts'
import type { Scene } from './scene.ts'

const REASONS_OF_CREDITS = ['deposit', 'onramp', 'reversal']

function sumBy<T>(items: readonly T[], key: (item: T) => string, units: (item: T) => number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const item of items) sums.set(key(item), (sums.get(key(item)) ?? 0) + units(item))
  return sums
}

const unitsOfEntry = ({ amount }: SeenEntry): number => unitsOf(amount)

/** A hash in one spelling. */
const bare = (hash: string | null): string | null => hash?.replace(/^0x/, '').toLowerCase() ?? null

/** The allowed credits of a transaction. There are several only if the gateway contradicted itself. */
interface Due {
  readonly uuid: string
  readonly owner: string
  readonly allowed: readonly number[]
}

function dueOfDeposit(one: Movement, contradicted: ReadonlySet<string>, isKnown: boolean): Due {
  const settled = isKnown && one.merchant === OUR_MERCHANT && one.status === 'succeeded'
  const unsure = contradicted.has(one.uuid)
  const said = [one.units, one.units + 7, one.units + 5]
  return {
    uuid: one.uuid,
    owner: `${one.user} ${one.currency.id}`,
    allowed: settled ? (unsure ? [0, ...said] : [one.units]) : [0],
  }
}

function dueOfPurchase(one: Purchase, scene: Scene, seen: Observations): Due {
  const { world, life } = scene
  const owner = `${one.user ?? ''} ${one.currency.id}`
  if (one.user === null || life.ended.get(one.uuid) !== 'succeeded') return { uuid: one.uuid, owner, allowed: [0] }
  const twins = world.gateway.movements.filter(
    (deposit) =>
      deposit.kind === 'deposit' &&
      deposit.user === one.user &&
      deposit.currency.id === one.currency.id &&
      bare(deposit.hash) === bare(one.hash),
  )
  if (twins.some(({ uuid }) => life.truth.contradicted.has(uuid)))
    return { uuid: one.uuid, owner, allowed: [0, one.units] }
  if (twins.some(({ status }) => status === 'succeeded')) return { uuid: one.uuid, owner, allowed: [0] }
  // A transaction that a person put aside, or that waits for a person, is not credited.
  const waits = seen.quarantine.some(({ uuid, status }) => uuid === one.uuid && status === 'succeeded')
  return { uuid: one.uuid, owner, allowed: waits ? [0, one.units] : [one.units] }
}

function checkCredits(scene: Scene, seen: Observations): string[] {
  const faults: string[] = []
  const credits = seen.entries.filter(
    ({ account, reason }) => account === 'available' && REASONS_OF_CREDITS.includes(reason),
  )
  const credited = sumBy(
    credits,
    ({ user, currency_id, transaction_uuid }) => `${transaction_uuid ?? ''} ${user} ${currency_id}`,
    unitsOfEntry,
  )
  const { world, life } = scene
  const known = new Set(scene.users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  const dues = [
    ...world.gateway.movements
      .filter(({ kind }) => kind === 'deposit')
      .map((one) => dueOfDeposit(one, life.truth.contradicted, known.has(one.user))),
    ...world.gateway.purchases.map((one) => dueOfPurchase(one, scene, seen)),
  ]
  for (const { uuid, owner, allowed } of dues) {
    const key = `${uuid} ${owner}`
    const got = credited.get(key) ?? 0
    credited.delete(key)
    if (!allowed.includes(got))
      faults.push(
        `credit: ${uuid} of ${owner} was credited ${amountText(got)}, but ${allowed.map(amountText).join(' or ')} is due`,
      )
  }
  for (const [key, got] of credited)
    if (got !== 0) faults.push(`nothing else: ${key} was credited ${amountText(got)}, but no credit is due`)
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
    (one) => owner(one.user, one.currency_id),
    unitsOfEntry,
  )
  return [...new Set([...wanted.keys(), ...booked.keys()])]
    .filter((key) => (wanted.get(key) ?? 0) !== (booked.get(key) ?? 0))
    .map(
      (key) =>
        `nothing else: adjustments of ${key} are ${amountText(booked.get(key) ?? 0)}, not ${amountText(wanted.get(key) ?? 0)}`,
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
      const sum = sums.get(key) ?? 0
      sums.delete(key)
      if (unitsOf(said) !== sum) faults.push(`books: ${key} is ${said}, but its entries sum to ${amountText(sum)}`)
    }
  for (const [key, sum] of sums)
    if (sum !== 0) faults.push(`books: ${key} has no balance, but its entries sum to ${amountText(sum)}`)
  return faults
}

/** Every posting moves an amount from one account to another, so that its two entries sum to zero. */
async function checkPostings({ world }: Scene): Promise<string[]> {
  const rows = await world.database.rows('select posting_key, from_account, to_account, amount from postings')
  return rows
    .filter((row) => row['from_account'] === row['to_account'] || unitsOf(String(row['amount'])) === 0)
    .map((row) => `books: posting ${String(row['posting_key'])} moves nothing`)
}

export async function checkMoney(scene: Scene, seen: Observations): Promise<string[]> {
  const postings = await checkPostings(scene)
  if (scene.world.plan.settings.ledgerMode === 'merchant')
    return seen.entries.length === 0 ? postings : ['books: the merchant keeps the balances, but there are entries']
  return [...checkCredits(scene, seen), ...checkAdjustments(scene, seen), ...checkBalances(seen), ...postings]
}
