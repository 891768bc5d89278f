import type { z } from 'zod'

/** The reply of an operation. `committed` says whether it changed anything. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly committed: boolean
  readonly transactionUuid: string | null
}

export const okReply = (body: unknown, made: { committed?: boolean; transactionUuid?: string } = {}): Reply => ({
  status: 200,
  body,
  committed: made.committed ?? false,
  transactionUuid: made.transactionUuid ?? null,
})

/** Spec, Error_Response. It has a transaction only if a transaction exists. */
export function errorReply(
  status: number,
  message: string,
  requestId: string,
  transaction: { uuid: string; status: string } | null = null,
): Reply {
  const named = transaction ? { status: transaction.status, transaction_uuid: transaction.uuid } : {}
  return {
    status,
    body: { error: true, message, request_id: requestId, ...named },
    committed: transaction !== null,
    transactionUuid: transaction?.uuid ?? null,
  }
}

export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** Spec, Validation_Error_Response. */
export const validationErrorReply = (errors: FieldErrors): Reply => ({
  status: 422,
  body: { error: 'validation failed', errors },
  committed: false,
  transactionUuid: null,
})

/** Messages by top-level field of the body. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const found: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body')
    found[field] = [...(found[field] ?? []), issue.message]
  }
  return found
}
