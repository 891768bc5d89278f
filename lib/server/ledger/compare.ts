/**
 * The one comparison of what two messages say about users, currencies, hashes, addresses and amounts. A value that one
 * message lacks is `unknown`: it neither agrees nor differs.
 */
import { comparableAddress, comparableHash } from '#lib/addresses/index.ts'
import { compare as compareDecimals, equalAsDoubles, equals, sum, type Decimal } from '#lib/contract/money.ts'

export type Comparison = 'agree' | 'unknown' | 'differ'

const compare = <T>(a: T | null, b: T | null, isSame: (a: T, b: T) => boolean): Comparison => {
  if (a === null || b === null) return 'unknown'
  return isSame(a, b) ? 'agree' : 'differ'
}

/** By exact spelling: users, and other text in which case counts. */
export const compareTexts = (a: string | null, b: string | null): Comparison => compare(a, b, (x, y) => x === y)

/** Addresses of one network. */
export const compareAddresses = (network: string, a: string | null, b: string | null): Comparison =>
  compare(a, b, (x, y) => comparableAddress(network, x) === comparableAddress(network, y))

/** Hashes of one network. */
export const compareHashes = (network: string, a: string | null, b: string | null): Comparison =>
  compare(a, b, (x, y) => comparableHash(network, x) === comparableHash(network, y))

/** An amount in a message. */
export interface StatedAmount {
  readonly amount: Decimal | null
  /** It came as a JSON number, and may have lost digits on its way. */
  readonly inexact?: true | undefined
}

/** By value. If one came as a JSON number, the two agree when they are the same binary floating point number. */
export const compareAmounts = (a: StatedAmount, b: StatedAmount): Comparison =>
  compare(
    a.amount,
    b.amount,
    (x, y) => equals(x, y) || ((a.inexact === true || b.inexact === true) && equalAsDoubles(x, y)),
  )

/** The names of a currency in a row or a message. */
export interface NamedCurrency {
  readonly currency_id: string | null
  readonly currency_code: string
  readonly network: string
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * A currency is the same by its id, or by its code and network: a gateway may give it a new id. An id that now has
 * another code and another network means another currency.
 */
export function compareCurrencies(a: NamedCurrency, b: NamedCurrency): Comparison {
  const codes = isSameName(a.currency_code, b.currency_code)
  const networks = isSameName(a.network, b.network)
  const ids = a.currency_id !== null && a.currency_id === b.currency_id
  return (ids && (codes || networks)) || (codes && networks) ? 'agree' : 'differ'
}

/** Whether nothing differs. */
export const agrees = (...comparisons: readonly Comparison[]): boolean => !comparisons.includes('differ')

/** Whether everything is known and agrees. */
export const surelyAgrees = (...comparisons: readonly Comparison[]): boolean =>
  comparisons.every((comparison) => comparison === 'agree')

export const times = (count: number, amount: Decimal): Decimal => sum(Array.from({ length: count }, () => amount))

/** Whether what was paid is over a quarter more than what was asked for: more than a fee. */
export function comparePaid(paid: Decimal | null, asked: Decimal): Comparison {
  if (paid === null) return 'unknown'
  return compareDecimals(times(4, paid), times(5, asked)) > 0 ? 'differ' : 'agree'
}

/** The same of a payout, from which the gateway takes a fee: less than half of what was asked for is no fee either. */
export const comparePaidOut = (paid: Decimal | null, asked: Decimal): Comparison =>
  paid !== null && compareDecimals(times(2, paid), asked) < 0 ? 'differ' : comparePaid(paid, asked)
