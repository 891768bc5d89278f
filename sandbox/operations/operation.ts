import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { PayoutEffects, ListEffects } from '../faults/effects.ts'
import type { Merchant } from '../state/merchants.ts'
import type { OperationName } from './operation-names.ts'
import type { Reply } from './reply.ts'

/** An authenticated call. `body` is the parsed JSON object without nulls (empty for GET). */
export interface Invocation {
  readonly merchant: Merchant
  readonly body: Readonly<Record<string, unknown>>
  readonly requestId: string
  readonly list: ListEffects
  readonly payout: PayoutEffects
}

/** One operation of the spec. `run` is called inside a database transaction. */
export interface Operation {
  readonly name: OperationName
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The body; null for GET. */
  readonly request: z.ZodType | null
  readonly run: (invocation: Invocation, context: Context) => Reply
}
