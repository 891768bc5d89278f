import { reportTaken } from '../../ledger/disputes.ts'
import type { TakenPayout } from '../../ledger/rows.ts'
import type { quarantineOf } from '../tables/quarantine.ts'
import type { UnitTransaction } from './unit-transaction.ts'

interface Taken {
  readonly quarantine: Pick<ReturnType<typeof quarantineOf>, 'takenPayouts'>
}
interface TakenStore extends Taken {
  readonly transaction: <T>(work: (tx: Taken & UnitTransaction) => Promise<T>) => Promise<T>
}

/** `Store.reportTaken`. */
export const takenReporter =
  (store: TakenStore) =>
  async (user: string): Promise<readonly TakenPayout[]> => {
    if ((await store.quarantine.takenPayouts(user)).length === 0) return []
    return store.transaction(async (tx) => {
      const unit = await tx.load({ users: [user] })
      const taken = await tx.quarantine.takenPayouts(user)
      reportTaken(unit, user, taken)
      await tx.save(unit)
      return taken
    })
  }
