/**
 * Notices that PostgreSQL has lost commits: an asynchronous standby was promoted, or a backup was restored. Before its
 * first use each connection is asked for the marks of this instance (`commit-outcome.ts`) and for the server's
 * timeline, which moves on with each promotion. A server loses the end of its log, never its middle: while the last
 * commits that were acknowledged to an instance are there, all before them are. So after a promotion every instance that
 * was alive must find its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import type pg from 'pg'
import { MARKS_KEPT_MS, NOW_MS, SLOTS, type CommitMarks } from './commit-outcome.ts'
import { LONGEST_HELD_MS } from './database-time.ts'
import type { Tables } from './schema.ts'

/** What a server says about the commits that it has. */
export interface ServerState {
  /** This instance's marks, by slot. */
  readonly marks: ReadonlyMap<number, number>
  /** Null if the server cannot tell. */
  readonly timeline: number | null
  /** The timeline at the last look of any instance; null before the first. */
  readonly stored: number | null
  /** When an instance last recovered, in milliseconds; each time is later than the one before. Null if none has. */
  readonly recovered: number | null
  /** Whether other instances may still prove that nothing was lost. */
  readonly others: boolean
  /** Whether other instances that were alive have yet to find their commits on this timeline. */
  readonly awaited: boolean
}

/** What this instance knows. */
export interface OwnState {
  /** The number that each mark must have at least. */
  readonly acknowledged: ReadonlyMap<number, number>
  /** The timeline of the last server that this instance found in order; null before the first. */
  readonly timeline: number | null
  /** What that server said of the last recovery; 0 if there was none. */
  readonly recovered: number
}

/** Whether a commit of this instance is missing. */
const isMissing = ({ marks }: ServerState, { acknowledged }: OwnState): boolean =>
  [...acknowledged].some(([slot, value]) => (marks.get(slot) ?? 0) < value)

/**
 * - `same`: nothing was lost since the last look;
 * - `moved`: another timeline, on which this instance finds all its commits; or another instance has recovered since;
 * - `unproven`: a later timeline, on which others have yet to find their commits, or this instance has none;
 * - `lost`: acknowledged commits are missing.
 */
export type LossFinding = 'same' | 'moved' | 'unproven' | 'lost'

export function judgeServer(server: ServerState, own: OwnState): LossFinding {
  const { timeline, stored } = server
  // A server that went back to an earlier state has at most an earlier recovery.
  if (isMissing(server, own)) return (server.recovered ?? 0) > own.recovered ? 'moved' : 'lost'
  if (timeline === null) return 'same'
  if (stored === timeline) return server.marks.has(SLOTS.owes) ? 'moved' : server.awaited ? 'unproven' : 'same'
  return stored !== null && timeline > stored && own.acknowledged.size === 0 ? 'unproven' : 'moved'
}

/** Commits that were lost. */
export interface Loss {
  /**
   * `marks`: this instance misses its own. `timeline`: no instance was connected when a standby was promoted. `silence`:
   * an instance was, and has not found its commits since. `cursor`: somebody has read further in the merchant's feed than
   * it goes.
   */
  readonly noticedBy: 'marks' | 'timeline' | 'silence' | 'cursor'
  readonly timeline: number | null
  /** The last timeline before, if it is known. */
  readonly before: number | null
}

export interface LossHandling {
  /** The leases of live instances, as a pattern of LIKE. */
  readonly leasesLike: string
  /** Does in this transaction what must be done before anything else. */
  readonly recover: (transaction: Transaction<Tables>, loss: Loss) => Promise<void>
  /**
   * Does in this transaction what a promotion asks for that lost nothing acknowledged: somebody may have read what the
   * old primary had not given to its standby.
   */
  readonly renumber: (transaction: Transaction<Tables>) => Promise<void>
  /** Does in this transaction what each instance that misses commits asks for, also after another has recovered. */
  readonly noteLost: (transaction: Transaction<Tables>) => Promise<void>
  /** Called after the commit of `noteLost`. */
  readonly onLoss: (loss: Loss) => void
}

export interface LossWatch {
  /** From now on transactions have marks. */
  armMarks(): void
  /** From now on losses are handled; the first look is now. */
  begin(handling: LossHandling): Promise<void>
  /** This instance ends in order: nobody waits for it after a promotion. */
  end(): Promise<void>
  /** Recovers if commits were lost. False if the server is a standby: it must be asked again. */
  examine(client: Pick<pg.PoolClient, 'query'>): Promise<boolean>
}

