import { z } from 'zod'
import { TRIGGER_NAMES, triggerFields } from '../commands/trigger-table.ts'
import { faultSchema } from '../control/faults.ts'
import { text, userReference } from '../operations/fields.ts'
import { OPERATION_NAMES } from '../operations/operation-names.ts'
import { modeChangesSchema } from '../state/modes.ts'

const LONGEST_WAIT_MS = 3_600_000
const milliseconds = z.int().min(0).max(LONGEST_WAIT_MS)

const note = text.optional().describe('printed before the step, such as what a person has to do')
const as = text.optional().describe('a name for its transaction, for `of` in later steps')
const within_ms = milliseconds.default(10_000).describe('how long to wait')
const times = z.int().min(1).default(1).describe('how many are expected')
const { id: _id, ...eventFields } = triggerFields

/** `in` gives the fields as they are written, without the check that needs several of them. */
const { target, kind, times: faultTimes, match, settings } = faultSchema.in.shape

const webhook = {
  event: z.enum(['User Deposit', 'User Payout', 'User Onramp']).optional(),
  status: text.optional(),
  amount: text.optional().describe('every digit of the amount that it carries'),
  answer: z
    .union([z.int().min(100).max(599), z.enum(['2xx', 'any', 'none'])])
    .default('2xx')
    .describe('the status that your site answers; none: it does not answer'),
}

/** Each kind of step, by the value of `do`. */
const STEPS = [
  z.strictObject({ do: z.literal('wait'), note, ms: milliseconds }).describe('Waits.'),
  z
    .strictObject({
      do: z.literal('trigger'),
      note,
      event: z.enum(TRIGGER_NAMES),
      of: text.optional().describe('moves the transaction of an earlier step; without it a new one is made'),
      as,
      ...eventFields,
    })
    .describe('Makes an event happen, like the command trigger.'),
  z
    .strictObject({
      do: z.literal('set_fault'),
      note,
      target,
      kind,
      times: faultTimes,
      match: match.optional(),
      settings,
    })
    .describe("Sets a fault. Without match it meets the scene's user only."),
  z.strictObject({ do: z.literal('clear_faults'), note }).describe('Removes the faults of the steps before.'),
  z.strictObject({ do: z.literal('set_modes'), note, modes: modeChangesSchema }).describe('Changes modes.'),
  z
    .strictObject({ do: z.literal('advance_clock'), note, ms: z.int() })
    .describe("Moves the gateway's clock; negative goes back."),
  z
    .strictObject({ do: z.literal('restart'), note, down_ms: z.int().min(0).max(600_000).default(1000) })
    .describe('The gateway refuses connections, and comes back.'),
  z
    .strictObject({
      do: z.literal('expect_webhook'),
      note,
      of: text.optional().describe('the transaction; without it that of the step before'),
      ...webhook,
      times,
      within_ms,
    })
    .describe('Waits until your site has answered a webhook.'),
  z
    .strictObject({
      do: z.literal('expect_call'),
      note,
      operation: z.enum(OPERATION_NAMES),
      committed: z.boolean().optional().describe('whether the gateway carried it out'),
      as,
      times,
      within_ms: milliseconds.default(60_000).describe('how long to wait'),
    })
    .describe("Waits until your site has called the gateway, for the scene's user."),
] as const

export const sceneSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: text,
    about: text,
    user: userReference.default('scene-user').describe('--user names another one'),
    steps: z.array(z.discriminatedUnion('do', STEPS)).min(1, 'must have a step'),
  })
  .describe('A scene for `sandbox play`.')

export const STEP_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  STEPS.map((step) => [step.shape.do.value, Object.keys(step.shape)]),
)

export type Scene = z.infer<typeof sceneSchema>
export type SceneStep = Scene['steps'][number]
export type StepOf<Name extends SceneStep['do']> = Extract<SceneStep, { do: Name }>

/** The content of scene.schema.json, which editors use. */
export const sceneJsonSchema = () => z.toJSONSchema(sceneSchema, { io: 'input', unrepresentable: 'any' })
