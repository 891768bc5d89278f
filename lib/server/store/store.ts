import { sql, type Kysely } from 'kysely'
import { ledgerStoreOf } from './ledger-store.ts'
import { listenForCommits, type CommitSignals } from './commit-signals.ts'
import { currenciesOf } from './currencies.ts'
import { openDatabase, type Database } from './database.ts'
import { databaseTime, type DatabaseTime } from './database-time.ts'
import { deliveriesOf } from './deliveries.ts'
import { depositAddressesOf } from './deposit-addresses.ts'
import { erasureOf } from './erasure-rules.ts'
import { eventsOf, Outbox } from './events.ts'
import { isRetryable } from './failures.ts'
import { inboxOf } from './inbox.ts'
import { leasesOf } from './leases.ts'
import { onrampSessionsOf } from './onramp-sessions.ts'
import { openSinceOf } from './open-states.ts'
import { reconcileQueueOf } from './reconcile-queue.ts'
import { reconciliationStateOf } from './reconciliation-state.ts'
import { recordsOf } from './records.ts'
import { retentionOf } from './retention.ts'
import type { Tables } from './schema.ts'
import { sessionsOf } from './sessions.ts'
import { transactionsOf } from './transactions.ts'
import { usersOf } from './users.ts'
import { withdrawalsOf } from './withdrawals.ts'

const TRIES = 6

/** Channel of NOTIFY: one signal without payload for each commit. */
const COMMIT_CHANNEL = 'cashier_commit'

const readerOf = (db: Kysely<Tables>, database: Database, time: DatabaseTime) => ({
  users: usersOf(db, database.flavour, time),
  currencies: currenciesOf(db),
  addresses: depositAddressesOf(db),
  sessions: sessionsOf(db, time),
  transactions: transactionsOf(db),
  withdrawals: withdrawalsOf(db, time),
  onramps: onrampSessionsOf(db),
  ledger: ledgerStoreOf(db),
  inbox: inboxOf(db),
  records: recordsOf(db),
  events: eventsOf(db),
  leases: leasesOf(db, time),
  reconcileQueue: reconcileQueueOf(db, database.flavour, time),
  reconciliation: reconciliationStateOf(db, database.flavour, time),
  openSince: openSinceOf(db),
  deliveries: deliveriesOf(db),
  retention: retentionOf(db),
  erasure: erasureOf(db, database.flavour),
})

/** Everything that can be read and written outside a transaction. */
export type Reader = ReturnType<typeof readerOf>

/** The same inside a transaction, with the events that it publishes on commit. `now` is the transaction's time. */
export type Tx = Reader & { readonly now: number; readonly outbox: Outbox }

export type CommitListener = (users: readonly string[]) => void

export interface Store extends Reader {
  readonly database: Database
  /**
   * Runs `work` in one transaction: all or nothing, on disk before it resolves. On PostgreSQL it is run again after a
   * conflict with another transaction, so `work` must have no effect but on `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls back after each commit of this process that published events, with the users whose streams grew. */
  onCommit(listener: CommitListener): () => void
  /** Calls back after commits of other processes too, if the database can signal them (PostgreSQL). Only a hint. */
  listen(onSignal: () => void): CommitSignals
  close(): Promise<void>
}

export interface StoreOptions {
  readonly url: string
  readonly clock: () => number
  /** Whether merchant events are also queued for delivery. */
  readonly deliver: boolean
  /** In place of the database's own time, by which leases and claims run out; for tests with a clock of their own. */
  readonly databaseClock?: () => number
}

/** Opens the store that `url` names and brings its tables up to date. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options.url)
  const time = databaseTime(database.flavour, options.clock, options.databaseClock)
  const listeners = new Set<CommitListener>()
  const listening = new Set<CommitSignals>()

  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { value, users } = await database.db.transaction().execute(async (transaction) => {
      const outbox = new Outbox()
      const now = options.clock()
      const done = await work({ ...readerOf(transaction, database, time), now, outbox })
      if (outbox.isEmpty) return { value: done, users: null }
      await outbox.write(transaction, now, options.deliver)
      if (database.flavour === 'postgres') await sql`select pg_notify(${COMMIT_CHANNEL}, '')`.execute(transaction)
      return { value: done, users: outbox.users }
    })
    if (users !== null) for (const listener of listeners) listener(users)
    return value
  }

  return {
    ...readerOf(database.db, database, time),
    database,
    async transaction(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(work)
        } catch (error) {
          if (database.flavour !== 'postgres' || tries >= TRIES || !isRetryable(error)) throw error
        }
      }
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listen(onSignal) {
      if (database.pool === null) return { stop: () => Promise.resolve() }
      const signals = listenForCommits(database.pool, COMMIT_CHANNEL, onSignal)
      listening.add(signals)
      return signals
    },
    async close() {
      // The pool ends only when each of its connections was returned.
      for (const signals of listening) await signals.stop()
      await database.close()
    },
  }
}
