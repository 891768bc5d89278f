/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createRecordAudit } from '../operate/audit/record-audit.ts'
import type { Store } from '../store/types.ts'

export interface ComposeConsoleOptions {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

export const composeConsole = ({ store, clock }: ComposeConsoleOptions) => ({
  recordAudit: createRecordAudit(store),
  signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
})
