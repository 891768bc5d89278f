/** All instances of a database keep the books by one rule: the embedded ledger's, or the merchant's. */
import type { LedgerMode } from '../ledger/accounts.ts'
import { ALIVE_MS } from '../reconcile/alive.ts'
import { BOOKS } from '../store/tables/reconciliation-state.ts'
import type { Store } from '../store/types.ts'

/** `MERCHANT_AUTHORIZE_URL` is set here and not on the other instances, or the other way round. */
export class BooksError extends Error {
  override readonly name = 'BooksError'
}

const KEEPERS = {
  embedded: { who: 'the cashier', variable: 'MERCHANT_AUTHORIZE_URL is not set here' },
  merchant: { who: 'the merchant', variable: 'MERCHANT_AUTHORIZE_URL is set here' },
} as const satisfies Record<LedgerMode, { readonly who: string; readonly variable: string }>

/** Why this program may not write beside or after the instances of the database; null if it may. */
export const booksFault = (wanted: LedgerMode, stored: LedgerMode | null): string | null =>
  stored === null || stored === wanted
    ? null
    : `${KEEPERS[wanted].variable}, but with the instances of this database ${KEEPERS[stored].who} keeps the ledger`

/** @throws BooksError if the other instances have changed who keeps the books, such as while this one was frozen */
export async function checkBooks({ reconciliation }: Pick<Store, 'reconciliation'>, mode: LedgerMode): Promise<void> {
  const fault = booksFault(mode, await reconciliation.books())
  if (fault !== null) throw new BooksError(fault)
}

/** From now on the database refuses this store's transactions while its instances keep the books by another rule. */
export const writeOnlyBy = ({ database }: Pick<Store, 'database'>, mode: LedgerMode): void =>
  database.guard.keepTo(BOOKS[mode])

export interface KeepBooksOptions {
  readonly store: Pick<Store, 'reconciliation' | 'leases' | 'database'>
  readonly mode: LedgerMode
  readonly instance: string
  readonly sleep: (ms: number) => Promise<unknown>
  readonly log: { warn(fields: object, message: string): void }
}

/**
 * Changes the rule of the database. Waits until no instance of another rule is alive, also for one that was killed. Of
 * several that start at once by the same new rule, none waits for another.
 */
async function changeBooks({ store, mode, instance, sleep, log }: KeepBooksOptions): Promise<void> {
  const { reconciliation, leases } = store
  const showAlive = async (): Promise<void> => {
    // The first lease outlives the second: without it, another instance would take this one for one of the other rule.
    await leases.startBy(mode, instance, 2 * ALIVE_MS)
    await leases.keepAlive(instance, ALIVE_MS)
  }
  // Before the question, so that of two instances that start at once one sees the other.
  if (store.database.flavour === 'sqlite') await leases.deleteAll()
  else await showAlive()
  if ((await reconciliation.keepBooks(mode, instance)) === mode) return
  log.warn({}, 'other instances have another keeper of the ledger: the start waits until they have ended')
  await sleep(ALIVE_MS)
  await showAlive()
  const fault = booksFault(mode, await reconciliation.keepBooks(mode, instance))
  if (fault === null) return
  await leases.releaseAll(instance)
  throw new BooksError(`${fault}: stop all of them before a change`)
}

/**
 * Makes `mode` the rule of the database, and of each later transaction of this store.
 * @throws BooksError if an instance of another rule still runs after a wait
 */
export async function keepBooks(options: KeepBooksOptions): Promise<void> {
  const { store, mode, log } = options
  const before = await store.reconciliation.books()
  // Without a change nothing is written: PostgreSQL may wait for its standby.
  if (before !== mode) await changeBooks(options)
  writeOnlyBy(store, mode)
  if (before !== null && before !== mode) log.warn({}, `${KEEPERS[mode].who} keeps the ledger from now on`)
}
