import { isDecimal, type Decimal } from '#lib/contract/money.ts'
import { compareHashes, compareTexts, type Comparison } from './compare.ts'
import { lineKey, listKey } from './line-key.ts'
import { BOOKED_BY_REASONS, IS_UNAPPLIED_EVENT } from './quarantine-reasons.ts'
import type { QuarantineLine, QuarantineReason, Report, SettledBy } from './rows.ts'

/** By what a person may have corrected a balance before a booking: by its amount, or by what they were told then. */
export interface Correction {
  readonly currency_id: string
  /** With either sign; at least one. */
  readonly amounts: readonly Decimal[]
}

/** Amounts of a currency of which a person was told, who may have corrected a balance by them since. */
export interface ToldAmounts extends Correction {
  readonly sinceMs: number
}

/** A line of which the event is written only if the line is added: most are not. */
export interface DraftLine extends Omit<QuarantineLine, 'event'> {
  readonly event: () => string
}

export const written = ({ event, ...line }: DraftLine): QuarantineLine => ({ ...line, event: event() })

/** A line that tells of a booking which a person may have made, too. */
export interface LateLine<Line = DraftLine> {
  readonly line: Line
  /** Null: no adjustment is compared. */
  readonly booked: Correction | null
  /** Given if a dismissal alone is no reason: only an adjustment since then. */
  readonly adjustedSinceMs?: number
  /** Given if a person may have settled an earlier line about it: since when they may have adjusted a balance. */
  readonly knownSinceMs?: number
}

/** A report whose reason has gone. */
export interface SettledReport {
  readonly reason: Report | 'contradiction'
  readonly transaction_uuid: string
  /** How the line's event ends: only such lines are settled. */
  readonly ending: string
  readonly settled_by: SettledBy
  /**
   * A line to add if no such line is open, since a person who has dismissed it may have acted on it; or if they have
   * acted before its dismissal: an adjustment of as much was made since.
   */
  readonly otherwise?: LateLine | undefined
}

/** A line about the end of a deposit or a purchase. */
export interface EndLine<Line = DraftLine> extends LateLine<Line> {
  readonly status: 'succeeded' | 'failed'
  readonly network: string
  readonly tx_hash: string | null
  /** When the transfer was made. */
  readonly madeMs: number
  /** It was told long after that, or nobody knows when: else nobody has booked it by what a list did not show. */
  readonly isLate: boolean
  /** The user's list was not compared with the books since a restore: an adjustment since then is a reason, too. */
  readonly isUncompared: boolean
}

/** A line about a booking of a transfer of which a person may have been told before. */
export interface BookedLine<Line = DraftLine> extends LateLine<Line> {
  /** The uuids of the transfer's deposits and purchases, or the names of the withdrawal. */
  readonly about: readonly string[]
}

/** What the quarantine had about a transaction, or about a list that could not be read. */
export interface KnownLine {
  readonly reason: QuarantineReason
  readonly user_reference_id: string | null
  readonly transaction_uuid: string | null
  readonly event_name: string | null
  readonly event: string
  readonly received_ms: number
  readonly settled_ms: number | null
  readonly settled_by: SettledBy | null
}

interface Said {
  readonly amount?: unknown
  readonly to_amount?: unknown
  readonly to_address?: unknown
  readonly status?: unknown
  readonly tx_hash?: unknown
}

/** Empty for what no message of the gateway has here. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** What an event says of its transaction. */
export const saidIn = (event: string): Said =>
  (JSON.parse(event) as { readonly transaction?: Said | null }).transaction ?? {}

/** Under which keys stands what may have told of the end of this line's transaction. */
export const keysOfEnd = ({ line: { transaction_uuid, user_reference_id } }: LateLine): readonly string[] => [
  ...(transaction_uuid === null ? [] : [transaction_uuid]),
  ...(user_reference_id === null ? [] : [listKey(user_reference_id)]),
]

/** Whether an event tells of the same transfer by its hash. */
function compareTransfers({ network, tx_hash: own }: EndLine, { event }: KnownLine): Comparison {
  return compareHashes(network, own, textOf(saidIn(event).tx_hash) || null)
}

/** The amounts that these events tell, if they have lost no digit. */
export const amountsIn = (events: readonly KnownLine[]): readonly Decimal[] =>
  events.flatMap(({ event }) => {
    const { amount, to_amount = amount } = saidIn(event)
    const text = textOf(to_amount)
    return isDecimal(text) ? [text] : []
  })