const TIMELINE = `('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int`
const question = (instance: string, timeline: string, leasesLike: string): string => `
  select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then null else ${timeline} end as timeline,
    (select json_object_agg(slot, value) from commit_marks where instance = '${instance}') as marks,
    (select value from reconciliation where name = 'timeline') as stored,
    (select value from reconciliation where name = 'recovered') as recovered,
    exists (select 1 from leases where name like '${leasesLike}'
      and expires_ms > ${NOW_MS} and expires_ms <= ${NOW_MS} + ${LONGEST_HELD_MS}) as others,
    exists (select 1 from commit_marks where slot = ${SLOTS.owes} and instance <> '${instance}') as awaited`

/** Waits for no standby: an instance starts and ends while there is none. */
const ALONE = `with alone as materialized (select set_config('synchronous_commit', 'local', true))`
const FORGET_OLD = `${ALONE}
  delete from commit_marks using alone where at_ms < ${NOW_MS} - ${MARKS_KEPT_MS}`
const NOTE_RUNS = `${ALONE}
  insert into commit_marks (instance, slot, value, at_ms)
  select $1, ${SLOTS.runs}, $2::bigint, ${NOW_MS} from alone
  on conflict (instance, slot) do update set value = excluded.value, at_ms = excluded.at_ms`

/** An instance writes a mark at least every third of this time (`reconcile/reconcile-job.ts`). */
const ALIVE_MS = 15_000

/**
 * By the marks that the new primary has, before anybody writes others: an instance that wrote until its end may have
 * written more. If it has died too, nobody else misses its commits.
 */
const owedBy = (instance: string, timeline: number) => sql`
  insert into commit_marks (instance, slot, value, at_ms)
  select instance, ${sql.lit(SLOTS.owes)}, ${sql.lit(timeline)}, ${sql.raw(NOW_MS)} from commit_marks
  where instance <> ${instance} group by instance
  having bool_or(slot = ${sql.lit(SLOTS.runs)} and value = 1) and max(at_ms) filter (where slot >= 0) >
    (select max(at_ms) from commit_marks where slot >= 0 and value % 2 = 0) - ${sql.lit(ALIVE_MS)}
  on conflict (instance, slot) do update set value = excluded.value, at_ms = excluded.at_ms`

type Answer = Omit<ServerState, 'marks'> & {
  readonly standby: boolean
  readonly marks: Readonly<Record<string, number>> | null
}

/** Undefined function, not supported, not allowed: a service that is not PostgreSQL itself. */
const NO_TIMELINE = new Set(['42883', '0A000', '42501'])

const marksOf = (marks: Answer['marks']): ReadonlyMap<number, number> =>
  new Map(Object.entries(marks ?? {}).map(([slot, value]) => [Number(slot), value]))

/** After a promotion other instances have this time to prove that nothing was lost. */
const PROOF_WITHIN_MS = 20_000
const PROOF_EVERY_MS = 250
/** The key of the advisory lock under which one instance at a time recovers. */
const RECOVERY_LOCK = 0x10_57_c0

const answerIn = ([row]: readonly unknown[]): Answer => row as Answer
const stateOf = ({ marks, ...rest }: Answer): ServerState => ({ ...rest, marks: marksOf(marks) })

