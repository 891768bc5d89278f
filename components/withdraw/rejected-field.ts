import type { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'

/** What the form shows at a field after a request; `insufficient` is at the amount too. */
export type RejectedField = 'amount' | 'insufficient' | 'address'

/** The field of a request that was not recorded; null where no field says why. */
export function rejectedFieldOf({ code, details }: RequestFailure): RejectedField | null {
  if (code === 'insufficient_balance') return 'insufficient'
  if (code !== 'invalid_request') return null
  return details.errors?.['wallet_address'] ? 'address' : details.errors?.['amount'] ? 'amount' : null
}

const REFUSED_FIELDS: ReadonlyMap<string | null, RejectedField> = new Map([
  ['refused_amount', 'amount'],
  ['refused_wallet_address', 'address'],
])

/** The field that the gateway refused, such as an amount below its minimum, of a withdrawal that was recorded and not sent. */
export const refusedFieldOf = ({ status, failure_reason }: Withdrawal): RejectedField | null =>
  status === 'failed' ? (REFUSED_FIELDS.get(failure_reason) ?? null) : null
