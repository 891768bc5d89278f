import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { asBrokenInvariant } from './database/broken-constraint.ts'
import { UnknownOutcomeError } from './database/commit-outcome.ts'
import type { Loss } from './database/lost-commits.ts'
import { distrust } from './restored.ts'
import {
  announceCommits,
  listenForCommits,
  type CommitSignals,
  type SignalListener,
} from './database/commit-signals.ts'
import { openDatabase, type Database, type OpenOptions } from './database/database.ts'
import { databaseTime } from './database/database-time.ts'
import type { Outbox } from '../ledger/outbox.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { eventWriter } from './tables/events.ts'
import { readerOf, type Reader } from './reader.ts'
import { storeFaultOf, type StoreFault } from './database/store-fault.ts'
import { numberCommitted } from './tables/feed-numbers.ts'
import { listApplier } from './unit/apply-list.ts'
import { takenReporter } from './unit/report-taken.ts'
import type { Lane } from './database/lanes.ts'
import { INSTANCE_LEASE } from './tables/leases.ts'
import { withRetries } from './database/retries.ts'
import { spaced } from './database/spaced.ts'
import type { Tables } from './database/schema.ts'
import type { WholeLedger } from './tables/whole-ledger.ts'
import { readSnapshot } from './tables/snapshot.ts'
import type { UnitKeys } from './unit/unit-keys.ts'
import { unitReader } from './unit/unit-reader.ts'
import type { UnitTransaction } from './unit/unit-transaction.ts'
import { unitWriter } from './unit/unit-writer.ts'

/** The same reads and writes inside a transaction, and units of work of the ledger. */
export type Tx = Reader &
  UnitTransaction & {
    /** The transaction's time, in milliseconds since 1970. */
    readonly now: number
  }

export type CommitListener = (users: readonly string[]) => void

export interface Store extends Reader {
  readonly database: Database
  /**
   * Runs `work` in one transaction: all or nothing, on disk before it resolves. On PostgreSQL the transaction is
   * repeated after a conflict or a lock timeout, so `work` must have no effects except on `tx`.
   * @throws BrokenInvariant also if a constraint of the database refuses a change
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs one unit of work in its own transaction: loads it, runs `fold`, and saves the changes. */
  unitOfWork<T>(keys: UnitKeys, fold: (unit: UnitOfWork) => T): Promise<T>
  /**
   * Stores records of a user's list, newest first as the list gives them, and applies their facts like those of
   * webhooks. Returns how many facts were applied.
   */
  applyRecords: ReturnType<typeof listApplier>
  /** The payouts of the user's list that another user has. A person is told of each, until they dismiss its line. */
  reportTaken: ReturnType<typeof takenReporter>
  /** The same store on the connections of a lane. */
  lane(name: Lane): Store
  /** Classifies an error of this store; null if the work itself is at fault. */
  faultOf(error: unknown): StoreFault | null
  /** True for a commit that may have been made or not, since the database cannot be asked. */
  isUnknown(error: unknown): boolean
  /**
   * With `DATABASE_REPLICATED`: resolves when an answer may rely on what was read before the call. A primary that is shut
   * down shows, for a moment, commits that its standby does not have. Each transaction confirms its own reads.
   */
  confirmReads(): Promise<void>
  /** Reads the ledger in the state of one moment; writers do not wait. */
  snapshot<T>(work: (ledger: WholeLedger) => Promise<T>): Promise<T>
  /**
   * Calls back after each commit of this process that published events, with the users whose streams have new events.
   */
  onCommit(listener: CommitListener): () => void
  /** Calls back after each commit of this process that changed rows, even if it published no events. */
  onChange(listener: () => void): () => void
  /** Whether this instance delivers events to the merchant's webhook. */
  readonly delivers: boolean
  /**
   * Learns whether other instances deliver events to the merchant's webhook: then those of this process are queued, too,
   * although its own settings lack the address.
   */
  followDelivery(): Promise<void>
  /**
   * From now on lost commits of PostgreSQL are noticed, now and at each new connection, and handled before the
   * connection is used. Then calls back, as after `wentBack`.
   */
  watchLosses(onLoss: (loss: Loss) => void): Promise<void>
  /**
   * A cursor of this epoch is ahead of the merchant's feed: the database was restored, and nobody has told. Handles that
   * like lost commits, once for all callers; until then the epoch stays.
   */
  wentBack(epoch: string): Promise<void>
  /** Tells the other instances that a session has ended, if the database can. Only a hint. */
  announceSessionEnd(sessionId: string): void
  /** Calls back after commits of other processes, if the database can signal them (PostgreSQL). Only a hint. */
  listen(onSignal: SignalListener): CommitSignals
  close(): Promise<void>
}

export interface StoreOptions extends OpenOptions {
  readonly url: string
  readonly clock: () => number
  /** Whether merchant events are also queued for delivery, even if no other instance delivers them. */
  readonly deliver: boolean
  /** Replaces the database's own time, by which leases and claims expire; for tests with their own clock. */
  readonly databaseClock?: () => number
}

/** The shortest time between two batches of an instance; whoever reads the feed numbers it first and does not wait. */
const NUMBER_EVERY_MS = 10

