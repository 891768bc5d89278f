/** Reads what a refusal of the gateway says about the least and the most amount (its 422). */
import { canonical, decimal, isPositive, type Decimal } from '#lib/contract/money.ts'
import type { ValidationError } from './errors.ts'
import { isGatewayError, type GatewayError } from './errors.ts'

export interface AmountLimits {
  readonly min?: Decimal
  readonly max?: Decimal
}

const NOT = /\b(?:(?:can)?not (?:be )?|no )/.source
/** Only words that include the amount itself: "greater than 10" would refuse 10. */
const LEAST = new RegExp(
  String.raw`\bmin(?:imum)?\b|\bat least\b|\bgreater than or equal\b|${NOT}(?:(?:less|lower|smaller) than|below)\b`,
  'i',
)
const MOST = new RegExp(
  String.raw`\bmax(?:imum)?\b|\bat most\b|\bless than or equal\b|${NOT}(?:(?:more|greater|higher) than|above|exceed)\b`,
  'i',
)
const NUMBERS = /[\d.,]+/g
/** A number without separators of groups, which could be read in two ways. */
const PLAIN = /^(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/

/** The only number of a text; null if it has none, several, or one with a group separator. */
function onlyNumber(text: string): Decimal | null {
  const [written, ...more] = (text.match(NUMBERS) ?? []).filter((part) => /\d/.test(part))
  const number = written?.replace(/[.,]$/, '')
  if (number === undefined || more.length > 0 || !PLAIN.test(number)) return null
  const value = canonical(decimal(number))
  return isPositive(value) ? value : null
}

const isValidation = (error: GatewayError): error is ValidationError => error.kind === 'validation' && 'fields' in error

/** The limits in the messages about the amount; empty for any other error, and for texts that can be misread. */
export function amountLimits(error: unknown): AmountLimits {
  const messages = isGatewayError(error) && isValidation(error) ? (error.fields['amount'] ?? []) : []
  const found: { min?: Decimal; max?: Decimal } = {}
  for (const message of messages) {
    const value = onlyNumber(message)
    const [isLeast, isMost] = [LEAST.test(message), MOST.test(message)]
    if (value === null || isLeast === isMost) continue
    if (isLeast) found.min = value
    else found.max = value
  }
  return found
}
