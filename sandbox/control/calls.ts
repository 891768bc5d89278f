import { z } from 'zod'
import { OPERATION_NAMES } from '../operations/operation-names.ts'
import { text } from '../operations/fields.ts'
import { searchCalls } from '../state/calls.ts'
import { limit, noInput, route } from './route.ts'

export const callRoutes = [
  route(
    'GET',
    '/calls',
    'Gateway calls received, oldest first, with body and whether they were committed: ?operation=&user_reference=&after=&limit=.',
    z.strictObject({
      operation: z.enum(OPERATION_NAMES).optional(),
      user_reference: text.optional(),
      after: z.coerce.number().int().default(0),
      limit: limit.default(1000),
    }),
    (input, _params, context) => ({
      calls: searchCalls(context.database, {
        operation: input.operation ?? null,
        userReference: input.user_reference ?? null,
        after: input.after,
        limit: input.limit,
      }),
    }),
  ),
  route('DELETE', '/calls', 'Deletes the log of calls.', noInput, (_input, _params, context) => ({
    removed: context.database.run('DELETE FROM calls').changes,
  })),
]
