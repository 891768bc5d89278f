/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createRecordAudit } from '../operate/audit/record-audit.ts'
import { composeDecisions, type ComposeDecisionsOptions } from './compose-decisions.ts'

export type ComposeConsoleOptions = Omit<ComposeDecisionsOptions, 'recordAudit'>

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

export function composeConsole(options: ComposeConsoleOptions) {
  const { store, clock } = options
  const recordAudit = createRecordAudit(store)
  return {
    recordAudit,
    signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
    ...composeDecisions({ ...options, recordAudit }),
  }
}