/** Opens the store at `url` and brings its tables up to date. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options.url, options)
  const { flavour } = database
  const time = databaseTime(flavour, options.clock, options.databaseClock)
  const listeners = new Set<CommitListener>()
  const signalled = new Set<SignalListener>()
  /** One connection for all listeners. */
  let listening: CommitSignals | null = null
  /** By this name it knows its own signals. */
  const name = randomUUID()
  const { signals } = database
  const announcing = signals === null ? null : announceCommits(signals, name)
  // A connection that is silent is given up after 5 s.
  const numbering = spaced(async () => {
    const isDone = await numberCommitted(flavour, database.lanes.webhooks, 'leave').catch(() => true)
    if (!isDone) numbering.ask()
  }, NUMBER_EVERY_MS)

  const units = unitReader(flavour)
  const saveUnit = unitWriter(flavour, time)
  let othersDeliver = false
  const writeEvents = eventWriter(flavour, () => options.deliver || othersDeliver)

  const attempt = async <T>(db: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { value, users } = await db.transaction().execute(async (transaction) => {
      const outboxes: Outbox[] = []
      const now = options.clock()
      const own: UnitTransaction & Pick<Tx, 'now'> = {
        now,
        load: (keys) => units.load(transaction, now, keys),
        loadRelated: (unit, facts) => units.loadRelated(transaction, unit, facts),
        async save(unit) {
          await saveUnit(transaction, unit)
          if (!unit.outbox.isEmpty) outboxes.push(unit.outbox)
        },
      }
      const done = await work(Object.assign(readerOf(transaction, flavour, time), own))
      if (outboxes.length === 0) return { value: done, users: null }
      for (const outbox of outboxes) await writeEvents(transaction, outbox, now)
      return { value: done, users: [...new Set(outboxes.flatMap((outbox) => outbox.users))].sort() }
    })
    if (users === null) return value
    for (const listener of listeners) listener(users)
    announcing?.committed(users)
    if (flavour === 'postgres') numbering.ask()
    return value
  }

  let tellLoss: (loss: Loss) => void = () => undefined
  const recover = async (tx: Reader, loss: Loss): Promise<void> => {
    const { doubted } = await distrust(tx)
    await tx.quarantine.report('lost_commits', { ...loss, doubted }, options.clock())
  }

  const shared: Pick<
    Store,
    | 'database'
    | 'lane'
    | 'faultOf'
    | 'isUnknown'
    | 'snapshot'
    | 'onCommit'
    | 'onChange'
    | 'delivers'
    | 'watchLosses'
    | 'wentBack'
    | 'announceSessionEnd'
    | 'listen'
    | 'close'
  > = {
    database,
    lane: (name) => stores[name],
    faultOf: storeFaultOf,
    isUnknown: (error) => error instanceof UnknownOutcomeError,
    snapshot: (work) => readSnapshot(database, work),
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onChange: database.onChange,
    delivers: options.deliver,
    async watchLosses(onLoss) {
      tellLoss = onLoss
      await database.lossWatch?.begin({
        leasesLike: `${INSTANCE_LEASE}%`,
        recover: (transaction, loss) => recover(readerOf(transaction, flavour, time), loss),
        async noteLost(transaction) {
          await readerOf(transaction, flavour, time).reconciliation.noteLost()
        },
        async renumber(transaction) {
          const { unseenNumbers } = readerOf(transaction, flavour, time)
          await unseenNumbers.renumberStreams()
          await unseenNumbers.renumberFeed()
        },
        onLoss,
      })
    },
    async wentBack(epoch) {
      const loss: Loss = { noticedBy: 'cursor', timeline: null, before: null }
      // Changes the rows of all users, for which other connections have not enough time.
      const isFirst = await stores.commands.transaction(async (tx) => {
        if (!(await tx.feedEpoch.startEpoch(epoch))) return false
        await recover(tx, loss)
        await tx.reconciliation.noteLost()
        return true
      })
      if (isFirst) tellLoss(loss)
    },
    announceSessionEnd: (sessionId) => announcing?.ended(sessionId),
    listen(onSignal) {
      if (signals === null) return { stop: () => Promise.resolve() }
      const listener: SignalListener = (...signal) => onSignal(...signal)
      signalled.add(listener)
      listening ??= listenForCommits(signals, name, (...signal) => {
        for (const each of signalled) each(...signal)
      })
      return {
        async stop() {
          signalled.delete(listener)
          if (signalled.size > 0) return
          const unused = listening
          listening = null
          await unused?.stop()
        },
      }
    },
    async close() {
      // The pool ends only after each of its connections is returned.
      await Promise.all([listening?.stop(), announcing?.finish(), numbering.finish()])
      await database.close()
    },
  }
  const storeOn = (lane: Lane): Store => {
    const reader = readerOf(database.lanes[lane], flavour, time)
    const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      withRetries(lane, () => attempt(database.lanes[lane], work)).catch((error: unknown) => {
        throw asBrokenInvariant(error)
      })
    return {
      ...reader,
      ...shared,
      transaction,
      async confirmReads() {
        // Its end is a commit, although it changes nothing.
        if (database.guard.standbyQuery !== null) await transaction(() => Promise.resolve())
      },
      async followDelivery() {
        if (!options.deliver) othersDeliver = await reader.leases.areDelivering()
      },
      unitOfWork: (keys, fold) =>
        transaction(async (tx) => {
          const unit = await tx.load(keys)
          const result = fold(unit)
          await tx.save(unit)
          return result
        }),
      applyRecords: listApplier({ ...reader, transaction }),
      reportTaken: takenReporter({ quarantine: reader.quarantine, transaction }),
    }
  }
  const stores: Readonly<Record<Lane, Store>> = {
    calls: storeOn('calls'),
    webhooks: storeOn('webhooks'),
    jobs: storeOn('jobs'),
    commands: storeOn('commands'),
  }
  return stores.calls
}
