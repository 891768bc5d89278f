import { z } from 'zod'
import { UsageError } from './command.ts'
import type { AskSandbox } from './control-client.ts'
import { FIELD_USES, SUBJECTS, triggerOf } from './trigger-table.ts'
import type { SubjectKind, TriggerField, TriggerInput, TriggerName } from './trigger-table.ts'

const DEFAULTS = { user: 'sandbox-user', currency: 'USDT@Tron', amount: '10' } as const

interface ControlStep {
  /** Below the subject's route. */
  readonly step: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The control calls of an event. */
export interface TriggerPlan {
  readonly kind: SubjectKind
  /** The body that makes a new subject; null if one exists. */
  readonly make: Readonly<Record<string, unknown>> | null
  readonly step: ControlStep | null
}

function bodyOf(input: TriggerInput, nameOf: (field: TriggerField) => string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input) as [TriggerField, string | undefined][]) {
    const name = nameOf(field)
    if (name === undefined || value === undefined) continue
    if (field !== 'currency') {
      body[name] = value
      continue
    }
    const [code, network] = value.split('@')
    Object.assign(body, { currency: code }, network === undefined ? {} : { network })
  }
  return body
}

/**
 * The control calls of an event.
 * @throws UsageError for a field that the event cannot use: it would change nothing
 */
export function planTrigger(event: TriggerName, input: TriggerInput): TriggerPlan {
  const { kind, make = {}, step, existing } = triggerOf(event)
  const isNew = input.id === undefined
  const next = isNew ? step : existing === undefined ? step : existing
  if (!isNew && next === null) throw new UsageError(`${event} makes a new one, so it cannot have an id`)
  const makes = (field: TriggerField): string | undefined => {
    const use = FIELD_USES[field].make
    return isNew && use?.kinds.includes(kind) ? use.as : undefined
  }
  const steps = (field: TriggerField): string | undefined =>
    next !== null && FIELD_USES[field].step?.includes(next) && makes(field) === undefined ? field : undefined
  const given = (Object.keys(input) as TriggerField[]).filter((field) => input[field] !== undefined)
  const unused = given.find((field) => field !== 'id' && makes(field) === undefined && steps(field) === undefined)
  if (unused !== undefined) throw new UsageError(`${event}${isNew ? '' : ' with an id'} cannot have ${unused}`)
  return {
    kind,
    make: isNew ? { ...make, ...bodyOf({ ...DEFAULTS, ...input }, makes) } : null,
    step: next === null ? null : { step: next, body: bodyOf(input, steps) },
  }
}

export interface Triggered {
  readonly kind: SubjectKind
  readonly uuid: string
  /** Whether the event made it. */
  readonly made: boolean
  readonly status: string
  /** Such as `10 USDT on Tron for ada`. */
  readonly what: string
}

const nested = z.object({ code: z.string(), network: z.string() })
const subjectSchema = z.looseObject({
  status: z.string(),
  amount: z.string().nullable(),
  currency: z.union([z.string(), nested]),
  network: z.string().optional(),
  fiat_currency: z.string().nullish(),
  user_reference: z.string().nullish(),
  user_ref_id: z.string().optional(),
})

function wordsOf({ amount, currency, network, fiat_currency, ...subject }: z.infer<typeof subjectSchema>): string {
  const { code, network: on } = typeof currency === 'string' ? { code: currency, network: network ?? '' } : currency
  const sum = fiat_currency ? `${amount ?? ''} ${fiat_currency} for ${code}` : `${amount ?? ''} ${code}`
  return `${sum} on ${on}, user ${subject.user_ref_id ?? subject.user_reference ?? 'unknown'}`
}

/** Makes the event happen. @throws UsageError, ControlRefusal or SandboxAwayError */
export async function runTrigger(ask: AskSandbox, event: TriggerName, input: TriggerInput): Promise<Triggered> {
  const { kind, make, step } = planTrigger(event, input)
  const { path, field, id } = SUBJECTS[kind]
  const read = (answer: unknown) => subjectSchema.parse(z.looseObject({ [field]: z.unknown() }).parse(answer)[field])
  let subject = make === null ? null : read(await ask('POST', path, make))
  const uuid = subject === null ? (input.id ?? '') : z.string().parse(subject[id])
  if (step !== null) subject = read(await ask('POST', `${path}/${encodeURIComponent(uuid)}/${step.step}`, step.body))
  if (subject === null) throw new RangeError(`${event} has no step`)
  return { kind, uuid, made: make !== null, status: subject.status, what: wordsOf(subject) }
}
