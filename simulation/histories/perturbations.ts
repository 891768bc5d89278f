/** One change of one message of a scene: each perturbation, of each field, of each message. */
import {
  CHANGES,
  MINUTES,
  PURCHASE_EVENT,
  RECORD,
  REPLY,
  TRANSFER_EVENT,
  type Field,
  type MessageKind,
} from './field-changes.ts'
import { UNNAMED, type HistoryScene, type Late, type Message, type Role } from './story.ts'
import { isObject, STATUS_WORDS, valueAt, withValue, type Json, type JsonObject } from './wire.ts'

export interface Perturbed {
  /** What was changed, such as `list 00a1 succeeded: amount rounded through a double`. */
  readonly name: string
  readonly scene: HistoryScene
}

const replaced = (scene: HistoryScene, message: Message, ...others: readonly Message[]): HistoryScene => ({
  ...scene,
  messages: scene.messages.flatMap((one) => (one === message ? others : [one])),
})

interface Body {
  readonly body: JsonObject
  readonly kind: MessageKind
  readonly fields: readonly Field[]
}

function bodyOf({ what }: Message): Body | null {
  switch (what.kind) {
    case 'webhook':
      return what.body['event'] === 'User Onramp'
        ? { body: what.body, kind: 'purchase event', fields: PURCHASE_EVENT }
        : { body: what.body, kind: 'transfer event', fields: TRANSFER_EVENT }
    case 'listed':
      return { body: what.record, kind: 'record', fields: RECORD }
    case 'reply':
      return what.reply.kind === 'answered' && isObject(what.reply.body)
        ? { body: what.reply.body, kind: 'reply', fields: REPLY }
        : null
    case 'request':
      return null
  }
}

function withBody(message: Message, body: JsonObject): Message {
  const { what } = message
  switch (what.kind) {
    case 'webhook':
      return { ...message, what: { ...what, body } }
    case 'listed':
      return { ...message, what: { ...what, record: body } }
    case 'reply':
      return what.reply.kind === 'answered'
        ? { ...message, what: { ...what, reply: { ...what.reply, body } } }
        : message
    case 'request':
      return message
  }
}

/** A uuid stands at two places of a webhook. */
function changedBody(body: JsonObject, { role, path }: Field, value: Json | undefined): JsonObject {
  const changed = withValue(body, path, value)
  const both = role === 'uuid' && isObject(body['transaction'] ?? null)
  return (both ? withValue(changed, ['transaction', 'id'], value) : changed) as JsonObject
}

function* changedFields(scene: HistoryScene, message: Message): Generator<Perturbed> {
  const read = bodyOf(message)
  if (read === null) return
  for (const field of read.fields) {
    const before = valueAt(read.body, field.path)
    if (before === undefined || scene.telling.includes(field.role)) continue
    for (const { name, roles, to, harmless } of CHANGES) {
      if (!roles.includes(field.role)) continue
      const value = to(before)
      if (value === before) continue
      const changed = withBody(message, changedBody(read.body, field, value))
      const what = `${message.name}: ${field.role} ${name}`
      const calm = scene.calm && harmless?.(read.kind, field.role) === true
      const truth = toldOtherwise({ ...scene, calm }, message, field.role, before, value)
      if (message.what.kind !== 'listed') {
        yield { name: what, scene: replaced(truth, message, changed) }
        continue
      }
      // The list tells the amount again, as it is.
      const once = field.role === 'amount' ? { ...scene, calm } : truth
      yield { name: what, scene: replaced(once, message, { ...changed, later: message.what.record }) }
      // Nobody could know of a failure that no message tells.
      if (before !== STATUS_WORDS.failed) yield { name: `${what}, for good`, scene: replaced(truth, message, changed) }
    }
  }
}

/** The digits of a changed amount; null if it can no longer be read. */
const amountIn = (value: Json | undefined): string | null =>
  typeof value === 'string' && /^#?[\d.]+$/.test(value) ? value.replace('#', '') : null

/**
 * The truth when a message says this. A transaction with another uuid is still the same; an amount that one message
 * alone tells is what that message says.
 */
