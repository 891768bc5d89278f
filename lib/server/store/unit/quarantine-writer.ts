import { CompiledQuery, type Kysely } from 'kysely'
import { EVENT_NAMES } from '../../ledger/disputes.ts'
import { lineKey } from '../../ledger/line-key.ts'
import {
  amountsIn,
  eventsOfEnd,
  eventsOfOtherKind,
  isSettledByPerson,
  keysOfEnd,
  toldSince,
  written,
  type BookedLine,
  type EndLine,
  type LateLine,
  type SettledReport,
  type KnownLine,
} from '../../ledger/quarantine-set.ts'
import { IS_UNAPPLIED_EVENT, UNAPPLIED_REASONS } from '../../ledger/quarantine-reasons.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { QuarantineLine } from '../../ledger/rows.ts'
import type { UnitOfWork } from '../../ledger/unit-of-work.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows, selectByKeys, updateRows } from '../database/multi-row.ts'
import type { StatementRunner } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import { ledgerStoreOf } from '../tables/ledger-store.ts'
import { restoredMsOf } from '../tables/reconciliation-state.ts'
import { QUARANTINE_COLUMNS } from './unit-columns.ts'

type StoredLine = Omit<QuarantineLine, 'user_reference_id'> & { readonly user_reference_id: string }

/** What a unit of work adds to the quarantine, and what it settles there. */
type QuarantineChanges = Pick<
  ReturnType<UnitOfWork['changes']>,
  'quarantine' | 'quarantineOnce' | 'settledReports' | 'ended' | 'booked'
>

/** What the quarantine had about the transactions of a unit of work. */
interface Told {
  /** Keys of the lines that are open (`lineKey`). */
  readonly open: ReadonlySet<string>
  /** By reason and transaction, when the reports were made that this unit has settled. */
  readonly settledMs: ReadonlyMap<string, readonly number[]>
  /** What may have told, before this unit, of what ends, or is booked, now. */
  readonly known: readonly KnownLine[]
}

/** A line as it is stored: what has no user stands under an empty one. */
const storedLine = (line: QuarantineLine): StoredLine => ({
  ...line,
  user_reference_id: line.user_reference_id ?? NO_USER,
})

const inKeys = (keys: Iterable<string>): readonly [string][] => [...new Set(keys)].map((key) => [key])

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/** An arbitrary number; no other program on this database may use it for its advisory lock. */
const QUARANTINE_LOCK = 7_215_310_443

