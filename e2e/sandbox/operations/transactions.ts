import { z } from 'zod'
import type { Context } from '../context.ts'
import type { ListTwist } from '../faults/effects.ts'
import { TRANSACTION_TYPES } from '../state/transactions.ts'
import { cursorOf, placeOf } from './cursor.ts'
import { count, oneOf, text, userReference } from './fields.ts'
import type { Invocation } from './operation.ts'
import { pageOfTransactions } from './page-of-transactions.ts'
import { recordOf } from './present-transaction.ts'
import { answered, fieldErrors, invalid } from './reply.ts'
import type { Reply } from './reply.ts'
import { TIME_RANGES, spanOf } from './time-range.ts'

const cursor = text.transform((given, context) => {
  const place = placeOf(given)
  if (place) return place
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

const userListSchema = z.object({ user_reference_id: userReference, ...listFields })
const merchantListSchema = z.object({ user_reference_id: userReference.optional(), ...listFields })

type ListRequest = z.infer<typeof merchantListSchema>

function list(request: ListRequest, merchantId: string, twist: ListTwist, context: Context): Reply {
  const modes = context.modes.read()
  const fits = (asked: number | undefined): boolean => asked === undefined || asked <= modes.page_limit
  if (request.first !== undefined && request.last !== undefined)
    return invalid({ last: ['cannot be used together with first'] })
  if (modes.page_over_limit === 'refuse' && !(fits(request.first) && fits(request.last))) {
    return invalid({
      [request.first === undefined ? 'last' : 'first']: [`must be at most ${String(modes.page_limit)}`],
    })
  }
  const now = context.now()
  const asked = request.time_range ? spanOf(request.time_range, now) : null
  const lagged = twist.lagMs > 0 ? { from: asked?.from ?? 0, to: Math.min(asked?.to ?? now, now - twist.lagMs) } : asked
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
      count: Math.min(request.first ?? request.last ?? modes.page_size, twist.clampTo ?? modes.page_limit),
      from: request.last === undefined ? 'newest' : 'oldest',
    },
  )
  const edges = page.rows.map((row) => ({
    cursor: cursorOf({ insertedAt: row.inserted_at, seq: row.seq }),
    inserted_at: new Date(row.inserted_at).toISOString(),
    node: recordOf(row, context.origin),
  }))
  const start = edges[0]?.cursor ?? ''
  return answered({
    edges,
    page_info: {
      start_cursor: start,
      end_cursor: twist.repeatCursor ? (request.after ? cursorOf(request.after) : start) : (edges.at(-1)?.cursor ?? ''),
      has_next_page: page.hasNext || (twist.repeatCursor && edges.length > 0),
      has_previous_page: page.hasPrevious,
    },
    total_count: Math.max(0, page.total + twist.countOff),
  })
}

/** POST /v1/user/transactions. */
export function listUserTransactions({ body, merchant, list: twist }: Invocation, context: Context): Reply {
  const request = userListSchema.safeParse(body)
  return request.success ? list(request.data, merchant.id, twist, context) : invalid(fieldErrors(request.error))
}

/** POST /v1/merchant/transactions. Shapes not shown: the sandbox takes the user list's fields, the user left out or not. */
export function listMerchantTransactions({ body, merchant, list: twist }: Invocation, context: Context): Reply {
  const request = merchantListSchema.safeParse(body)
  return request.success ? list(request.data, merchant.id, twist, context) : invalid(fieldErrors(request.error))
}
