import { amountFault } from '#lib/contract/money.ts'
import { ValidationError } from './errors.ts'
import type { WithdrawRequest } from './types.ts'

/**
 * The gateway strips whitespace before it checks a signature, and definitions of "whitespace" differ beyond ASCII. So
 * we send nothing that could be stripped: spaces inside strings and everything outside ASCII are written as `\uXXXX`.
 */
const ESCAPED = /[\u0020\u007f-\uffff]/g

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A JSON body of visible ASCII only, equal to `value` when parsed. Members that are `undefined` are left out. */
export const encodeBody = (value: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(value).replace(ESCAPED, escapeUnit)

const WALLET_ADDRESS = /^[\x21-\x7e]{1,256}$/

/**
 * Checks a withdrawal before it is sent: a payable amount, and an address of 1 to 256 visible ASCII characters.
 * @throws ValidationError without a status: nothing was sent
 */
export function checkWithdrawRequest({ currency_id, amount, wallet_address, user_reference_id }: WithdrawRequest) {
  const fault = amountFault(amount)
  const fields = {
    ...(fault === null ? {} : { amount: [fault] }),
    ...(WALLET_ADDRESS.test(wallet_address) ? {} : { wallet_address: ['must be 1 to 256 visible ASCII characters'] }),
  }
  if (Object.keys(fields).length > 0) throw new ValidationError('not sent', fields, { operation: 'withdraw' })
  return { currency_id, amount, wallet_address, user_reference_id }
}
