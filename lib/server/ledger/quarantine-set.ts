import type { Decimal } from '#lib/contract/money.ts'
import { lineKey, listKey } from './line-key.ts'
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

/** A line that tells of a booking which a person may have made, too. */
export interface LateLine<Line = QuarantineLine> {
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
export interface EndLine<Line = QuarantineLine> extends LateLine<Line> {
  readonly status: 'succeeded' | 'failed'
  /** When the transfer was made. */
  readonly madeMs: number
  /** It was told long after that, or nobody knows when: else nobody has booked it by what a list did not show. */
  readonly isLate: boolean
  /** The user's list was not compared with the books since a restore: an adjustment since then is a reason, too. */
  readonly isUncompared: boolean
}

/** A line with one of `BOOKED_BY_REASONS`, or about a list that could not be read. */
export interface UnappliedEvent {
  readonly reason: QuarantineReason
  readonly transaction_uuid: string | null
  readonly event_name: string | null
  readonly event: string
  readonly received_ms: number
  readonly settled_ms: number | null
  readonly settled_by: SettledBy | null
}

const statusOf = (event: string): unknown => {
  const { transaction } = JSON.parse(event) as { readonly transaction?: { readonly status?: unknown } | null }
  return transaction?.status
}

/** Under which keys stands what may have told of the end of this line's transaction. */
export const keysOfEnd = ({ line: { transaction_uuid, user_reference_id } }: LateLine): readonly string[] => [
  ...(transaction_uuid === null ? [] : [transaction_uuid]),
  ...(user_reference_id === null ? [] : [listKey(user_reference_id)]),
]

/** The statuses of events by which nobody books by hand what ends so. */
const NO_REASONS: Readonly<Record<EndLine['status'], readonly string[]>> = {
  succeeded: ['pending', 'processing'],
  failed: ['pending', 'processing', 'failed'],
}

/**
 * By what a person may have booked this line's transaction: its events, and the lines about the user's list that could not
 * be read when the transfer was made, or later.
 */
export const eventsOfEnd = (end: EndLine, events: readonly UnappliedEvent[]): readonly UnappliedEvent[] =>
  events.filter((one) =>
    one.transaction_uuid === end.line.transaction_uuid
      ? !NO_REASONS[end.status].includes(String(statusOf(one.event)))
      : end.isLate &&
        one.transaction_uuid === listKey(end.line.user_reference_id ?? '') &&
        (one.settled_ms ?? Infinity) >= end.madeMs,
  )

/**
 * Whether a person has settled an event of the line's own kind, and may have made the booking by hand. Of a failure that
 * they were told of this is a reason only where no adjustment shows it.
 */
export const isSettledByPerson = ({ line: { event_name }, booked }: LateLine, one: UnappliedEvent): boolean =>
  one.event_name === event_name &&
  one.settled_by !== null &&
  one.settled_by !== 'system' &&
  (one.reason !== 'contradiction' || booked === null)

const isSettledBy = ({ reason, transaction_uuid, event }: QuarantineLine, settled: SettledReport): boolean =>
  reason === settled.reason && transaction_uuid === settled.transaction_uuid && event.endsWith(settled.ending)

/** The lines that a unit of work adds to the quarantine, and the reports that it settles. */
export class QuarantineSet {
  readonly #lines: QuarantineLine[] = []
  readonly #once = new Map<string, QuarantineLine>()
  readonly #settled = new Map<string, SettledReport>()
  readonly #ended: EndLine[] = []

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

  changes() {
    return {
      ended: this.#ended,
      quarantine: this.#lines,
      quarantineOnce: [...this.#once.values()],
      settledReports: [...this.#settled.values()],
    }
  }
}
