/** Reads what a refusal of the gateway says about the least and the most amount (its 422). */
import { canonical, decimal, isPositive, type Decimal } from '#lib/contract/money.ts'
import type { ValidationError } from './errors.ts'
import { isGatewayError, type GatewayError } from './errors.ts'

export interface AmountLimits {
  readonly min?: Decimal
  readonly max?: Decimal
}

/** Only words that include the amount itself: "greater than 10" would refuse 10. */
const LEAST =
  /\bmin(?:imum)?\b|\bat least\b|\bgreater than or equal\b|\b(?:(?:can)?not (?:be )?|no )(?:(?:less|lower|smaller) than|below)\b/i
const MOST =
  /\bmax(?:imum)?\b|\bat most\b|\bless than or equal\b|\b(?:(?:can)?not (?:be )?|no )(?:(?:more|greater|higher) than|above|exceed)\b/i
/** What may stand between such words and the number. Other words may say that it is another number. */
const BETWEEN =
  /^(?:[\s:]|\b(?:an?|allowed|amount|be|currency|for|is|limit|of|payout|permitted|the|this|to|value|withdrawal)\b)*$/i
/** Text with a single number, at its end, and its unit. */
const SENTENCE = /^(\D*)(\d[\d.,]*)(?:\s+([A-Z][A-Z\d]{0,15}))?[.!]?$/i
/** A number without separators of groups, which could be read in two ways. */
const PLAIN = /^(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/

function positive(written: string): Decimal | null {
  const number = written.replace(/[.,]$/, '')
  if (!PLAIN.test(number)) return null
  const value = canonical(decimal(number))
  return isPositive(value) ? value : null
}

function limitIn(message: string, currencyCode: string): AmountLimits {
  const [, words = '', number = '', unit = currencyCode] = SENTENCE.exec(message.trim()) ?? []
  const value = positive(number)
  const [isLeast, isMost] = [LEAST.test(words), MOST.test(words)]
  if (value === null || isLeast === isMost || unit.toLowerCase() !== currencyCode.toLowerCase()) return {}
  const between = words.split(isLeast ? LEAST : MOST).at(-1) ?? ''
  if (!BETWEEN.test(between)) return {}
  return isLeast ? { min: value } : { max: value }
}

const isValidation = (error: GatewayError): error is ValidationError => error.kind === 'validation' && 'fields' in error

/**
 * The limits, in this currency, in the messages about the amount; empty for any other error, and for texts that can be
 * misread.
 */
export function amountLimits(error: unknown, currencyCode: string): AmountLimits {
  const messages = isGatewayError(error) && isValidation(error) ? (error.fields['amount'] ?? []) : []
  return messages.reduce<AmountLimits>((found, message) => ({ ...found, ...limitIn(message, currencyCode) }), {})
}
