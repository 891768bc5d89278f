/** What scenes are made of: messages, and what the gateway truly moved. */
import type { HistoryScene, Message } from '../story.ts'
import { listRecord, type JsonObject, type ListStatus, type Transfer } from '../wire.ts'

export const HASH = '0xAbCdef0123456789AbCdef0123456789AbCdef0123456789AbCdef0123456789'
export const hash = (end: string): string => `${HASH.slice(0, -2)}${end.padStart(2, '0')}`

export const ELSEWHERE = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

export type Part = Pick<HistoryScene, 'messages' | 'sessions' | 'arrivals' | 'departures' | 'vanished'>
export const NOTHING: Part = { messages: [], sessions: [], arrivals: [], departures: [], vanished: [] }

export const scene = (name: string, ...parts: readonly Part[]): HistoryScene => ({
  name,
  calm: false,
  telling: [],
  funds: '100',
  alike: null,
  messages: parts.flatMap(({ messages }) => messages),
  sessions: parts.flatMap(({ sessions }) => sessions),
  arrivals: parts.flatMap(({ arrivals }) => arrivals),
  departures: parts.flatMap(({ departures }) => departures),
  vanished: parts.flatMap(({ vanished }) => vanished),
})

export const calm = (name: string, ...parts: readonly Part[]): HistoryScene => ({
  ...scene(name, ...parts),
  calm: true,
})

/** A transaction in the list from state to state. */
export function listing(transfer: Transfer, states: readonly ListStatus[], first: Pick<Message, 'after' | 'ifSent'>) {
  return states.map((status, index): Message => ({
    ...first,
    name: `list ${transfer.uuid.slice(-4)} ${status}${states.indexOf(status) === index ? '' : ' again'}`,
    what: { kind: 'listed', record: listRecord(transfer, status) },
    after: index === 0 ? first.after : [`list ${transfer.uuid.slice(-4)} ${states[index - 1] ?? ''}`],
    entry: transfer.uuid,
  }))
}

export const event = (name: string, body: JsonObject, more: Partial<Message> = {}): Message => ({
  name,
  what: { kind: 'webhook', body },
  after: [],
  ...more,
})
