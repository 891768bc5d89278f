/** One change of one message of a scene: each perturbation, of each field, of each message. */
import { asDouble } from '../amounts.ts'
import { UNNAMED, type Late, type Message, type Role, type HistoryScene } from './story.ts'
import {
  isObject,
  named,
  OTHER_MERCHANT,
  OTHER_USER,
  STATUS_WORDS,
  USDT,
  valueAt,
  withValue,
  type Json,
  type JsonObject,
} from './wire.ts'

interface Field {
  readonly role: Role
  readonly path: readonly string[]
}

const fields = (entries: Readonly<Partial<Record<Role, string>>>): readonly Field[] =>
  Object.entries(entries).map(([role, path]) => ({ role: role as Role, path: path.split('.') }))

const TRANSFER_EVENT = fields({
  user: 'user_reference',
  merchant: 'merchant_reference',
  'currency id': 'transaction.currency.id',
  'currency code': 'transaction.currency.currency_code',
  network: 'transaction.currency.network',
  amount: 'transaction.amount',
  address: 'transaction.to_address',
  hash: 'transaction.tx_hash',
  time: 'transaction.date',
  status: 'transaction.status',
  type: 'event',
  uuid: 'transaction_uuid',
})
const PURCHASE_EVENT = fields({
  user: 'user_reference',
  key: 'correlation_key',
  session: 'session_reference',
  'currency code': 'transaction.to_currency.code',
  network: 'transaction.to_currency.network',
  amount: 'transaction.to_amount',
  'fiat amount': 'transaction.from_amount',
  'fiat currency': 'transaction.from_currency',
  hash: 'transaction.tx_hash',
  time: 'transaction.date',
  status: 'transaction.status',
  type: 'event',
  uuid: 'transaction_uuid',
})
const RECORD = fields({
  user: 'user_ref_id',
  'currency id': 'currency.id',
  'currency code': 'currency.code',
  network: 'currency.network',
  amount: 'amount',
  address: 'to_address',
  hash: 'tx_hash',
  key: 'correlation_key',
  time: 'inserted_at',
  status: 'status',
  type: 'type',
  uuid: 'transaction_uuid',
})
const REPLY = fields({
  'currency code': 'currency',
  amount: 'amount',
  address: 'wallet_address',
  status: 'status',
  approval: 'requires_approval',
  uuid: 'transaction_uuid',
})

type MessageKind = 'transfer event' | 'purchase event' | 'record' | 'reply'

interface Change {
  readonly name: string
  readonly roles: readonly Role[]
  /** Whether the changed message says the same, or less, so that no person need be asked. */
  readonly harmless?: (message: MessageKind, role: Role) => boolean
  /** The new value; the same value if the change does not apply, undefined to leave the field out. */
  readonly to: (value: Json) => Json | undefined
}

const EVERY: readonly Role[] = [
  'user',
  'merchant',
  'currency id',
  'currency code',
  'network',
  'amount',
  'fiat amount',
  'fiat currency',
  'address',
  'hash',
  'key',
  'session',
  'time',
  'status',
  'type',
  'uuid',
  'approval',
]
const TEXTS = EVERY.filter((role) => role !== 'amount' && role !== 'fiat amount' && role !== 'approval')

const onText =
  (change: (text: string) => string) =>
  (value: Json): Json =>
    typeof value === 'string' && value !== '' ? change(value) : value

/** Keeps the mark of a JSON number. */
const onDigits = (change: (digits: string) => string) =>
  onText((text) => (text.startsWith('#') ? `#${change(text.slice(1))}` : change(text)))

const otherCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())

const moved = (ms: number) => onText((iso) => new Date(Date.parse(iso) + ms).toISOString())

const MINUTES = 60_000

const CHANGES: readonly Change[] = [
  {
    name: 'null',
    roles: EVERY,
    harmless: (message, role) =>
      role === 'hash' ||
      (role === 'user' && message === 'purchase event') ||
      (role === 'address' && message === 'transfer event'),
    to: () => null,
  },
  { name: 'missing', roles: EVERY, to: () => undefined },
  { name: 'empty', roles: TEXTS, to: onText(() => '') },
  {
    name: 'in another case',
    roles: TEXTS,
    harmless: (message, role) =>
      ['hash', 'address', 'network', 'currency id', 'uuid'].includes(role) || (role === 'user' && message === 'record'),
    to: onText(otherCase),
  },
  { name: 'of another user', roles: ['user'], to: onText(() => OTHER_USER) },
  { name: 'of another merchant', roles: ['merchant'], to: onText(() => OTHER_MERCHANT) },
  { name: 'of another merchant', roles: ['key'], to: onText((key) => key.replace(/^[^:]*/, OTHER_MERCHANT)) },
  { name: 'another', roles: ['key', 'session', 'hash'], to: onText((text) => `${text.slice(0, -1)}f`) },
  {
    name: 'rounded through a double',
    roles: ['amount', 'fiat amount'],
    // The list gives texts: if such a text changes, the gateway contradicts itself.
    harmless: (message) => message === 'transfer event' || message === 'purchase event',
    to: onDigits(asDouble),
  },
  { name: 'net of a fee', roles: ['amount'], to: onDigits((text) => String(Number(text) - 0.25)) },
  { name: 'cut', roles: ['amount'], to: onDigits((text) => text.replace(/(\.\d{8})\d+$/, '$1')) },
  { name: 'cut', roles: ['address', 'hash'], to: onText((text) => text.slice(0, 20)) },
  { name: 'another', roles: ['address'], to: onText(() => '0x27b1fdb04752bbc536007a920d24acb045561c26') },
  {
    name: 'renamed',
    roles: ['network'],
    harmless: (message) => message !== 'purchase event',
    to: onText((text) => `${text} (ERC20)`),
  },
  { name: 'renamed', roles: ['currency code'], to: onText((text) => `${text}-X`) },
  { name: 'new', roles: ['currency id'], harmless: () => true, to: onText(() => named('e9')) },
  { name: 'of another currency', roles: ['currency id'], to: onText(() => USDT.id) },
  { name: 'other', roles: ['fiat currency'], to: onText(() => 'JPY') },
  { name: '20 minutes earlier', roles: ['time'], to: moved(-20 * MINUTES) },
  { name: '20 minutes later', roles: ['time'], harmless: () => true, to: moved(20 * MINUTES) },
  { name: 'unreadable', roles: ['time'], to: onText(() => 'yesterday') },
  { name: 'in another word', roles: ['status'], to: onText(() => 'TXN_COMPLETED') },
  { name: 'a word that contains a failure', roles: ['status'], to: onText(() => 'TXN_FAILOVER_PROVIDER') },
  { name: 'a word that contains a cancellation', roles: ['status'], to: onText(() => 'CANCEL_REQUESTED') },
  { name: 'in another word', roles: ['type'], to: onText((text) => `${text}V2`) },
  { name: 'another', roles: ['uuid'], to: onText(() => named('f7')) },
  { name: 'the other', roles: ['approval'], to: (value) => value !== true },
]

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
