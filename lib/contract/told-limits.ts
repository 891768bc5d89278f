/** Limits and fee of a withdrawal that the page tells before a press. */
import type { Decimal } from './money.ts'

/** Amounts in the currency itself, above zero. */
export interface ToldLimits {
  readonly min?: Decimal
  readonly max?: Decimal
  readonly fee?: Decimal
}

/** How settings name a currency: by its id, or by code and network; in any case. */
export const settingNames = (currency: {
  readonly id: string
  readonly currency_code: string
  readonly network: string
}): readonly [string, string] => [
  currency.id.toLowerCase(),
  `${currency.currency_code}@${currency.network}`.toLowerCase(),
]
