/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createAuditedAct, createRecordAudit } from '../operate/audit/record-audit.ts'
import type { Store } from '../store/types.ts'
import type { Log } from './log.ts'

export interface ComposeConsoleOptions {
  readonly store: Store
  readonly log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

export const composeConsole = ({ store, log, clock }: ComposeConsoleOptions) => ({
  recordAudit: createRecordAudit(store),
  auditedAct: createAuditedAct({
    store,
    onFault: (err, action) => log.error({ err, action }, 'the outcome of an act is not in the audit log'),
  }),
  signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
})
