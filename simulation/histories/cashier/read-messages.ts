/** What the cashier's own parsers read in the wire text of a message or a list. */
import { acceptanceIn, evidenceOf } from '#lib/server/cashier/withdrawal-evidence.ts'
import { UnreachableError } from '#lib/server/gateway/errors.ts'
import { listedRecords } from '#lib/server/gateway/listed-records.ts'
import { parseLosslessJson } from '#lib/server/gateway/lossless-json.ts'
import { OPERATIONS } from '#lib/server/gateway/operations.ts'
import { parseWebhook, type ParsedWebhook } from '#lib/server/gateway/parse-webhook.ts'
import { readReply } from '#lib/server/gateway/read-reply.ts'
import { transactionsReply } from '#lib/server/gateway/schemas.ts'
import type { WithdrawReply } from '#lib/server/gateway/types.ts'
import type { ListedRecord } from '#lib/server/ledger/facts.ts'
import { ownerOfRecord } from '#lib/server/ledger/record-owner.ts'
import type { Evidence } from '#lib/server/ledger/withdrawal-states.ts'
import type { What } from '../story.ts'
import { START_MS, toWire, USER, type Reply } from '../wire.ts'
import { STATUSES, isKnownUser } from './settings.ts'

/** A function that reads each text once. */
function once<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as T
    const value = read(text)
    known.set(text, value)
    return value
  }
}

/** The event of a webhook's body. */
export const eventIn = once((body): ParsedWebhook => parseWebhook(Buffer.from(body, 'utf8')))

/** A page with this record; null if the record cannot be read. */
const recordIn = once((text): ListedRecord | null => {
  const page = `{"edges":[{"cursor":"c","inserted_at":"2026-11-20T12:00:00Z","node":${text}}],"page_info":{"has_next_page":false,"has_previous_page":false},"total_count":1}`
  const read = transactionsReply.safeParse(parseLosslessJson(Buffer.from(page, 'utf8')))
  return read.success ? (listedRecords(read.data.edges, STATUSES)[0] ?? null) : null
})

/** The uuid that a record names, even if the cashier cannot read the record. */
export const uuidIn = once((text): string | null => {
  const { transaction_uuid: uuid } = JSON.parse(text) as { readonly transaction_uuid?: unknown }
  return typeof uuid === 'string' && uuid !== '' ? uuid : null
})

/** What came back from a withdrawal's call: what it tells, and the reply if the gateway accepted it. */
export function answerIn(reply: Reply): { readonly evidence: Evidence; readonly reply: WithdrawReply | null } {
  if (reply.kind === 'unreachable') {
    const error = new UnreachableError('no connection', { operation: 'withdraw' })
    return { evidence: evidenceOf(error, STATUSES), reply: null }
  }
  if (reply.kind !== 'answered') return { evidence: { kind: 'uncertain' }, reply: null }
  try {
    const body = Buffer.from(toWire(reply.body), 'utf8')
    const answer = { status: reply.status, headers: {}, body }
    const read = readReply(OPERATIONS.withdraw, answer, { now: START_MS, statuses: STATUSES })
    return { evidence: acceptanceIn(read, STATUSES), reply: read }
  } catch (error) {
    return { evidence: evidenceOf(error, STATUSES), reply: null }
  }
}

/** How it reads a message, as text: equal texts have the same effect. */
export function readingOf(what: What): string {
  switch (what.kind) {
    case 'request':
      return what.withdrawal.id
    case 'reply':
      return JSON.stringify([what.withdrawal, answerIn(what.reply), what.clockOffsetMs, what.reply.kind])
    case 'webhook':
      return JSON.stringify(eventIn(toWire(what.body)))
    case 'listed': {
      const text = toWire(what.record)
      const listed = recordIn(text)
      return JSON.stringify(listed === null ? { unreadable: uuidIn(text) } : { ...listed, record: null })
    }
  }
}

/** The readable records of a list, and whether the list is complete: all are readable, none is another user's. */
export const recordsIn = (texts: readonly string[]) => {
  const read = texts.map(recordIn)
  const records = read.filter((record) => record !== null)
  const foreign = records.some((one) => ownerOfRecord(USER, one.user_reference_id, isKnownUser) === 'foreign')
  return { records, complete: records.length === texts.length && !foreign }
}

export const isUnreadable = (text: string): boolean => recordIn(text) === null
