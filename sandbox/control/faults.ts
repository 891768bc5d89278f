import { z } from 'zod'
import { OPERATION_FAULTS, isOperationFault } from '../faults/operation-faults.ts'
import { WEBHOOK_FAULTS, isWebhookFault } from '../faults/webhook-faults.ts'
import { HttpError } from '../http/http-error.ts'
import { OPERATION_NAMES } from '../operations/operation-names.ts'
import { insertFault, listFaults, removeFault, removeFaults } from '../state/faults.ts'
import { noInput, route } from './route.ts'

/** What a fault can be limited to; for calls only the user. */
const MATCHED = ['user_reference', 'event', 'status', 'transaction_uuid'] as const

export const faultSchema = z.strictObject({
  target: z.enum([...OPERATION_NAMES, '*', 'webhooks']),
  kind: z.string(),
  times: z.union([z.int().min(1), z.literal('always')]).default(1),
  match: z.partialRecord(z.enum(MATCHED), z.string()).default({}),
  settings: z.record(z.string(), z.unknown()).default({}),
})

/** The settings with their defaults. */
function checkedSettings(
  target: string,
  kind: string,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const schema =
    target === 'webhooks'
      ? isWebhookFault(kind) && WEBHOOK_FAULTS[kind]
      : isOperationFault(kind) && OPERATION_FAULTS[kind].settings
  if (!schema) throw new HttpError(422, `no fault ${kind} for ${target}; GET /control/faults lists the kinds`)
  return z.record(z.string(), z.unknown()).parse(schema.parse(settings))
}

export const faultRoutes = [
  route(
    'GET',
    '/faults',
    'Faults that were set, with how often they will still happen, and all kinds of faults.',
    noInput,
    (_, __, context) => ({
      faults: listFaults(context.database),
      kinds: { operations: Object.keys(OPERATION_FAULTS), webhooks: Object.keys(WEBHOOK_FAULTS) },
    }),
  ),
  route(
    'POST',
    '/faults',
    "Sets a fault: {target: operation | '*' | 'webhooks', kind, times?: n | 'always', match?: {user_reference? event? status?}, settings?}.",
    faultSchema,
    (input, _, context) => ({
      fault: insertFault(context.database, {
        target: input.target,
        kind: input.kind,
        match: input.match,
        settings: checkedSettings(input.target, input.kind, input.settings),
        remaining: input.times === 'always' ? null : input.times,
      }),
    }),
  ),
  route('DELETE', '/faults', 'Removes all faults.', noInput, (_, __, context) => ({
    removed: removeFaults(context.database),
  })),
  route('DELETE', '/faults/:id', 'Removes one fault.', noInput, (_, { id = '' }, context) => {
    if (!removeFault(context.database, Number(id))) throw new HttpError(404, `no fault ${id}`)
    return { removed: 1 }
  }),
]
