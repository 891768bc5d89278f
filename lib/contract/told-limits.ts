/** Limits and fee of a withdrawal that the page tells before a press. */
import type { Decimal } from './money.ts'

/** Amounts in the currency itself, above zero. */
export interface ToldLimits {
  readonly min?: Decimal
  readonly max?: Decimal
  readonly fee?: Decimal
}
