import type { z } from 'zod'
import { planTrigger } from '../commands/run-trigger.ts'
import { triggerOf } from '../commands/trigger-table.ts'
import type { SubjectKind } from '../commands/trigger-table.ts'
import { faultSchema } from '../control/faults.ts'
import type { OperationName } from '../operations/operation-names.ts'
import { STEP_FIELDS, sceneSchema } from './scene.ts'
import type { Scene, SceneStep, StepOf } from './scene.ts'

/** A scene that cannot be played; each fault names its step and field. */
export class SceneError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Operations whose call makes a transaction. */
const MAKES: Readonly<Partial<Record<OperationName, SubjectKind>>> = { withdraw: 'payout', payments: 'onramp' }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[String(key)] : undefined), value)

/** Such as `step 3 (wait)`. */
const placeOf = (at: number, step: unknown): string =>
  `step ${String(at + 1)}${isRecord(step) && typeof step['do'] === 'string' ? ` (${step['do']})` : ''}`

function wordsOf(issue: z.core.$ZodIssue, given: unknown, step: unknown): string {
  const field = issue.path.slice(typeof issue.path[1] === 'number' ? 2 : 0).join('.')
  const named = (words: string): string => (field === '' ? words : `${field} ${words}`)
  if (issue.code === 'unrecognized_keys') {
    const known = field === '' && isRecord(step) ? STEP_FIELDS.get(String(step['do'])) : undefined
    const possible = known === undefined ? '' : `; it can have ${known.join(', ')}`
    return named(`has unknown fields: ${issue.keys.join(', ')}${possible}`).trim()
  }
  if (issue.code === 'invalid_union' && field.split('.').at(-1) === 'do')
    return `do must be one of ${[...STEP_FIELDS.keys()].join(', ')}`
  const value = valueAt(given, issue.path)
  if (value === undefined) return named('is missing')
  if (issue.code === 'invalid_value') return named(`must be one of ${issue.values.map(String).join(', ')}`)
  if (issue.code === 'invalid_type') return named(`must be ${issue.expected}, not ${JSON.stringify(value)}`)
  return named(issue.message)
}

const messagesOf = (read: z.ZodSafeParseResult<unknown>): readonly string[] =>
  read.success ? [] : read.error.issues.map(({ path, message }) => [...path, message].join(' '))

function triggerFaults(step: StepOf<'trigger'>, names: ReadonlyMap<string, SubjectKind>): readonly string[] {
  const { do: _do, note: _note, event, of, as: _as, ...input } = step
  const { kind } = triggerOf(event)
  const known = of === undefined ? kind : names.get(of)
  if (known !== undefined && known !== kind) return [`of must name a ${kind}, and ${of ?? ''} is a ${known}`]
  try {
    planTrigger(event, { ...input, ...(of === undefined ? {} : { id: of }) })
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function faultFaults({ target, kind, times, match = {}, settings }: StepOf<'set_fault'>): readonly string[] {
  const read = faultSchema.safeParse({ target, kind, times, match, settings })
  if (!read.success) return messagesOf(read)
  return messagesOf(read.data.settingsSchema.safeParse(read.data.settings)).map((message) => `settings.${message}`)
}

/** What a step means together with the steps before it. `names` gets the name that it gives. */
function faultsOf(step: SceneStep, names: Map<string, SubjectKind>, hasSubject: boolean): readonly string[] {
  const of = 'of' in step ? step.of : undefined
  const unknown = of !== undefined && !names.has(of) ? [`of names no earlier step: ${of}`] : []
  switch (step.do) {
    case 'trigger': {
      const faults = triggerFaults(step, names)
      if (step.as !== undefined) names.set(step.as, triggerOf(step.event).kind)
      return [...unknown, ...faults]
    }
    case 'set_fault':
      return faultFaults(step)
    case 'expect_webhook':
      return of === undefined && !hasSubject ? ['no step before it has a transaction'] : unknown
    case 'expect_call': {
      const made = MAKES[step.operation]
      if (step.as === undefined) return []
      if (made === undefined) return [`as cannot be given: ${step.operation} makes no transaction`]
      names.set(step.as, made)
      return []
    }
    default:
      return unknown
  }
}

/** @throws SceneError with every fault of the text */
export function readScene(text: string): Scene {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw new SceneError([`it is not JSON: ${error instanceof Error ? error.message : String(error)}`])
  }
  const read = sceneSchema.safeParse(given)
  if (!read.success) {
    throw new SceneError(
      read.error.issues.map((issue) => {
        const [first, at] = issue.path
        const step = first === 'steps' && typeof at === 'number' ? valueAt(given, ['steps', at]) : undefined
        const place = typeof at === 'number' ? placeOf(at, step) : 'the scene'
        return `${place}: ${wordsOf(issue, given, step)}`
      }),
    )
  }
  const names = new Map<string, SubjectKind>()
  let hasSubject = false
  const faults = read.data.steps.flatMap((step, at) => {
    const found = faultsOf(step, names, hasSubject).map((fault) => `${placeOf(at, step)}: ${fault}`)
    hasSubject ||= step.do === 'trigger' || (step.do === 'expect_call' && MAKES[step.operation] !== undefined)
    return found
  })
  if (faults.length > 0) throw new SceneError(faults)
  return read.data
}
