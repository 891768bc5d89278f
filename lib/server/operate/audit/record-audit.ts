import { isProblem, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import type { NewAuditEntry, Store } from '../../store/types.ts'

/** Adds an entry at the end of the chain, in a transaction of its own: it is on disk before this resolves. */
export type RecordAudit = (entry: NewAuditEntry) => Promise<void>

export const createRecordAudit =
  (store: Pick<Store, 'transaction'>): RecordAudit =>
  async (entry) => {
    await store.transaction((tx) => tx.audit.append(entry, tx.now))
  }

/**
 * Stores that an act begins, runs it, and stores what became of it: so an act that dies in between has left a trace. An
 * outcome that cannot be stored does not undo the act.
 * @param isRefusal whether a result says that nothing was done; by default only an error says so
 */
export type AuditedAct = <T>(
  entry: Omit<NewAuditEntry, 'outcome' | 'begun_seq'>,
  act: () => Promise<T>,
  isRefusal?: (result: T) => boolean,
) => Promise<T>

export interface AuditedActOptions {
  readonly store: Pick<Store, 'transaction'>
  readonly onFault: (error: unknown, action: string) => void
}

export function createAuditedAct({ store, onFault }: AuditedActOptions): AuditedAct {
  return async (entry, act, isRefusal = () => false) => {
    const begun_seq = await store.transaction((tx) => tx.audit.append({ ...entry, outcome: 'begun' }, tx.now))
    const { operator, action } = entry
    /** About nobody: what it was about stands in the first entry, and may be blanked there. */
    const end = async (outcome: 'done' | 'refused' | 'failed', detail: Readonly<Record<string, string>> = {}) => {
      const ending: NewAuditEntry = { operator, action, outcome, begun_seq, detail }
      await store
        .transaction((tx) => tx.audit.append(ending, tx.now))
        .catch((error: unknown) => {
          onFault(error, action)
        })
    }
    try {
      const result = await act()
      await end(isRefusal(result) ? 'refused' : 'done')
      return result
    } catch (error) {
      if (!isProblem(error)) await end('failed')
      else await end(PROBLEM_STATUS[error.code] < 500 ? 'refused' : 'failed', { code: error.code })
      throw error
    }
  }
}
