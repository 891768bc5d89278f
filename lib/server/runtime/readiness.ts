/** Whether this instance may get traffic: its database has all migrations, and can be written. */
import { pendingMigrations } from '../store/database/migrate.ts'
import { NewerSchemaError, NotReplicatedError } from '../store/database/schema-guard.ts'
import { isFullOrReadOnly } from '../store/database/store-fault.ts'
import type { Store } from '../store/types.ts'
import { writeCheck } from '../store/write-check.ts'
import type { Readiness } from './app.ts'
import type { Log } from './log.ts'

/** Nobody can make the database write more often by asking for health. */
const KEEP_MS = 1000

type Unready = Awaited<ReturnType<Readiness>>

function reasonOf(error: unknown): Unready {
  if (error instanceof NewerSchemaError) return { migrations: [error.message] }
  if (error instanceof NotReplicatedError) return { store: ['has no synchronous standby'] }
  return { store: [isFullOrReadOnly(error) ? 'cannot be written: it is full or read-only' : 'does not answer'] }
}

export interface ReadinessOptions {
  readonly store: Store
  readonly instance: string
  readonly log: Pick<Log, 'warn'>
}

export function createReadiness({ store, instance, log }: ReadinessOptions): Readiness {
  // The lane that calls and jobs cannot fill.
  const webhooks = store.lane('webhooks')
  const checkWrites = writeCheck(store.database)
  const ask = async (): Promise<Unready> => {
    try {
      // If a newer version is found, nothing more is written.
      const { lanes, guard } = store.database
      const pending = await pendingMigrations({ db: lanes.webhooks }, guard)
      if (pending.length > 0) return { migrations: pending.map((name) => `${name} has not run`) }
      await checkWrites((work) => webhooks.transaction(work), instance)
      return {}
    } catch (error) {
      log.warn({ err: error }, 'the store cannot be written')
      return reasonOf(error)
    }
  }
  let last: { readonly answer: Promise<Unready>; readonly until: number } | null = null
  let asking = false
  return () => {
    if (last !== null && (asking || performance.now() < last.until)) return last.answer
    asking = true
    const answer = ask().finally(() => {
      asking = false
      last = { answer, until: performance.now() + KEEP_MS }
    })
    last = { answer, until: 0 }
    return answer
  }
}
