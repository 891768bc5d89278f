import { z } from 'zod'
import type { Context } from '../context.ts'
import type { ListEffects } from '../faults/effects.ts'
import { OTHER_WORDS, TRANSACTION_TYPES } from '../state/transactions.ts'
import { encodeCursor, decodeCursor } from './cursor.ts'
import { count, oneOf, text, userReference } from './fields.ts'
import type { Invocation } from './operation.ts'
import { pageOfTransactions } from './page-of-transactions.ts'
import { presentTransaction } from './present-transaction.ts'
import { okReply, fieldErrors, validationErrorReply } from './reply.ts'
import type { Reply } from './reply.ts'
import { TIME_RANGES, timeSpanOf } from './time-range.ts'

const cursor = text.transform((given, context) => {
  const position = decodeCursor(given)
  if (position) return position
  context.addIssue({ code: 'custom', message: 'is not a cursor of this list' })
  return z.NEVER
})

const listFields = {
  first: count.optional(),
  after: cursor.optional(),
  last: count.optional(),
  before: cursor.optional(),
  time_range: oneOf(TIME_RANGES).optional(),
  transaction_types: z.array(oneOf(TRANSACTION_TYPES), 'must be an array').optional(),
}

export const userListRequest = z.object({ user_reference_id: userReference, ...listFields })
export const merchantListRequest = z.object({ user_reference_id: userReference.optional(), ...listFields })

type ListRequest = z.infer<typeof merchantListRequest>

function list(request: ListRequest, merchantId: string, effects: ListEffects, context: Context): Reply {
  const modes = context.modes.read()
  const fits = (asked: number | undefined): boolean => asked === undefined || asked <= modes.page_limit
  if (request.first !== undefined && request.last !== undefined)
    return validationErrorReply({ last: ['cannot be used together with first'] })
  if (modes.page_over_limit === 'refuse' && !(fits(request.first) && fits(request.last))) {
    return validationErrorReply({
      [request.first === undefined ? 'last' : 'first']: [`must be at most ${String(modes.page_limit)}`],
    })
  }
  const now = context.now()
  const asked = request.time_range ? timeSpanOf(request.time_range, now) : null
  const lagged =
    effects.lagMs > 0 ? { from: asked?.from ?? 0, to: Math.min(asked?.to ?? now, now - effects.lagMs) } : asked
  const page = pageOfTransactions(
    context.database,
    {
      merchantId,
      userReference: request.user_reference_id ?? null,
      types: request.transaction_types ?? [],
      span: lagged,
    },
    {
      after: request.after ?? null,
      before: request.before ?? null,
      count: Math.min(request.first ?? request.last ?? modes.page_size, effects.clampTo ?? modes.page_limit),
      from: request.last === undefined ? 'newest' : 'oldest',
    },
  )
  const edges = page.rows.map((row) => ({
    cursor: encodeCursor({ insertedAt: row.inserted_at, seq: row.seq }),
    inserted_at: new Date(row.inserted_at).toISOString(),
    node: {
      ...presentTransaction(row, context.origin),
      ...(modes.status_words === 'others' && { status: OTHER_WORDS[row.status] ?? row.status }),
    },
  }))
  const start = edges[0]?.cursor ?? ''
  return okReply({
    edges,
    page_info: {
      start_cursor: start,
      end_cursor: effects.repeatCursor
        ? request.after
          ? encodeCursor(request.after)
          : start
        : (edges.at(-1)?.cursor ?? ''),
      has_next_page: page.hasNext || (effects.repeatCursor && edges.length > 0),
      has_previous_page: page.hasPrevious,
    },
    total_count: Math.max(0, page.total + effects.countOffset),
  })
}

/** POST /v1/user/transactions. */
export function listUserTransactions({ body, merchant, list: effects }: Invocation, context: Context): Reply {
  const request = userListRequest.safeParse(body)
  return request.success
    ? list(request.data, merchant.id, effects, context)
    : validationErrorReply(fieldErrors(request.error))
}

/**
 * POST /v1/merchant/transactions. The spec does not show its shapes: the sandbox takes the fields of the user list; the
 * user is optional.
 */
export function listMerchantTransactions({ body, merchant, list: effects }: Invocation, context: Context): Reply {
  const request = merchantListRequest.safeParse(body)
  return request.success
    ? list(request.data, merchant.id, effects, context)
    : validationErrorReply(fieldErrors(request.error))
}
