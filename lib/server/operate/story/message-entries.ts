/** What the gateway said: its signed events, and the records of its list. */
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import type { StoryField } from '#lib/contract/operate/story-comparison.ts'
import { parseWebhook, type GatewayEvent } from '../../gateway/parse-webhook.ts'
import { EVENT_NAMES } from '../../ledger/disputes.ts'
import type { StoryRows, TransactionRow } from '../../store/types.ts'
import { differingFields } from './comparisons.ts'
import { entryAt, isoOrNull } from './entry-base.ts'
import { isEventLine, toldBy, toldByEvent, toldByRecord } from './told.ts'

type Lines = StoryRows['lines']
type Line = Lines[number]

interface Read {
  readonly event_name: string | null
  readonly status: string | null
  readonly event: GatewayEvent | null
}

/** What can be read of a body; nothing of it is trusted here but that the gateway signed it. */
function readBody(body: string): Read {
  const parsed = parseWebhook(Buffer.from(body, 'utf8'))
  if (parsed.outcome === 'malformed') return { event_name: null, status: null, event: null }
  if (parsed.outcome === 'event')
    return { event_name: parsed.event.event, status: parsed.event.status, event: parsed.event }
  return { event_name: parsed.event_name, status: null, event: null }
}

/** What an event says otherwise than what stands. */
function eventDiffers(event: GatewayEvent | null, transactions: readonly TransactionRow[]): readonly StoryField[] {
  const stands = transactions.find((row) => row.transaction_uuid === event?.transaction_uuid && row.kind === event.kind)
  if (event === null || stands === undefined) return []
  return differingFields(toldByEvent(event, stands.network), toldBy('event', stands))
}

function eventOf(
  { body, received_ms, about }: { readonly body: string; readonly received_ms: number; readonly about: string | null },
  rest: Pick<Extract<StoryEntry, { kind: 'event' }>, 'key' | 'outcome' | 'quarantine_id' | 'sent_at'>,
  transactions: readonly TransactionRow[],
): StoryEntry {
  const { event_name, status, event } = readBody(body)
  const differs = [...eventDiffers(event, transactions)]
  return { ...entryAt(rest.key, received_ms, about), ...rest, kind: 'event', event_name, status, differs, raw: body }
}

/** Each event as it came. Of one whose text is no longer kept, only what it meant is known. */
export function eventEntries({ webhooks, lines, facts, transactions }: StoryRows): readonly StoryEntry[] {
  const eventLines = lines.filter(isEventLine)
  const lineOf = (body: string, receivedMs: number): Line | undefined =>
    eventLines.find(({ event, received_ms }) => event === body && received_ms === receivedMs)
  const kept = webhooks.map(({ id, received_ms, sent_s, body, outcome, transaction_uuid: about }) =>
    eventOf(
      { body, received_ms, about },
      {
        key: `webhook:${String(id)}`,
        sent_at: isoOrNull(sent_s * 1000),
        outcome,
        quarantine_id: lineOf(body, received_ms)?.id ?? null,
      },
      transactions,
    ),
  )
  const isKept = (line: Line): boolean =>
    webhooks.some(({ body, received_ms }) => body === line.event && received_ms === line.received_ms)
  const onlyLines = eventLines
    .filter((line) => !isKept(line))
    .map(({ id, received_ms, event: body, reason, transaction_uuid: about }) =>
      eventOf(
        { body, received_ms, about },
        { key: `line:${String(id)}`, sent_at: null, outcome: reason, quarantine_id: id },
        transactions,
      ),
    )
  const isToldByText = (ms: number, uuid: string): boolean =>
    webhooks.some((row) => row.received_ms === ms && row.transaction_uuid === uuid) ||
    eventLines.some((line) => line.settled_ms === ms && line.transaction_uuid === uuid)
  const meant = facts
    .filter(({ fact, recorded_ms }) => fact.source === 'webhook' && !isToldByText(recorded_ms, fact.transaction_uuid))
    .map(({ fact, recorded_ms }): StoryEntry => {
      const stands = transactions.find(
        (row) => row.kind === fact.kind && row.transaction_uuid === fact.transaction_uuid,
      )
      return {
        ...entryAt(`fact:${fact.kind}:${fact.transaction_uuid}:${fact.status}`, recorded_ms, fact.transaction_uuid),
        ...{ kind: 'event', event_name: EVENT_NAMES[fact.kind], status: fact.status, outcome: 'applied' },
        ...{ sent_at: null, quarantine_id: null, raw: null },
        differs: stands === undefined ? [] : [...differingFields(toldBy('event', fact), toldBy('event', stands))],
      }
    })
  return [...kept, ...onlyLines, ...meant]
}

/** Each status that the list told, and its record as last stored. */
export function recordEntries({ facts, records, transactions }: StoryRows): readonly StoryEntry[] {
  const told = facts
    .filter(({ fact }) => fact.source === 'reconciliation')
    .map(({ fact, recorded_ms }): StoryEntry => {
      const { kind, transaction_uuid, status } = fact
      const stands = transactions.find((row) => row.kind === kind && row.transaction_uuid === transaction_uuid)
      const record = records.find((row) => row.transaction_uuid === transaction_uuid && row.seen_ms === recorded_ms)
      return {
        ...entryAt(`list:${kind}:${transaction_uuid}:${status}`, recorded_ms, transaction_uuid),
        kind: 'record',
        how: fact.misplaced === true ? 'misplaced' : fact.taken_back === true ? 'taken_back' : 'seen',
        status,
        differs: stands === undefined ? [] : [...differingFields(toldBy('list', fact), toldBy('list', stands))],
        raw: record?.record ?? null,
      }
    })
  const isTold = (uuid: string, seenMs: number): boolean =>
    facts.some(
      ({ fact, recorded_ms }) =>
        fact.source === 'reconciliation' && fact.transaction_uuid === uuid && recorded_ms === seenMs,
    )
  const last = records
    .filter((row) => !isTold(row.transaction_uuid, row.seen_ms))
    .map((row): StoryEntry => {
      const { user_reference_id, transaction_uuid, status, record, seen_ms } = row
      const stands = transactions.find((one) => one.kind !== 'onramp' && one.transaction_uuid === transaction_uuid)
      const told = toldByRecord(row)
      return {
        ...entryAt(`record:${user_reference_id}:${transaction_uuid}`, seen_ms, transaction_uuid),
        ...{ kind: 'record', how: 'last', status, raw: record },
        differs: stands === undefined || told === null ? [] : [...differingFields(told, toldBy('list', stands))],
      }
    })
  return [...told, ...last]
}

/** What a person was asked or told, and how each line was settled. */
export const lineEntries = ({ lines }: StoryRows): readonly StoryEntry[] =>
  lines.flatMap((line): readonly StoryEntry[] => {
    const { id, reason, received_ms, settled_ms, settled_by, note, event, transaction_uuid: about } = line
    const asked: readonly StoryEntry[] = isEventLine(line)
      ? []
      : [
          {
            ...entryAt(`line:${String(id)}`, received_ms, about),
            ...{ kind: 'reported', quarantine_id: id, reason, raw: event },
          },
        ]
    if (settled_ms === null) return asked
    const by = settled_by ?? 'system'
    return [
      ...asked,
      {
        ...entryAt(`settled:${String(id)}`, settled_ms, about),
        ...{ kind: 'settled', quarantine_id: id, reason, by, note },
      },
    ]
  })
