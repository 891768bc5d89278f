import type { Context } from '../context.ts'
import type { PayoutTwist, ListTwist } from '../faults/effects.ts'
import type { Merchant } from '../state/merchants.ts'
import type { OperationName } from './operation-names.ts'
import type { Reply } from './reply.ts'

/** An authenticated call. `body` is the parsed JSON object (empty for GET), nulls dropped. */
export interface Invocation {
  readonly merchant: Merchant
  readonly body: Readonly<Record<string, unknown>>
  readonly requestId: string
  readonly list: ListTwist
  readonly payout: PayoutTwist
}

/** One operation of the spec. `run` works inside a commit. */
export interface Operation {
  readonly name: OperationName
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly run: (invocation: Invocation, context: Context) => Reply
}
