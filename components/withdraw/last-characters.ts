/** The step that no press alone can pass: above an amount, the last characters of the address are asked for. */
import { compare, decimal } from '#lib/contract/money.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'

export const LAST_CHARACTERS = 4
/** The entry for all currencies that have none of their own. */
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

/** Without regard to case: keyboards of phones begin with a capital. */
export const isEndOf = ({ wallet_address }: Pick<WithdrawalBody, 'wallet_address'>, typed: string): boolean =>
  typed.trim().toLowerCase() === wallet_address.slice(-LAST_CHARACTERS).toLowerCase()
