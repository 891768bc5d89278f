import type { Rate } from '#lib/contract/cashier.ts'
import { compare, decimal, isPositive, type Decimal } from '#lib/contract/money.ts'
import { divide } from '#lib/contract/worth.ts'
import type { Sample } from './samples.ts'

/** Amounts with more digits are not worth a division. */
const LONGEST = 60

/** US dollars for one; null if the amounts give none. */
export const rateFrom = (amount: Decimal | null, usd: Decimal | null): Decimal | null =>
  amount !== null && usd !== null && [amount, usd].every((one) => one.length <= LONGEST && isPositive(one))
    ? divide(usd, amount)
    : null

/** The median: one wrong value of the gateway does not move it. Of two in the middle, the lower. */
export function medianRate(samples: readonly Sample[]): Rate | null {
  const sorted = samples.toSorted((a, b) => compare(decimal(a.value), decimal(b.value)))
  const middle = sorted[Math.ceil(sorted.length / 2) - 1]
  return middle === undefined ? null : { usd: middle.value, at: new Date(middle.at_ms).toISOString() }
}
