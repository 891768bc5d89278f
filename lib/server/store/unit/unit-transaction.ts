import type { Fact } from '../../ledger/facts.ts'
import type { UnitOfWork } from '../../ledger/unit-of-work.ts'
import type { UnitKeys } from './unit-keys.ts'

/** Units of work of the ledger, inside a transaction. */
export interface UnitTransaction {
  /** Locks and reads the rows that a unit of work begins with. */
  load(keys: UnitKeys): Promise<UnitOfWork>
  /** Reads the further rows that are needed to apply these facts; the unit has loaded their transactions. */
  loadRelated(unit: UnitOfWork, facts: readonly Fact[]): Promise<void>
  /** Writes the unit's changes; its events get their numbers at the end of the transaction. */
  save(unit: UnitOfWork): Promise<void>
}