/** Writes a unit's lines, in two steps: whether some are added depends on what `begin` has read. */
export function quarantineWriter(flavour: Flavour) {
  const insertLines = insertRows<StoredLine>(flavour, 'quarantine', QUARANTINE_COLUMNS, 'fail')
  const openLines = selectByKeys<StoredLine>(flavour, 'quarantine', ['transaction_uuid'], 'settled_ms is null')
  /** The events of a user's deposits and purchases that were not applied. */
  const eventsOfUser = selectByKeys<KnownLine>(
    flavour,
    'quarantine',
    ['user_reference_id'],
    `reason in (${quoted(UNAPPLIED_REASONS)}) and event_name in (${quoted([EVENT_NAMES.deposit, EVENT_NAMES.onramp])})`,
  )
  const knownLines = selectByKeys<KnownLine>(flavour, 'quarantine', ['transaction_uuid'])
  const settleReports = updateRows<Omit<SettledReport, 'otherwise'> & { settled_ms: number }>(
    flavour,
    'quarantine',
    { reason: 'text', transaction_uuid: 'text', ending: 'text', settled_by: 'text', settled_ms: 'bigint' },
    ['reason', 'transaction_uuid'],
    (value) => ({ settled_ms: value('settled_ms'), settled_by: value('settled_by') }),
    {
      where: (value) => `quarantine.settled_ms is null and quarantine.event like '%' || ${value('ending')}`,
      returning: 'quarantine.reason, quarantine.transaction_uuid, quarantine.received_ms',
    },
  )

  /** PostgreSQL assigns numbers before the commit, so the first writer to get a number must be the first to commit. */
  const lockNumbers = async (runner: StatementRunner, lines: number): Promise<void> => {
    if (flavour === 'postgres' && lines > 0)
      await runner.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [QUARANTINE_LOCK]))
  }

  /** Whether a person has made the booking, too, by an adjustment since then. */
  const isCorrected = async (
    db: Kysely<Tables>,
    { line: { user_reference_id: user, received_ms: nowMs }, booked }: LateLine,
    sinceMs: number,
  ): Promise<boolean> => {
    if (user === null || booked === null) return false
    const adjusted = await ledgerStoreOf(db).adjustedBy(user, [{ ...booked, sinceMs }], nowMs)
    return [...adjusted.values()].some(({ size }) => size > 0)
  }

  /** Whether a person may have booked it by hand (`UnitOfWork.quarantineIfMade`). */
  const isMade = async (db: Kysely<Tables>, end: EndLine, known: readonly KnownLine[]): Promise<boolean> => {
    const about = eventsOfEnd(end, known)
    if (about.some((one) => isSettledByPerson(end, one))) return true
    const restoredMs = end.isUncompared ? await restoredMsOf(db) : null
    const others = eventsOfOtherKind(end, known)
    const since = [
      ...[...about, ...others].map(({ received_ms }) => received_ms),
      ...(restoredMs === null ? [] : [restoredMs]),
    ]
    const booked = end.booked && { ...end.booked, amounts: [...end.booked.amounts, ...amountsIn(others)] }
    return since.length > 0 && isCorrected(db, { ...end, booked }, Math.min(...since))
  }

  /** Whether a person may have corrected what is booked (`UnitOfWork.quarantineIfCorrected`). */
  const mayBeCorrected = async (db: Kysely<Tables>, one: BookedLine, known: readonly KnownLine[]): Promise<boolean> => {
    const sinceMs = toldSince(one, known)
    return sinceMs !== null && isCorrected(db, one, sinceMs)
  }

  return {
    /** Among the unit's other statements, in one message with them. */
    async begin(
      runner: StatementRunner,
      { quarantine, quarantineOnce, settledReports, ended, booked }: QuarantineChanges,
      now: number,
    ): Promise<Told> {
      const otherwise = settledReports.filter((report) => report.otherwise !== undefined)
      const [, ofUsers, known, , open, settled] = await Promise.all([
        // With this lock, no other unit adds a line before this one is committed.
        lockNumbers(runner, quarantine.length + quarantineOnce.length + otherwise.length),
        // Before this unit adds its own lines, by which nobody has acted. Most users have none.
        eventsOfUser(runner, inKeys(ended.flatMap(({ line }) => line.user_reference_id ?? []))),
        knownLines(runner, inKeys([...ended.flatMap(keysOfEnd), ...booked.flatMap(({ about }) => about)])),
        insertLines(runner, quarantine.map(storedLine)),
        openLines(runner, inKeys(quarantineOnce.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))),
        settleReports(
          runner,
          settledReports.map((report) => ({ ...report, settled_ms: now })),
        ),
      ])
      const reports = Map.groupBy(settled, (row) => `${String(row['reason'])} ${String(row['transaction_uuid'])}`)
      return {
        open: new Set(open.map(lineKey)),
        settledMs: new Map([...reports].map(([key, rows]) => [key, rows.map((row) => Number(row['received_ms']))])),
        known: [...known, ...ofUsers],
      }
    },

    /** After all other statements. */
    async finish(
      db: Kysely<Tables>,
      { quarantine, quarantineOnce, settledReports, ended, booked }: QuarantineChanges,
      { open, settledMs, known }: Told,
    ): Promise<void> {
      const late: QuarantineLine[] = []
      for (const { reason, transaction_uuid, otherwise } of settledReports) {
        if (otherwise === undefined) continue
        const told = settledMs.get(`${reason} ${transaction_uuid}`)
        const { adjustedSinceMs, knownSinceMs = Infinity } = otherwise
        const sinceMs = told === undefined ? adjustedSinceMs : Math.min(...told, knownSinceMs)
        if (sinceMs === undefined || (await isCorrected(db, otherwise, sinceMs))) late.push(written(otherwise.line))
      }
      const first = quarantineOnce.filter((line) => line.transaction_uuid === null || !open.has(lineKey(line)))
      const isTold = ({ line }: EndLine): boolean =>
        [...first, ...late].some((one) => one.reason === line.reason && one.transaction_uuid === line.transaction_uuid)
      const made: QuarantineLine[] = []
      for (const one of ended)
        if ((known.length > 0 || one.isUncompared) && !isTold(one) && (await isMade(db, one, known)))
          made.push(written(one.line))
      for (const one of known.length > 0 ? booked : []) {
        const isNamed = [...quarantine, ...first, ...late, ...made].some(
          ({ reason, transaction_uuid }) => !IS_UNAPPLIED_EVENT[reason] && one.about.includes(transaction_uuid ?? ''),
        )
        if (!isNamed && (await mayBeCorrected(db, one, known))) made.push(written(one.line))
      }
      await lockNumbers(db, made.length)
      await insertLines(db, [...first, ...late, ...made].map(storedLine))
    },
  }
}
