/** Each call of the merchant API, for docs/openapi.json. The routes parse with the same schemas. */
import { ACCOUNT_CALLS } from './account-calls.ts'
import type { DescribedCall } from './described-call.ts'
import { OPERATOR_CALLS } from './operator-calls.ts'
import { TRANSFER_CALLS } from './transfer-calls.ts'

export const MERCHANT_CALLS: readonly DescribedCall[] = [...ACCOUNT_CALLS, ...TRANSFER_CALLS, ...OPERATOR_CALLS]
