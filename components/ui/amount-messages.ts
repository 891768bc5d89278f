import type { AmountFault } from '#lib/contract/money.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

/** Error messages of a typed amount. */
export const AMOUNT_FAULT_MESSAGES: Readonly<Record<AmountFault, MessageKey>> = {
  not_a_decimal: 'amount.notANumber',
  not_positive: 'amount.notPositive',
  too_many_digits: 'amount.tooLong',
  too_many_fractional_digits: 'amount.tooLong',
}