const keepTimeline = (db: Kysely<Tables>, value: number): Promise<unknown> =>
  db
    .insertInto('reconciliation')
    .values({ name: 'timeline', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()

/** @param after what this instance knows of: the server may have gone back to a time before it */
const keepRecovery = (db: Kysely<Tables>, after: number): Promise<{ readonly value: number }> =>
  db
    .insertInto('reconciliation')
    .values({ name: 'recovered', value: sql`greatest(${sql.raw(NOW_MS)}, ${sql.lit(after)} + 1)` })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`greatest(excluded.value, reconciliation.value + 1)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()

/** The loss was handled on another server than the connection's: an old primary that still answers. */
class OtherServerError extends Error {
  override readonly name = 'OtherServerError'
  /** PostgreSQL's code for a connection that cannot be used. */
  readonly code = '08006'

  constructor() {
    super('the connection leads to another server than the one that is in order')
  }
}

/**
 * The connections of `pool` and `db` are not examined.
 * @param isReplicated whether each acknowledged commit is on a standby: then nobody is waited for
 */
export function createLossWatch(
  pool: pg.Pool,
  db: Kysely<Tables>,
  marks: CommitMarks,
  isReplicated: () => boolean,
): LossWatch {
  let handling: LossHandling | null = null
  let hasTimeline = true
  /** Of the last server that was found in order. */
  let timeline: number | null = null
  let recovered = 0
  let underWay: Promise<void> | null = null
  let waitUntilMs: number | null = null

  const own = (): OwnState => ({ acknowledged: marks.acknowledged(), timeline, recovered })
  const asked = ({ leasesLike }: LossHandling): string =>
    question(marks.instance, hasTimeline ? TIMELINE : 'null::int', leasesLike)

  const ask = async (client: Pick<pg.PoolClient, 'query'>, given: LossHandling): Promise<Answer> => {
    try {
      return answerIn((await client.query(asked(given))).rows)
    } catch (error) {
      if (!hasTimeline || !(error instanceof Error && 'code' in error && NO_TIMELINE.has(String(error.code))))
        throw error
      hasTimeline = false
      return ask(client, given)
    }
  }

  const { instance } = marks

  /**
   * In one transaction under a lock, since another instance may be faster.
   * @param waited whether the time to prove that nothing was lost is over
   */
  const handle = async (given: LossHandling, waited: boolean): Promise<void> => {
    const done = await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(RECOVERY_LOCK)})`.execute(transaction)
      const known = own()
      const found = stateOf(answerIn((await sql.raw(asked(given)).execute(transaction)).rows))
      const finding = judgeServer(found, known)
      const hasMoved = found.stored !== found.timeline
      const isLost = finding === 'lost' || finding === 'unproven'
      if (finding === 'unproven' && !waited) return null
      const isSilence = finding === 'unproven' && !hasMoved
      const what: Loss = {
        noticedBy: isSilence ? 'silence' : finding === 'unproven' ? 'timeline' : 'marks',
        timeline: found.timeline,
        before: isSilence ? null : (known.timeline ?? found.stored),
      }
      if (isLost) await given.recover(transaction, what)
      else if (hasMoved && found.stored !== null) await given.renumber(transaction)
      const hasLost = isLost || isMissing(found, known)
      if (hasLost) await given.noteLost(transaction)
      const recovery = isLost ? (await keepRecovery(transaction, known.recovered)).value : (found.recovered ?? 0)
      if (found.timeline !== null) await keepTimeline(transaction, found.timeline)
      const owes = transaction.deleteFrom('commit_marks').where('slot', '=', SLOTS.owes)
      await (isLost ? owes : owes.where('instance', '=', instance)).execute()
      if (finding === 'moved' && hasMoved && found.stored !== null && found.timeline !== null && !isReplicated())
        await owedBy(instance, found.timeline).execute(transaction)
      return { loss: hasLost ? what : null, server: found, recovery }
    })
    if (done === null) return
    const { loss, server, recovery } = done
    marks.accept(server.marks)
    timeline = server.timeline
    recovered = recovery
    if (loss !== null) given.onLoss(loss)
  }

  const mayWait = (): boolean => {
    waitUntilMs ??= performance.now() + PROOF_WITHIN_MS
    return performance.now() < waitUntilMs
  }

  const examine = async (client: Pick<pg.PoolClient, 'query'>): Promise<boolean> => {
    let handled: LossFinding | null = null
    while (handling !== null) {
      const known = own()
      const answer = await ask(client, handling)
      if (answer.standby) return false
      const finding = judgeServer(stateOf(answer), known)
      if (finding === 'same') {
        timeline = answer.timeline
        recovered = answer.recovered ?? 0
        waitUntilMs = null
        return true
      }
      const isProvable = finding === 'unproven' && (answer.others || answer.awaited)
      if (isProvable && mayWait()) await sleep(PROOF_EVERY_MS)
      else if (underWay !== null) await underWay
      else if (handled === finding) throw new OtherServerError()
      else {
        await (underWay = handle(handling, finding === 'unproven').finally(() => (underWay = null)))
        handled = finding
      }
    }
    return false
  }

  return {
    armMarks: () => marks.arm(),
    async begin(given) {
      await pool.query(FORGET_OLD)
      await pool.query(NOTE_RUNS, [instance, 1])
      handling = given
      const client = await pool.connect()
      try {
        await examine(client)
      } finally {
        client.release(true)
      }
    },
    async end() {
      if (handling !== null) await pool.query(NOTE_RUNS, [instance, 0]).catch(() => undefined)
    },
    examine,
  }
}
