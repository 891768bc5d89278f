/** A step that needs more than a press: above an amount, the user types the last characters of the address. */
import { compare, decimal } from '#lib/contract/money.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'

export const LAST_CHARACTERS = 4
/** The entry for all currencies without their own entry. */
const ALL = '*'

/** @param above amounts by currency code, in upper case */
export function asksForLastCharacters(
  above: Readonly<Record<string, string>>,
  currencyCode: string,
  amount: string,
): boolean {
  const code = currencyCode.toUpperCase()
  const limit = Object.hasOwn(above, code) ? above[code] : above[ALL]
  return limit !== undefined && compare(decimal(amount), decimal(limit)) > 0
}

/** Ignores case, because phone keyboards start with a capital letter. */
export const isEndOf = ({ wallet_address }: Pick<WithdrawalBody, 'wallet_address'>, typed: string): boolean =>
  typed.trim().toLowerCase() === wallet_address.slice(-LAST_CHARACTERS).toLowerCase()
