import { compare, isNegative, negate, subtract, sum, type Decimal } from '#lib/contract/money.ts'

interface Transfer {
  readonly transaction_uuid: string
  readonly correlation_key: string | null
  /** Of a purchase its session; of a deposit the session of ours that its key names. */
  readonly onramp_session_id: string | null
  readonly amount: Decimal
}

/** More purchases in one transaction than this are not told apart: the deposits stand for all of them. */
const MOST_PURCHASES = 12

/** Whether the gateway itself says that they are one: it may list an on-ramp as the deposit that it became. */
export const isNamedAlike = (
  a: Pick<Transfer, 'transaction_uuid' | 'correlation_key'>,
  b: Pick<Transfer, 'transaction_uuid' | 'correlation_key'>,
): boolean =>
  a.transaction_uuid === b.transaction_uuid || (a.correlation_key !== null && a.correlation_key === b.correlation_key)

function* subsets<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let bits = 0; bits < 2 ** items.length; bits += 1) yield items.filter((_item, at) => ((bits >> at) & 1) === 1)
}

const distance = (a: Decimal, b: Decimal): Decimal => {
  const difference = subtract(a, b)
  return isNegative(difference) ? negate(difference) : difference
}

/**
 * The purchases whose coins these deposits brought; all have one hash, user and currency. A deposit whose key names a
 * session of ours brought the purchase of that session alone. As many others as purchases brought all of them. Fewer
 * deposits may each have brought several, or some are not known yet: then the amounts decide, and each deposit stands
 * for one purchase at least. If two choices are equally near, the user is credited less.
 * @returns the sessions of these purchases; several purchases of a session count as one
 */
export function coveredPurchases(
  purchases: readonly Transfer[],
  deposits: readonly Transfer[],
): ReadonlySet<string | null> {
  const byKey = new Set(deposits.flatMap(({ onramp_session_id }) => onramp_session_id ?? []))
  const others = deposits.filter(({ onramp_session_id }) => onramp_session_id === null)
  const inOrder = [...purchases].sort((a, b) => compare(a.amount, b.amount))
  const sessions = [...new Map(inOrder.map((purchase) => [purchase.onramp_session_id, purchase])).values()]
  const isNamed = ({ onramp_session_id: id }: Transfer): boolean => id !== null && byKey.has(id)
  const covered = [
    ...sessions.filter(isNamed),
    ...brought(
      sessions.filter((one) => !isNamed(one)),
      others,
    ),
  ]
  return new Set(covered.map(({ onramp_session_id }) => onramp_session_id))
}

/** The purchases, one of each session and the smallest first, that these deposits without a session's key brought. */
function brought(all: readonly Transfer[], deposits: readonly Transfer[]): readonly Transfer[] {
  if (deposits.length === 0) return []
  let best = all
  if (deposits.length < all.length && all.length <= MOST_PURCHASES) {
    const named = all.filter((purchase) => deposits.some((deposit) => isNamedAlike(purchase, deposit)))
    const arrived = sum(deposits.map(({ amount }) => amount))
    const totalOf = (some: readonly Transfer[]): Decimal => sum(some.map(({ amount }) => amount))
    const isBetter = (some: readonly Transfer[]): boolean => {
      const [now, before] = [totalOf(some), totalOf(best)]
      return (compare(distance(now, arrived), distance(before, arrived)) || compare(before, now)) < 0
    }
    for (const some of subsets(all))
      if (some.length >= deposits.length && named.every((one) => some.includes(one)) && isBetter(some)) best = some
  }
  return best
}