/** The events of a purchase by which a person may have booked this line's deposit, or those of its deposit. */
export const eventsOfOtherKind = (end: EndLine, ofUser: readonly KnownLine[]): readonly KnownLine[] =>
  ofUser.filter(
    (one) =>
      compareTexts(one.user_reference_id, end.line.user_reference_id) === 'agree' &&
      one.transaction_uuid !== null &&
      one.event_name !== end.line.event_name &&
      IS_UNAPPLIED_EVENT[one.reason] &&
      compareTransfers(end, one) !== 'differ',
  )

/**
 * By what a person may have booked this line's transaction: its events, and the lines about the user's list that could not
 * be read when the transfer was made, or later.
 */
export const eventsOfEnd = (end: EndLine, known: readonly KnownLine[]): readonly KnownLine[] =>
  known.filter((one) =>
    one.transaction_uuid === end.line.transaction_uuid
      ? BOOKED_BY_REASONS.includes(one.reason)
      : end.isLate &&
        one.reason === 'overdue' &&
        one.transaction_uuid === listKey(end.line.user_reference_id ?? '') &&
        (one.settled_ms ?? Infinity) >= end.madeMs,
  )

/**
 * Since when a person may have corrected a balance by what they were told of this booking's transfer; null: never. Of
 * events that were not applied `eventsOfEnd` decides.
 */
export function toldSince({ about }: BookedLine, known: readonly KnownLine[]): number | null {
  const reports = known.filter(
    ({ reason, transaction_uuid }) => !IS_UNAPPLIED_EVENT[reason] && about.includes(transaction_uuid ?? ''),
  )
  return reports.length === 0 ? null : Math.min(...reports.map(({ received_ms }) => received_ms))
}

/** The statuses of events whose dismissal shows no booking by hand of what ends so. */
const NO_REASONS: Readonly<Record<EndLine['status'], readonly string[]>> = {
  succeeded: ['pending', 'processing'],
  failed: ['pending', 'processing', 'failed'],
}

/**
 * Whether a person has settled an event of the line's own kind, and may have made the booking by hand. Of a failure that
 * they were told of this is a reason only where no adjustment shows it.
 */
export const isSettledByPerson = ({ line: { event_name }, status, booked }: EndLine, one: KnownLine): boolean =>
  one.event_name === event_name &&
  one.settled_by !== null &&
  one.settled_by !== 'system' &&
  !NO_REASONS[status].includes(textOf(saidIn(one.event).status)) &&
  (one.reason !== 'contradiction' || booked === null)

const isSettledBy = ({ reason, transaction_uuid, event }: QuarantineLine, settled: SettledReport): boolean =>
  reason === settled.reason && transaction_uuid === settled.transaction_uuid && event.endsWith(settled.ending)

/** The lines that a unit of work adds to the quarantine, and the reports that it settles. */
export class QuarantineSet {
  readonly #lines: QuarantineLine[] = []
  readonly #once = new Map<string, QuarantineLine>()
  readonly #settled = new Map<string, SettledReport>()
  readonly #ended: EndLine[] = []
  readonly #booked: BookedLine[] = []

  add(line: QuarantineLine): void {
    this.#lines.push(line)
  }

  /** Adds a line, unless the transaction has an open line with this reason that says the same. */
  addOnce(line: QuarantineLine): void {
    const key = lineKey(line)
    for (const [name, settled] of this.#settled) if (isSettledBy(line, settled)) this.#settled.delete(name)
    if (!this.#once.has(key)) this.#once.set(key, line)
  }

  /** Settles these open lines, if there are any. What one booking of this unit has to tell, no later one takes back. */
  settle({ otherwise, ...settled }: SettledReport): void {
    const own = [...this.#once].filter(([, line]) => isSettledBy(line, settled))
    for (const [key] of own) this.#once.delete(key)
    const name = JSON.stringify(Object.values(settled))
    const told = this.#settled.get(name)?.otherwise ?? (own.length === 0 ? otherwise : undefined)
    this.#settled.set(name, { ...settled, otherwise: told })
  }

  /** See `UnitOfWork.quarantineIfMade`. */
  addIfMade(ended: EndLine): void {
    this.#ended.push(ended)
  }

  /** See `UnitOfWork.quarantineIfCorrected`. */
  addIfCorrected(booked: BookedLine): void {
    this.#booked.push(booked)
  }

  changes() {
    return {
      ended: this.#ended,
      booked: this.#booked,
      quarantine: this.#lines,
      quarantineOnce: [...this.#once.values()],
      settledReports: [...this.#settled.values()],
    }
  }
}