function toldOtherwise(
  scene: HistoryScene,
  message: Message,
  role: Role,
  before: Json,
  value: Json | undefined,
): HistoryScene {
  if (role === 'amount') {
    const amount = amountIn(value)
    const changed = scene.arrivals.map((one) =>
      one.toldBy === message.name && amount !== null ? { ...one, amount } : one,
    )
    return { ...scene, arrivals: changed }
  }
  if (role !== 'uuid' || typeof before !== 'string') return scene
  const uuid = typeof value === 'string' && value !== '' ? value : UNNAMED
  const both = <T extends { readonly uuids: readonly string[] }>(one: T): T =>
    one.uuids.includes(before) ? { ...one, uuids: [...one.uuids, uuid] } : one
  return { ...scene, arrivals: scene.arrivals.map(both), departures: scene.departures.map(both) }
}

const LATE: readonly Late[] = ['first-scan', 'second-scan', 'overdue']

/** The message and, of a record, all that the list says later of it. */
function lateFrom(scene: HistoryScene, message: Message, late: Late): HistoryScene {
  const from = scene.messages.indexOf(message)
  const isLate = (one: Message, index: number): boolean =>
    one === message || (message.entry !== undefined && one.entry === message.entry && index > from)
  return { ...scene, messages: scene.messages.map((one, index) => (isLate(one, index) ? { ...one, late } : one)) }
}

const purchaseIn = ({ what }: Message): JsonObject | null =>
  what.kind === 'webhook' && what.body['event'] === 'User Onramp' ? what.body : null

/** Whether it alone tells the end of a purchase that others tell of: the list has no purchases. */
function endsPurchase({ messages }: HistoryScene, message: Message): boolean {
  const purchase = purchaseIn(message)
  const status = valueAt(purchase, ['transaction', 'status'])
  if (status !== 'succeeded' && status !== 'failed') return false
  const uuidOf = (one: Message): Json | undefined => valueAt(purchaseIn(one), ['transaction_uuid'])
  return messages.some((one) => one !== message && uuidOf(one) === uuidOf(message))
}

function* changedDelivery(before: HistoryScene, message: Message): Generator<Perturbed> {
  const { what, name } = message
  if (what.kind === 'request') return
  const scene: HistoryScene = { ...before, calm: false }
  if (what.kind === 'reply') {
    for (const minutes of [-20, 20])
      yield {
        name: `${name}: the gateway's clock is ${String(minutes)} minutes off`,
        scene: replaced(scene, message, { ...message, what: { ...what, clockOffsetMs: minutes * MINUTES } }),
      }
    return
  }
  for (const late of LATE)
    yield {
      name: `${name}: late, ${late}`,
      scene: lateFrom(late === 'first-scan' ? before : scene, message, late),
    }
  if (what.kind !== 'webhook') return
  const calm = before.calm && !endsPurchase(before, message)
  yield { name: `${name}: lost`, scene: replaced({ ...before, calm }, message) }
  const again: Message = { ...message, name: `${name} again`, after: [name] }
  yield { name: `${name}: repeated`, scene: replaced(before, message, message, again) }
}

/** Perturbations of one scene after which the messages do not tell what is true. */
export interface Undecidable {
  readonly scenes: readonly string[]
  readonly changes: readonly string[]
  readonly reason: string
}

const all = (message: string, changes: readonly string[]): readonly string[] =>
  changes.map((change) => `${message}: ${change}`)

/** What no rule can decide. The search leaves out these changes of these scenes, and no others. */
export const UNDECIDABLE: readonly Undecidable[] = [
  {
    scenes: ["another user's record"],
    changes: [
      ...all('list 00d1 succeeded', ['uuid another', 'uuid another, for good']),
      'event 00d1 succeeded: uuid another',
    ],
    reason:
      "A list with another user's record may lack records of its own, so a credited record that is missing proves nothing; the line foreign_record is open.",
  },
  {
    scenes: ['two purchases with one hash, and the deposit of one'],
    changes: ['event 00c2 succeeded: lost'],
    reason: 'No message tells of this purchase.',
  },
]

const undecidableIn = (scene: string): ReadonlySet<string> =>
  new Set(UNDECIDABLE.filter(({ scenes }) => scenes.includes(scene)).flatMap(({ changes }) => changes))

/** The scene as it is, and with each change of each message. */
export function* everyPerturbationOf(scene: HistoryScene): Generator<Perturbed> {
  yield { name: 'unchanged', scene }
  for (const message of scene.messages) {
    yield* changedFields(scene, message)
    yield* changedDelivery(scene, message)
  }
}

/** The scene as it is, and with each change of each message that can be decided. */
export function* perturbationsOf(scene: HistoryScene): Generator<Perturbed> {
  const left = undecidableIn(scene.name)
  for (const perturbed of everyPerturbationOf(scene)) if (!left.has(perturbed.name)) yield perturbed
}
