/** The fields of each message, and the changes that are tried on each. */
import { asDouble } from '../amounts.ts'
import type { Role } from './story.ts'
import { named, OTHER_MERCHANT, OTHER_USER, USDT, type Json } from './wire.ts'

export interface Field {
  readonly role: Role
  readonly path: readonly string[]
}

const fields = (entries: Readonly<Partial<Record<Role, string>>>): readonly Field[] =>
  Object.entries(entries).map(([role, path]) => ({ role: role as Role, path: path.split('.') }))

export const TRANSFER_EVENT = fields({
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
export const PURCHASE_EVENT = fields({
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
export const RECORD = fields({
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
export const REPLY = fields({
  'currency code': 'currency',
  amount: 'amount',
  address: 'wallet_address',
  status: 'status',
  approval: 'requires_approval',
  uuid: 'transaction_uuid',
})

export type MessageKind = 'transfer event' | 'purchase event' | 'record' | 'reply'

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

export const MINUTES = 60_000

export const CHANGES: readonly Change[] = [
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
