import type { Expectation } from '#lib/contract/cashier.ts'
import {
  compare,
  decimal as asDecimal,
  isDecimal,
  subtract,
  canonical,
  isPositive,
  type Decimal,
} from '#lib/contract/money.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'

type Limits = Expectation['withdrawal']

const known = (amount: string | undefined): Decimal | null =>
  amount !== undefined && isDecimal(amount) ? asDecimal(amount) : null

/** The limit that an amount breaks; null for none. */
export function brokenLimit({ min, max }: Limits, amount: Decimal): 'limits.below' | 'limits.above' | null {
  const [least, most] = [known(min), known(max)]
  if (least !== null && compare(amount, least) < 0) return 'limits.below'
  return most !== null && compare(amount, most) > 0 ? 'limits.above' : null
}

/** The text that tells the limits before an amount is typed; null without limits. */
export const limitsText = ({ min, max }: Limits): LaterKey | null => {
  if (min !== undefined) return max === undefined ? 'limits.min' : 'limits.between'
  return max === undefined ? null : 'limits.max'
}

/** What is left of an amount after the fee; null without a fee, `'nothing'` if it takes all. */
export function afterFee({ fee }: Limits, amount: string): Decimal | 'nothing' | null {
  const [taken, whole] = [known(fee), known(amount)]
  if (taken === null || whole === null) return null
  const left = canonical(subtract(whole, taken))
  return isPositive(left) ? left : 'nothing'
}
