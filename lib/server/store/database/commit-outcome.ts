/**
 * Answers whether a transaction was committed although the answer to its COMMIT was lost. Each transaction that changed
 * rows ends with a mark: it writes the next even number into a row that only its connection uses meanwhile. To ask for
 * the outcome is to write that number plus one on another connection, unless the number is there. This waits for a
 * COMMIT that is under way, and makes a COMMIT fail that arrives later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { replicated } from './replicated-commits.ts'

/** A row of `commit_marks`, used by one connection at a time. */
interface Mark {
  readonly slot: number
  /** The last number that was written or tried. */
  value: number
  /** The last number whose commit is certain. */
  acknowledged: number
  /** When it became certain, by `performance.now()`. */
  acknowledgedMs: number
}

/** One commit, with the mark that it writes. */
export interface MarkedCommit {
  readonly values: readonly [instance: string, slot: number, value: number]
  /** The commit has succeeded. */
  committed(): void
  /** The commit has failed, and cannot succeed any more. */
  failed(): void
}

export interface CommitMarks {
  readonly instance: string
  /** From now on the database has the table. */
  arm(): void
  /** Null before `arm`. */
  begin(): MarkedCommit | null
  /** The number that each mark must have at least, by slot. */
  acknowledged(): ReadonlyMap<number, number>
  /** What the marks have now is taken for right. */
  accept(found: ReadonlyMap<number, number>): void
}

export const NOW_MS = '(extract(epoch from statement_timestamp()) * 1000)::bigint'
const INSERT = 'insert into commit_marks (instance, slot, value, at_ms) values ($1, $2'
const OR_UPDATE = 'on conflict (instance, slot) do update set at_ms = excluded.at_ms, value ='

/** Rows of an instance that are no marks. */
export const SLOTS = {
  /** Locked while a probe waits. */
  probe: -1,
  /** 1 while the instance runs and watches for losses; 0 after it has ended in order. */
  runs: -2,
  /** The timeline on which the instance has yet to find its commits. */
  owes: -3,
} as const

/** Fails with a division by zero if the outcome was asked for before. */
export const WRITE_MARK = `${INSERT}, $3, ${NOW_MS}) ${OR_UPDATE}
  excluded.value / (case when commit_marks.value < excluded.value then 1 else 0 end)`

/** Leaves the time of the last commit: by it others see who was alive (`lost-commits.ts`). */
const ASK = `${INSERT}, $3::bigint + 1, ${NOW_MS}) on conflict (instance, slot) do update set value =
  greatest(commit_marks.value, case when commit_marks.value >= $3 then 0 else excluded.value end)
  returning value`

const DAY_MS = 86_400_000

/**
 * Marks that nobody has written for this long are deleted, and prove nothing. An instance relies on its marks of a much
 * shorter time: its clock stands still while its machine is suspended.
 */
export const MARKS_KEPT_MS = 60 * DAY_MS
const RELIED_ON_MS = DAY_MS / 2

export function createCommitMarks(instance: string): CommitMarks {
  let armed = false
  const marks: Mark[] = []
  const free: Mark[] = []

  const newMark = (): Mark => {
    const mark = { slot: marks.length, value: 0, acknowledged: 0, acknowledgedMs: 0 }
    marks.push(mark)
    return mark
  }

  return {
    instance,
    arm() {
      armed = true
    },
    begin() {
      if (!armed) return null
      const mark = free.pop() ?? newMark()
      const value = mark.value + 2
      mark.value = value
      return {
        values: [instance, mark.slot, value],
        committed() {
          mark.acknowledged = value
          mark.acknowledgedMs = performance.now()
          free.push(mark)
        },
        failed() {
          free.push(mark)
        },
      }
    },
    acknowledged() {
      const sinceMs = performance.now() - RELIED_ON_MS
      const relied = marks.filter((mark) => mark.acknowledged > 0 && mark.acknowledgedMs > sinceMs)
      return new Map(relied.map((mark) => [mark.slot, mark.acknowledged]))
    },
    accept(found) {
      for (const mark of marks) mark.acknowledged = Math.min(mark.acknowledged, found.get(mark.slot) ?? 0)
    },
  }
}

/** The COMMIT had no effect: the same work may be repeated at once. */
export class NotCommittedError extends Error {
  override readonly name = 'NotCommittedError'
  /** PostgreSQL's code for a transaction that is to be repeated. */
  readonly code = '40001'

  constructor(cause: Error) {
    super(`not committed: ${cause.message}`, { cause })
  }
}

/** Nobody can say yet whether the COMMIT had an effect. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  /** PostgreSQL's code for it. */
  readonly code = '08007'

  constructor(cause: Error) {
    super(`the outcome of a COMMIT is unknown: ${cause.message}`, { cause })
  }
}

/** Errors that end the connection, whose severity the server may give in its own language. */
const ENDS_CONNECTION = /^(08|25P0[34]|53|57P|58|XX)/

/** An error that the server answered without ending the connection: the transaction was rolled back. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.severity === 'ERROR' ||
    (error.severity !== 'FATAL' && error.severity !== 'PANIC' && !ENDS_CONNECTION.test(error.code ?? '')))

const AGAIN_MS = 100

/** Asks until there is a replicated answer, for at most this time; null if there is none. */
export async function askOutcome(
  pool: pg.Pool,
  { values: [instance, slot, value] }: MarkedCommit,
  standbyQuery: string | null,
  withinMs: number,
): Promise<'committed' | 'not committed' | null> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      const { rows } = await commitOn<{ value: number }>(pool, ASK, [instance, slot, value], standbyQuery)
      return rows[0]?.value === value ? 'committed' : 'not committed'
    } catch {
      // Unreachable, or the COMMIT is under way.
      if (performance.now() + AGAIN_MS > deadline) return null
      await sleep(AGAIN_MS)
    }
  }
}

/** A mark that says nothing: its row is locked while an earlier probe waits, so that no further session waits with it. */
const PROBE = `${INSERT}, 0, ${NOW_MS}) ${OR_UPDATE} 0`

/** Commits a write, and has it replicated. @throws the error of a server that does not do it in time */
export async function probeWrite(pool: pg.Pool, instance: string, standbyQuery: string | null): Promise<void> {
  await commitOn(pool, PROBE, [instance, SLOTS.probe], standbyQuery)
}

/** Runs one statement, which commits, on a new connection: one that is idle may lead nowhere by now. */
async function commitOn<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
  standbyQuery: string | null,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect()
  try {
    const answer = client.query<Row>(text, [...values])
    return await replicated(client, answer, standbyQuery === null ? null : client.query(standbyQuery))
  } finally {
    client.release(true)
  }
}
