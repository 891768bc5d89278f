import type { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'

/** The field at which the form shows a refusal; `insufficient` is shown at the amount. */
export type RejectedField = 'amount' | 'insufficient' | 'address'

/** The refused field of a request that was not recorded; null if no field is the reason. */
export function rejectedFieldOf({ code, details }: RequestFailure): RejectedField | null {
  if (code === 'insufficient_balance') return 'insufficient'
  if (code !== 'invalid_request') return null
  return details.errors?.['wallet_address'] ? 'address' : details.errors?.['amount'] ? 'amount' : null
}

const REFUSED_FIELDS: ReadonlyMap<string | null, RejectedField> = new Map([
  ['refused_amount', 'amount'],
  ['refused_wallet_address', 'address'],
])

/**
 * The field that the gateway refused of a recorded withdrawal that was not sent, such as an amount below its minimum.
 */
export const refusedFieldOf = ({ status, failure_reason }: Withdrawal): RejectedField | null =>
  status === 'failed' ? (REFUSED_FIELDS.get(failure_reason) ?? null) : null
