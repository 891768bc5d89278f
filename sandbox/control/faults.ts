import { z } from 'zod'
import { FAULT_KINDS, canHave } from '../faults/fault-kinds.ts'
import type { FaultTarget } from '../faults/fault-kinds.ts'
import { OPERATION_FAULTS, isOperationFault } from '../faults/operation-faults.ts'
import { WEBHOOK_FAULTS, isWebhookFault } from '../faults/webhook-faults.ts'
import { HttpError } from '../http/http-error.ts'
import { OPERATION_NAMES } from '../operations/operation-names.ts'
import { insertFault, listFaults, removeFault, removeFaults } from '../state/faults.ts'
import { noInput, route } from './route.ts'

/** Fields by which a fault can be limited. */
const MATCHED = ['user_reference', 'event', 'status', 'transaction_uuid'] as const

/** The fields that calls or events of a target have. */
function matchedFields(target: FaultTarget): readonly string[] {
  if (target === 'webhooks') return MATCHED
  return target === 'currencies' ? [] : ['user_reference']
}

function settingsSchema(target: FaultTarget, kind: string): z.ZodType | null {
  if (!canHave(target, kind)) return null
  if (target === 'webhooks') return isWebhookFault(kind) ? WEBHOOK_FAULTS[kind] : null
  return isOperationFault(kind) ? OPERATION_FAULTS[kind].settings : null
}

/** Refuses a fault that would never happen, because a test with it would pass without testing anything. */
export const faultSchema = z
  .strictObject({
    target: z.enum([...OPERATION_NAMES, '*', 'webhooks']),
    kind: z.string(),
    times: z.union([z.int().min(1), z.literal('always')]).default(1),
    match: z.partialRecord(z.enum(MATCHED), z.string()).default({}),
    settings: z.record(z.string(), z.unknown()).default({}),
  })
  .transform((input, context) => {
    const { target, kind, match } = input
    const schema = settingsSchema(target, kind)
    if (!schema) {
      const message = `must be one that ${target} can have: ${FAULT_KINDS[target].join(', ')}`
      context.addIssue({ code: 'custom', path: ['kind'], message })
    }
    const fields = matchedFields(target)
    const unknown = Object.keys(match).filter((name) => !fields.includes(name))
    if (unknown.length > 0) {
      const message = `${target} has no ${unknown.join(', ')}; it can have: ${fields.join(', ') || 'nothing'}`
      context.addIssue({ code: 'custom', path: ['match'], message })
    }
    return schema ? { ...input, settingsSchema: schema } : z.NEVER
  })

export const faultRoutes = [
  route(
    'GET',
    '/faults',
    'Faults that were set, with how often they will still happen, and the kinds of each target.',
    noInput,
    (_input, _params, context) => ({
      faults: listFaults(context.database),
      kinds: FAULT_KINDS,
    }),
  ),
  route(
    'POST',
    '/faults',
    "Sets a fault: {target: operation | '*' | 'webhooks', kind, times?: n | 'always', match?: {user_reference? event? status?}, settings?}.",
    faultSchema,
    (input, _params, context) => ({
      fault: insertFault(context.database, {
        target: input.target,
        kind: input.kind,
        match: input.match,
        settings: z.record(z.string(), z.unknown()).parse(input.settingsSchema.parse(input.settings)),
        remaining: input.times === 'always' ? null : input.times,
      }),
    }),
  ),
  route('DELETE', '/faults', 'Removes all faults.', noInput, (_input, _params, context) => ({
    removed: removeFaults(context.database),
  })),
  route('DELETE', '/faults/:id', 'Removes one fault.', noInput, (_input, { id = '' }, context) => {
    if (!removeFault(context.database, Number(id))) throw new HttpError(404, `no fault ${id}`)
    return { removed: 1 }
  }),
]
